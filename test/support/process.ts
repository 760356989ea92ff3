import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The program of this version. */
const ownMain = join(root, 'src/main.ts');

export type Env = Record<string, string>;

/**
 * Returns only what a program needs to run, without the test's own settings. A test must switch the portal on, which
 * builds it.
 */
const bareEnv = (): Env => ({
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  LOG_LEVEL: 'warn',
  PORTAL: 'off',
  // A busy machine may need longer than the default to stop.
  STOP_TIMEOUT_MS: '120000',
});

interface Options {
  env: Env;
  /** The program of another version. */
  main?: string;
  uid?: number;
  /** The text that the program reads from standard input; absent: nothing. */
  input?: string | undefined;
}

function start(
  words: string[],
  { env, uid, input, main = ownMain }: Options,
): ChildProcess & { output: { stdout: string; stderr: string } } {
  const child = spawn(process.execPath, [main, ...words], {
    cwd: tmpdir(),
    // With port 0, the system assigns a free port to the service.
    env: { ...bareEnv(), ...(words[0] === 'serve' ? { PORT: '0' } : {}), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  child.stdin?.end(input);
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output.stderr += chunk;
  });
  return Object.assign(child, { output });
}

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts a command of the program. Its output grows until it has finished. */
export function startCommand(words: string[], env: Env, input?: string) {
  const child = start(words, { env, input });
  const finished = once(child, 'close').then(([code]): Finished => ({ code, ...child.output }));
  return { output: child.output, finished, signal: (signal: NodeJS.Signals) => child.kill(signal) };
}

/** Runs a command of the program to its end. */
export const run = (words: string[], env: Env, input?: string): Promise<Finished> =>
  startCommand(words, env, input).finished;

export interface Serving {
  url: string;
  pid: number;
  output: { stdout: string; stderr: string };
  /** The key printed at the start: `username:password`. */
  key: string | undefined;
  signal(signal: NodeJS.Signals): void;
  exited: Promise<Finished>;
}

/** How often a program is started that ends because it has waited too long. An orchestrator starts it again, too. */
export const mostStarts = 3;

/** Returns whether a program has ended because it waited too long for the database, as happens on a busy machine. */
export const hasWaitedTooLong = (stderr: string) => /timeout (expired|exceeded)|Query read timeout/.test(stderr);

/** Starts a process and waits until it has printed `ready`. Rejects with its output if it ends before that. */
async function startUntil(ready: string, words: string[], options: Options, starts = mostStarts): Promise<Serving> {
  const child = start(words, options);
  const exited = once(child, 'close').then(([code]): Finished => ({ code, ...child.output }));
  const printed = new Promise<void>((resolve) => {
    child.stdout?.on('data', () => {
      if (child.output.stdout.includes(ready)) resolve();
    });
  });
  const early = await Promise.race([printed, exited]);
  if (early && starts > 1 && hasWaitedTooLong(early.stderr)) return startUntil(ready, words, options, starts - 1);
  if (early) throw Object.assign(new Error(`ended early: ${early.stderr}`), early);
  const { stdout } = child.output;
  return {
    url: /API +(\S+)/.exec(stdout)?.[1] ?? '',
    pid: child.pid ?? 0,
    output: child.output,
    key: /export KEY='([^']+)'/.exec(stdout)?.[1],
    signal: (signal) => child.kill(signal),
    exited,
  };
}

export const serve = (options: Options) => startUntil('is ready', ['serve'], options);

/** Starts a worker without an API. */
export const work = (options: Options) => startUntil('Working on jobs', ['worker'], options);

/** Below the ephemeral ports of the system, so that no other process gets one of these by chance. */
const [lowest, highest] = [10_240, 32_767];

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).once('listening', () => resolve(true));
  });
  server.listen(port, '127.0.0.1');
  if (!(await listening)) return false;
  server.close();
  await once(server, 'close');
  return true;
}

/** Returns a free port, for a program that cannot use a port assigned by the system or must restart on the same one. */
export async function freePort(): Promise<number> {
  const port = randomInt(lowest, highest + 1);
  return (await isFree(port)) ? port : freePort();
}

/** Runs the callback with a new folder, and deletes the folder afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'transit-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
