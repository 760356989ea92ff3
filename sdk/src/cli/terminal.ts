import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError, exitCodes } from './errors.ts';

/** Where a command reads and writes. */
export interface Terminal {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  env: Record<string, string | undefined>;
  /** Whether results are JSON. */
  isJson: boolean;
}

/**
 * Returns text that cannot control the terminal. Names come from HR systems, and escape sequences in them could hide or
 * forge output.
 */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
  text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ' ');

const write = (stream: NodeJS.WritableStream & { destroyed?: boolean }, text: string): Promise<void> =>
  new Promise((resolve) => {
    if (stream.write(text) || stream.destroyed) return resolve();
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    // A stream that was closed never drains.
    stream.on('drain', done).on('close', done);
  });

/** Writes to standard output, and waits while the reader is slower. */
export const print = ({ stdout }: Terminal, text: string): Promise<void> => write(stdout, text);

export const printJson = (terminal: Terminal, value: unknown): Promise<void> =>
  print(terminal, `${JSON.stringify(value, null, 2)}\n`);

/** Writes a line for people, which is no result: progress, hints. */
export function note({ stderr }: Terminal, text: string): void {
  stderr.write(`${text}\n`);
}

export type Cell = string | number | null | undefined;

/** Returns the rows as a table with aligned columns. */
export function formatTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = rows.map((cells) => cells.map((cell) => printable(String(cell ?? '–'))));
  const widths = headings.map((heading, index) =>
    Math.max(heading.length, ...texts.map((cells) => [...(cells[index] ?? '')].length)),
  );
  const format = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - [...cell].length)))
      .join('  ')
      .trimEnd();
  return [format(headings), format(widths.map((width) => '─'.repeat(width))), ...texts.map(format)]
    .map((line) => `${line}\n`)
    .join('');
}

const isInteractive = ({ stdin, stderr }: Terminal) => stdin.isTTY === true && stderr.isTTY === true;

interface Question {
  text: string;
  /** Shows no input. */
  isHidden?: boolean;
  signal: AbortSignal;
}

/**
 * Asks a question on standard error. Returns undefined if nobody is there to answer, or if the input ends. Throws if
 * somebody presses Ctrl-C, which a terminal does not turn into a signal while a question waits.
 */
export async function ask(
  terminal: Terminal,
  { text, isHidden = false, signal }: Question,
): Promise<string | undefined> {
  if (!isInteractive(terminal)) return undefined;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: terminal.stdin,
    output: isHidden ? silent : terminal.stderr,
    terminal: true,
  });
  const interrupt = new AbortController();
  lines.once('SIGINT', () => interrupt.abort());
  const closed = new Promise<undefined>((resolve) => {
    lines.once('close', () => resolve(undefined));
  });
  try {
    if (isHidden) terminal.stderr.write(text);
    const either = AbortSignal.any([signal, interrupt.signal]);
    const answer = await Promise.race([lines.question(isHidden ? '' : text, { signal: either }), closed]);
    if (isHidden || answer === undefined) terminal.stderr.write('\n');
    return answer?.trim();
  } catch (error) {
    terminal.stderr.write('\n');
    throw interrupt.signal.aborted ? new CommandError('Interrupted.', exitCodes.interrupted) : error;
  } finally {
    lines.close();
  }
}

/** Reads everything from standard input. */
export async function readInput({ stdin }: Terminal): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of stdin) pieces.push(Buffer.from(piece as Uint8Array | string));
  return Buffer.concat(pieces).toString('utf8');
}
