import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const maxTries = 8;

/** A request as it goes over the wire: nothing of its path is put right on the way, as `fetch` would. */
export interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

export interface WireAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** What the bytes are as JSON; undefined where they are something else. */
  body: unknown;
}

function readJson({ 'content-type': type }: IncomingHttpHeaders, bytes: Buffer): unknown {
  return type?.includes('json') && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
}

/** Sends over connections that are kept, so many at most. */
export function openWire(url: string, connections: number) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let busy = 0;

  const attempt = ({ method, path, headers: given, body }: WireRequest) => {
    // Node would send the body of a GET without saying how long it is.
    const headers = body === undefined ? given : { ...given, 'content-length': String(Buffer.byteLength(body)) };
    const { promise, resolve, reject } = Promise.withResolvers<WireAnswer | 'again'>();
    const request = httpRequest({ agent, hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        try {
          const { statusCode = 0, headers: answered } = response;
          resolve({ status: statusCode, headers: answered, bytes, body: readJson(answered, bytes) });
        } catch (error) {
          reject(error);
        }
      });
    });
    // A kept connection may be closed at the very moment at which it is used again; that says nothing about the request.
    request.on('error', (error) => (request.reusedSocket ? resolve('again') : reject(error)));
    request.end(body);
    return promise;
  };

  async function send(request: WireRequest): Promise<WireAnswer> {
    for (;;) {
      const answer = await attempt(request);
      if (answer !== 'again') return answer;
    }
  }

  return {
    send,
    /** 503 says that the machine is too busy to answer in time. Whatever a request itself causes, it causes again. */
    async insist(request: WireRequest): Promise<WireAnswer> {
      let answer = await send(request);
      for (let tries = 1; answer.status === 503 && tries < maxTries; tries++) {
        busy += 1;
        await sleep(tries * 250);
        answer = await send(request);
      }
      return answer;
    },
    /** How often 503 was answered and the request sent again. */
    busy: () => busy,
    close: () => agent.destroy(),
  };
}

export type Wire = ReturnType<typeof openWire>;

/** All the numbers below `count`, so many under way at a time. */
export async function inParallel(count: number, lanes: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
