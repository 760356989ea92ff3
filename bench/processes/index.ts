import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { LoadProcess } from '../../harness/load.ts';
import { freePort, serve, startProgram } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';

export interface Request {
  method?: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  /** In ASCII. */
  body?: string;
}

export interface LoadOptions {
  requests: Request[];
  seconds: number;
  status?: number;
  isSentOnce?: boolean;
}

const arrivals = { concurrency: 32 };
const timeoutMs = 60_000;

export function messageOf(base: URL, { method = 'GET', path, headers, body }: Request): string {
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  const lines = Object.entries({ host: base.host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${base.pathname.replace(/\/$/, '')}${path} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n');
}

/** Returns the requests per second. */
export async function load({ put }: LoadProcess, url: string, { requests, status = 200, ...rest }: LoadOptions) {
  const base = new URL(url);
  const messages = requests.map((request) => messageOf(base, request));
  const { responses, seconds } = await put({ port: Number(base.port), messages, arrivals, timeoutMs, ...rest });
  const failed = responses.filter((response) => response.status !== status);
  if (failed.length > 0) {
    const statuses = [...new Set(failed.map((response) => response.status))].join(', ');
    throw new Error(`${failed.length} requests to ${url} failed (${statuses}; 0 is no response).`);
  }
  return responses.length / seconds;
}

export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

export async function startServer(
  name: 'peer' | 'floor' | 'fake-personio' | 'fake-issuer' | 'fake-mail-server',
  options: object,
): Promise<Running> {
  const main = join(import.meta.dirname, `${name}.ts`);
  const { pid, output, isRunning, end } = startProgram([JSON.stringify(options)], { env: {}, main });
  await until(`${name} serves`, () => {
    if (!isRunning()) throw new Error(`${name} has ended: ${output.stderr}`);
    return output.stdout.includes('\n');
  });
  return { url: output.stdout.trim(), pid, stop: () => end('SIGTERM') };
}

/** Starts the service as operators run it, except for limits and background work. Its log goes to a file. */
export async function startService(dataDir: string, env: Record<string, string>): Promise<Running> {
  const PORT = String(await freePort());
  const stderr = openSync(join(dataDir, 'service.log'), 'a');
  const quiet = { DEMO: 'off', WORKER: 'off', RATE_LIMIT_PER_MINUTE: '0', HEAVY_REQUESTS_PER_KEY: '0' };
  const place = { DATA_DIR: dataDir, PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` };
  const { url, pid, end } = await serve({ env: { ...quiet, LOG_LEVEL: 'info', ...place, ...env }, stderr });
  closeSync(stderr);
  return { url, pid, stop: () => end('SIGTERM') };
}
