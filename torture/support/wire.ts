import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const maxTries = 8;

/** A request exactly as it is sent. The path is not normalised, as `fetch` would do. */
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
  /** The bytes parsed as JSON. Undefined if they are not JSON. */
  body: unknown;
}

function readJson({ 'content-type': type }: IncomingHttpHeaders, bytes: Buffer): unknown {
  return type?.includes('json') && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
}

/** Sends requests over at most this many keep-alive connections. */
export function openWire(url: string, connections: number) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let busy = 0;

  const attempt = ({ method, path, headers: given, body }: WireRequest) => {
    // Without this header, Node would send the body of a GET without its length.
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
    // A keep-alive connection may close at the moment it is reused. That is no fault of the request.
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
    /**
     * Repeats the request after 503, which means that the machine is too busy to respond in time. A 503 that the
     * request itself causes occurs again.
     */
    async insist(request: WireRequest): Promise<WireAnswer> {
      let answer = await send(request);
      for (let tries = 1; answer.status === 503 && tries < maxTries; tries++) {
        busy += 1;
        await sleep(tries * 250);
        answer = await send(request);
      }
      return answer;
    },
    /** How many requests were repeated because of 503. */
    busy: () => busy,
    close: () => agent.destroy(),
  };
}

export type Wire = ReturnType<typeof openWire>;

/** Runs the work for all numbers below `count`, at most `lanes` at a time. */
export async function inParallel(count: number, lanes: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
