import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cpuMilliseconds, median, postgresMilliseconds } from '../../harness/observe.ts';
import { type LoadResult, load, type Running } from '../processes/index.ts';
import type { Setting } from '../setting.ts';
import type { Request } from './requests.ts';

const connections = 32;

/** What one server does under one load. */
export interface Measured {
  perSecond: number;
  /** Processor time of one request in the server and in PostgreSQL, in microseconds. */
  serverMicros: number;
  postgresMicros: number;
}

export interface Sent {
  requests: Request[];
  seconds: number;
  status?: 304;
}

export async function measure(
  setting: Setting,
  server: Running,
  { requests, seconds, status }: Sent,
): Promise<Measured> {
  const requestsFile = join(setting.dataDir, 'requests.json');
  const { pathname } = new URL(server.url);
  const base = pathname === '/' ? '' : pathname;
  await writeFile(requestsFile, JSON.stringify(requests.map((one) => ({ ...one, path: `${base}${one.path}` }))));
  const read = async () => [await cpuMilliseconds(server.pid), await postgresMilliseconds(setting.db)] as const;
  const [serverBefore, postgresBefore] = await read();
  const result: LoadResult = await load({
    url: server.url,
    connections,
    seconds,
    requestsFile,
    ...(status && { status }),
  });
  const [serverAfter, postgresAfter] = await read();
  return {
    perSecond: result.perSecond,
    serverMicros: ((serverAfter - serverBefore) * 1_000) / result.sent,
    postgresMicros: ((postgresAfter - postgresBefore) * 1_000) / result.sent,
  };
}

async function findValidator(server: Running, { path, headers }: Request): Promise<string> {
  const response = await fetch(`${server.url}${path}`, { headers });
  await response.arrayBuffer();
  const etag = response.headers.get('etag');
  if (etag === null) throw new Error(`${path} has no ETag.`);
  return etag;
}

/** Sends each request once and adds the validator of its response. */
export const addValidators = (server: Running, requests: Request[]): Promise<Request[]> =>
  Promise.all(
    requests.map(async (request) => ({
      ...request,
      headers: { ...request.headers, 'if-none-match': await findValidator(server, request) },
    })),
  );

/** Returns the median of each figure. */
export const middle = (measured: Measured[]): Measured => ({
  perSecond: median(measured.map(({ perSecond }) => perSecond)),
  serverMicros: median(measured.map(({ serverMicros }) => serverMicros)),
  postgresMicros: median(measured.map(({ postgresMicros }) => postgresMicros)),
});
