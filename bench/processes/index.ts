import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';

const fileOf = (name: string) => join(import.meta.dirname, `${name}.ts`);

/** Runs one of the scripts beside this file until it ends. Returns the JSON it prints. */
async function run<T>(name: string, options: object): Promise<T> {
  const child = spawn(process.execPath, [fileOf(name), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${code}.`);
  return JSON.parse(printed) as T;
}

export interface Load {
  url: string;
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
  /** A file with requests (path, headers) that the connections share and repeat, instead of `url` alone. */
  requestsFile?: string;
  /** The status that every response must have, by default 200. */
  status?: number;
  /** The request rate. Without it requests are sent as fast as responses arrive. */
  perSecond?: number;
}

export interface LoadResult {
  sent: number;
  perSecond: number;
  bytesPerSecond: number;
  medianMs: number;
  p99Ms: number;
}

/** Sends requests one after another on each connection, from a separate process. Throws if any request fails. */
export async function load(options: Load): Promise<LoadResult> {
  const { failed, ...result } = await run<LoadResult & { failed: number }>('load', options);
  if (failed > 0) throw new Error(`${failed} requests to ${options.url} failed.`);
  return result;
}

export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export interface BareOptions {
  /** The database with the keys that our guard accepts on its one route. */
  guardedBy?: string;
}

export async function startBare(options: BareOptions = {}): Promise<Running> {
  const child = spawn(process.execPath, [fileOf('bare'), JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return runningOf(child, String(line).trim());
}

/** Starts a server that sends the given response and does nothing else. */
export async function startFloor(response: Response): Promise<Running> {
  const sent = [...response.headers].filter(([name]) => !['connection', 'keep-alive', 'date'].includes(name));
  const options = JSON.stringify({ head: sent, body: await response.text() });
  const child = spawn(process.execPath, [fileOf('floor'), options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return runningOf(child, String(line).trim());
}

/** Starts the service that a team would write by hand, on the same database. */
export async function startPeer(url: string): Promise<Running> {
  const options = JSON.stringify({ url, origin: 'http://127.0.0.1/v1' });
  const child = spawn(process.execPath, [fileOf('peer'), options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return runningOf(child, String(line).trim());
}

function runningOf(child: ReturnType<typeof spawn>, url: string): Running {
  const ended = once(child, 'exit');
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const main = join(import.meta.dirname, '../../src/main.ts');

/**
 * Starts the service as operators run it, except for limits and background work. Its log goes to a file, as in
 * production.
 */
export async function startService(dataDir: string, env: Record<string, string>): Promise<Running> {
  const port = String(await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const log = openSync(join(dataDir, 'service.log'), 'a');
  const child = spawn(process.execPath, [main, 'serve'], {
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH ?? '',
      HOME: tmpdir(),
      DATA_DIR: dataDir,
      PORT: port,
      PUBLIC_URL: origin,
      DEMO: 'off',
      PORTAL: 'off',
      WORKER: 'off',
      RATE_LIMIT_PER_MINUTE: '0',
      HEAVY_REQUESTS_PER_KEY: '0',
      ...env,
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  await until('the service responds', async () => {
    if (child.exitCode !== null) throw new Error(`The service ended, see ${join(dataDir, 'service.log')}.`);
    const health = await fetch(`${origin}/v1/health`).catch(() => undefined);
    await health?.arrayBuffer();
    return health?.ok === true;
  });
  return runningOf(child, `${origin}/v1`);
}
