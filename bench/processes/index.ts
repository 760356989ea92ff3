import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadProcess, startLoadProcess } from '../../harness/load.ts';
import { freePort } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';

const fileOf = (name: string) => join(import.meta.dirname, `${name}.ts`);

export interface Request {
  path: string;
  headers: Record<string, string>;
}

interface LoadOptions {
  connections: number;
  seconds: number;
  /** The status that every response must have, by default 200. */
  status?: number;
  /** The request rate. Without it requests are sent as fast as responses arrive. */
  perSecond?: number;
  /** Whether each request is sent once. Otherwise they are repeated. */
  isSentOnce?: boolean;
}

interface LoadResult {
  sent: number;
  perSecond: number;
}

const timeoutMs = 60_000;

function messageOf(base: URL, { path, headers }: Request): string {
  const lines = Object.entries({ host: base.host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${base.pathname.replace(/\/$/, '')}${path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
}

/** Sends requests one after another on each connection, from a separate process. Throws if any request fails. */
export async function load(
  { put }: LoadProcess,
  url: string,
  requests: Request[],
  options: LoadOptions,
): Promise<LoadResult> {
  const { connections, perSecond, status = 200, ...rest } = options;
  const base = new URL(url);
  const arrivals = perSecond === undefined ? { concurrency: connections } : { perSecond, maxConnections: connections };
  const messages = requests.map((request) => messageOf(base, request));
  const { responses, seconds } = await put({ port: Number(base.port), messages, arrivals, timeoutMs, ...rest });
  const failed = responses.filter((response) => response.status !== status);
  if (failed.length > 0) {
    const statuses = [...new Set(failed.map((response) => response.status))].join(', ');
    throw new Error(`${failed.length} requests to ${url} failed (${statuses}; 0 is no response).`);
  }
  return { sent: responses.length, perSecond: responses.length / seconds };
}

/** Sends requests as `load` does, from a process that ends afterwards. */
export async function loadOnce(url: string, requests: Request[], options: LoadOptions): Promise<LoadResult> {
  const child = startLoadProcess();
  try {
    return await load(child, url, requests, options);
  } finally {
    child.end();
  }
}

export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
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
