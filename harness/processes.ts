import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Env, freePort, type Serving, serve } from '../test/support/process.ts';

const main = join(import.meta.dirname, '../src/main.ts');

/** Starts an API without a worker. It accepts rosters and leaves them to the workers. */
export async function startApi(databaseUrl: string, folder: string, env: Env = {}): Promise<Serving> {
  const port = String(await freePort());
  const quiet = { DEMO: 'off', RATE_LIMIT_PER_MINUTE: '0', HEAVY_REQUESTS_PER_KEY: '0', LOG_LEVEL: 'error' };
  const api = await serve({
    env: {
      ...quiet,
      WORKER: 'off',
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ...env,
    },
  });
  const endWithUs = () => api.signal('SIGKILL');
  process.once('exit', endWithUs);
  api.exited.then(() => process.off('exit', endWithUs));
  return api;
}

export interface WorkerProcess {
  pid: number;
  errors: () => string;
  /** True until the process is ended or ends by itself. */
  isRunning: () => boolean;
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

export async function startWorkerProcess(databaseUrl: string, folder: string): Promise<WorkerProcess> {
  const env: Env = { PATH: process.env.PATH ?? '', HOME: tmpdir(), LOG_LEVEL: 'warn', DEMO: 'off' };
  const child: ChildProcess = spawn(process.execPath, [main, 'worker'], {
    cwd: tmpdir(),
    env: { ...env, DATABASE_URL: databaseUrl, DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Kills the worker if the test process exits early, for example on a timeout.
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  let [output, errors] = ['', ''];
  const ready = Promise.withResolvers<void>();
  child.stdout?.on('data', (chunk) => {
    output = `${output}${chunk}`.slice(-100_000);
    if (output.includes('Working on jobs')) ready.resolve();
  });
  child.stderr?.on('data', (chunk) => {
    errors = `${errors}${chunk}`.slice(-100_000);
  });
  const exited = once(child, 'exit');
  exited.then(() => ready.reject(new Error(`The worker ended early: ${errors}`)));
  await ready.promise;
  return {
    pid: child.pid ?? 0,
    errors: () => output + errors,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async end(signal) {
      child.kill(signal);
      await exited;
    },
  };
}
