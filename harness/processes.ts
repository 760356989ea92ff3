import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Env,
  type Finished,
  freePort,
  hasWaitedTooLong,
  mostStarts,
  type Serving,
  serve,
} from '../test/support/process.ts';
import { until } from '../test/support/until.ts';

/** The program of this version. Another one can be started instead. */
export const ownMain = join(import.meta.dirname, '../src/main.ts');

/** Starts an API without a worker. It accepts rosters and leaves them to the workers. */
export async function startApi(databaseUrl: string, folder: string, env: Env = {}, main = ownMain): Promise<Serving> {
  const port = String(await freePort());
  const quiet = { DEMO: 'off', RATE_LIMIT_PER_MINUTE: '0', HEAVY_REQUESTS_PER_KEY: '0', LOG_LEVEL: 'error' };
  const place = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` };
  const api = await serve({ main, env: { ...quiet, WORKER: 'off', ...place, ...env } });
  const endWithUs = () => api.signal('SIGKILL');
  process.once('exit', endWithUs);
  api.exited.then(() => process.off('exit', endWithUs));
  return api;
}

/** A command of the program in its own process. */
export interface ProgramProcess {
  pid: number;
  /** The last output so far. */
  output: { stdout: string; stderr: string };
  /** True until the process is ended or ends by itself. */
  isRunning(): boolean;
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  finished: Promise<Finished>;
}

export function startProgram(args: string[], env: Env, main = ownMain): ProgramProcess {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? '', HOME: tmpdir(), LOG_LEVEL: 'warn', STOP_TIMEOUT_MS: '120000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Kills the process if the test process exits early, for example on a timeout.
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      output[name] = `${output[name]}${chunk}`.slice(-100_000);
    });
  }
  const finished = once(child, 'close').then(([code]): Finished => {
    process.off('exit', endWithUs);
    return { code, ...output };
  });
  return {
    pid: child.pid ?? 0,
    output,
    finished,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async end(signal) {
      child.kill(signal);
      await finished;
    },
  };
}

export interface WorkerProcess extends ProgramProcess {
  errors(): string;
}

/** Starts a worker and waits until it works on jobs. */
export async function startWorkerProcess(
  databaseUrl: string,
  folder: string,
  main?: string,
  env: Env = {},
): Promise<WorkerProcess> {
  const place = { DEMO: 'off', DATABASE_URL: databaseUrl, DATA_DIR: folder };
  for (let starts = 1; ; starts++) {
    const worker = startProgram(['worker'], { ...place, ...env }, main);
    const { output, isRunning, finished } = worker;
    const isReady = () => output.stdout.includes('Working on jobs');
    await until('the worker is ready', () => isReady() || !isRunning());
    if (isReady()) return { ...worker, errors: () => output.stdout + output.stderr };
    const { stderr } = await finished;
    if (starts === mostStarts || !hasWaitedTooLong(stderr)) throw new Error(`The worker ended early: ${stderr}`);
  }
}
