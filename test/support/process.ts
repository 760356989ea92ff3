import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The program of this version. */
export const ownMain = join(root, 'src/main.ts');

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
  main?: string | undefined;
  uid?: number;
  /** The text that the program reads from standard input; absent: nothing. */
  input?: string | undefined;
  /** The file for its log, if nobody reads that. */
  stderr?: number | 'pipe';
}

/** Processes that are running. They end with this one at the latest. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts the program with these words. Its output grows until it has finished. */
export function startProgram(words: string[], { env, uid, input, stderr = 'pipe', main = ownMain }: Options) {
  const child = spawn(process.execPath, [main, ...words], {
    cwd: tmpdir(),
    // With port 0, the system assigns a free port to the service.
    env: { ...bareEnv(), ...(words[0] === 'serve' ? { PORT: '0' } : {}), ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', stderr],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  running.add(child);
  child.stdin?.end(input);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk) => {
      output[name] += chunk;
    });
  }
  const finished = once(child, 'close').then(([code]): Finished => {
    running.delete(child);
    return { code, ...output };
  });
  return {
    pid: child.pid ?? 0,
    output,
    finished,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    async end(signal: NodeJS.Signals): Promise<void> {
      child.kill(signal);
      await finished;
    },
  };
}

export type ProgramProcess = ReturnType<typeof startProgram>;

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of the program to its end. */
export const run = (words: string[], env: Env, input?: string): Promise<Finished> =>
  startProgram(words, { env, input }).finished;

export interface Serving extends ProgramProcess {
  url: string;
  /** The key printed at the start: `username:password`. */
  key: string | undefined;
  exited: Promise<Finished>;
}

/** How often a program is started that ends because it has waited too long. An orchestrator starts it again, too. */
const mostStarts = 3;

/** Returns whether a program has ended because it waited too long for the database, as happens on a busy machine. */
const hasWaitedTooLong = (stderr: string) => /timeout (expired|exceeded)|Query read timeout/.test(stderr);

/** Starts a process and waits until it has printed `ready`. Rejects with its output if it ends before that. */
async function startUntil(ready: string, words: string[], options: Options, starts = mostStarts): Promise<Serving> {
  const program = startProgram(words, options);
  const { output, finished, isRunning } = program;
  await until(`it prints: ${ready}`, () => output.stdout.includes(ready) || !isRunning());
  if (!output.stdout.includes(ready)) {
    const early = await finished;
    if (starts > 1 && hasWaitedTooLong(early.stderr)) return startUntil(ready, words, options, starts - 1);
    throw Object.assign(new Error(`ended early: ${early.stderr}`), early);
  }
  const url = /API +(\S+)/.exec(output.stdout)?.[1] ?? '';
  return { ...program, url, key: /export KEY='([^']+)'/.exec(output.stdout)?.[1], exited: finished };
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
