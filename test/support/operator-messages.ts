import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Messages of commands about their own arguments are not listed: each names the argument and what it accepts. */
const isListed = (file: string) =>
  !/^src\/(operator\/(?!doctor\/)|platform\/cli\/|features\/(daily-run\/|billing\/correct|.*command))|\.test\.ts$/.test(
    file,
  );

/** Finds where the text that begins at `start` ends, with nested brackets and quotes. */
function findEnd(source: string, start: number, closing: string): number {
  for (let at = start; at < source.length; at++) {
    const character = source.charAt(at);
    if (character === closing) return at;
    if (character === '\\') at++;
    else if (/['"`]/.test(character)) at = endOfText(source, at);
    else if (character === '(') at = findEnd(source, at + 1, ')');
    else if (character === '{') at = findEnd(source, at + 1, '}');
  }
  return source.length;
}

/** Returns the position of the quote that ends the literal beginning at `start`. */
function endOfText(source: string, start: number): number {
  const quote = source.charAt(start);
  for (let at = start + 1; at < source.length; at++) {
    if (source.charAt(at) === quote) return at;
    if (source.charAt(at) === '\\') at++;
    else if (quote === '`' && source.startsWith('${', at)) at = findEnd(source, at + 2, '}');
  }
  return source.length;
}

/** Returns the literal without quotes. Every inserted value is an ellipsis. */
function readText(source: string, start: number, end: number): string {
  let text = '';
  for (let at = start + 1; at < end; at++) {
    if (source.charAt(start) === '`' && source.startsWith('${', at)) {
      at = findEnd(source, at + 2, '}');
      text += '…';
    } else if (source.charAt(at) !== '\\') text += source.charAt(at);
  }
  return text;
}

/** Returns the texts of an expression that concatenates literals. */
function readConcatenation(source: string, start: number): string {
  let [text, at] = ['', start];
  for (;;) {
    at += /^[\s+]*/.exec(source.slice(at))?.[0].length ?? 0;
    if (!/^['"`]/.test(source.slice(at))) return text;
    const end = endOfText(source, at);
    text += readText(source, at, end);
    at = end + 1;
  }
}

const calls = /new OperatorError\(|problems\.push\(|\bdescribe(?:Failure|Timeout): \([^)]*\) => /g;

/** Returns the first sentence of every message with which the program refuses to start or ends a command. */
export function listOperatorMessages(): { file: string; message: string }[] {
  const files = globSync('src/**/*.ts', { cwd: root }).filter(isListed);
  return files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const texts = [...source.matchAll(calls)].map((call) => readConcatenation(source, call.index + call[0].length));
    return texts
      .filter((text) => text !== '')
      .map((text) => ({ file, message: text.replace(/([^\s.]\.) (?=[A-Z`…]).*$/, '$1').replaceAll('`', '') }));
  });
}
