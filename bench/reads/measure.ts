import type { LoadProcess } from '../../harness/load.ts';
import { cpuMilliseconds, median, postgresMilliseconds } from '../../harness/observe.ts';
import { load, type Request, type Running } from '../processes/index.ts';
import type { Setting } from '../setting.ts';

const connections = 32;

/** What one server does under one load. */
export interface Measured {
  perSecond: number;
  /** Processor time of one request in the server and in PostgreSQL, in microseconds. */
  serverMicros: number;
  postgresMicros: number;
}

export interface ReadsSetting extends Setting {
  peer: Running;
  /** One process for all loads, so that its code is compiled. */
  generator: LoadProcess;
}

export interface Sent {
  requests: Request[];
  seconds: number;
  status?: 304;
  isSentOnce?: true;
}

export async function measure(setting: ReadsSetting, server: Running, { requests, ...rest }: Sent): Promise<Measured> {
  const read = async () => [await cpuMilliseconds(server.pid), await postgresMilliseconds(setting.db)] as const;
  const [serverBefore, postgresBefore] = await read();
  const { perSecond, sent } = await load(setting.generator, server.url, requests, { connections, ...rest });
  const [serverAfter, postgresAfter] = await read();
  return {
    perSecond,
    serverMicros: ((serverAfter - serverBefore) * 1_000) / sent,
    postgresMicros: ((postgresAfter - postgresBefore) * 1_000) / sent,
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

/** Returns the best rate, since other work of the machine can only lower it, and the medians of the times. */
export const summarize = (measured: Measured[]): Measured => ({
  perSecond: Math.max(...measured.map(({ perSecond }) => perSecond)),
  serverMicros: median(measured.map(({ serverMicros }) => serverMicros)),
  postgresMicros: median(measured.map(({ postgresMicros }) => postgresMicros)),
});
