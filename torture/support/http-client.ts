import { Agent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request exactly as it is sent. The path is not normalised, as `fetch` would do. */
export interface HttpRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: string | Uint8Array | object;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** How an exchange ended. `no response`: not even the beginning of one arrived. `refused`: nobody listens. */
export type Ending = 'complete' | 'cut off' | 'no response' | 'refused';

export interface Exchange extends HttpResponse {
  ending: Ending;
  /** When the head was sent, by `performance.now()`. Infinite if it never was. */
  headSentAt: number;
  error: unknown;
  isReusedConnection: boolean;
}

interface ExchangeOptions {
  agent: Agent | false;
  /** Sends the body in pieces with pauses between them, so that faults sometimes interrupt it. */
  pieces?: { bytes: number; pauseMs: number };
  /** Pauses after every few pieces of the response, so that faults sometimes interrupt it. */
  slowRead?: boolean;
  timeoutMs?: number;
}

function prepare({ headers = {}, body }: HttpRequest) {
  if (body === undefined) return { headers, bytes: undefined };
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = Buffer.from(isRaw ? body : JSON.stringify(body));
  const type: Record<string, string> = isRaw ? {} : { 'content-type': 'application/json' };
  // Without its length, Node would send the body of a GET in chunks.
  return { headers: { ...type, ...headers, 'content-length': String(bytes.length) }, bytes };
}

async function readBody(response: IncomingMessage, slowRead: boolean): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) if (chunks.push(chunk) % 4 === 0 && slowRead) await sleep(5);
  return Buffer.concat(chunks);
}

/** Sends one request and reports how it ended. Never rejects. */
export async function exchange(origin: string, request: HttpRequest, options: ExchangeOptions): Promise<Exchange> {
  const { agent, pieces, slowRead = false, timeoutMs } = options;
  const { hostname, port } = new URL(origin);
  const { headers, bytes } = prepare(request);
  const { method = 'GET', path } = request;
  const signal = timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) };
  let headSentAt = Number.POSITIVE_INFINITY;
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const sent = httpRequest({ agent, hostname, port, method, path, headers, ...signal });
  const end = (ending: Ending, response: HttpResponse, error: unknown = undefined) =>
    resolve({ ending, ...response, headSentAt, error, isReusedConnection: sent.reusedSocket });
  sent.on('response', async (response) => {
    const head = { status: response.statusCode ?? 0, headers: response.headers };
    try {
      const body = await readBody(response, slowRead);
      end(response.complete ? 'complete' : 'cut off', { ...head, bytes: body });
    } catch (error) {
      end('cut off', { ...head, bytes: Buffer.alloc(0) }, error);
    }
  });
  sent.on('error', (error: NodeJS.ErrnoException) => {
    const nothing = { status: 0, headers: {}, bytes: Buffer.alloc(0) };
    end(error.code === 'ECONNREFUSED' ? 'refused' : 'no response', nothing, error);
  });
  const noteHead = () => {
    headSentAt = performance.now();
  };
  if (bytes === undefined) sent.end(noteHead);
  else {
    const size = pieces?.bytes ?? Math.max(1, bytes.length);
    for (let from = 0; from === 0 || (from < bytes.length && !sent.destroyed); from += size) {
      if (from > 0 && pieces) await sleep(pieces.pauseMs);
      sent.write(bytes.subarray(from, from + size), from === 0 ? noteHead : undefined);
    }
    sent.end();
  }
  return promise;
}

const maxTries = 8;

/** Sends requests over at most this many persistent connections. */
export class HttpClient {
  /** How many requests were repeated because of 503. */
  repeated = 0;
  readonly origin: string;
  readonly #agent: Agent;

  constructor(url: string, connections = Number.POSITIVE_INFINITY) {
    this.origin = new URL(url).origin;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  exchange(request: HttpRequest, options: Omit<ExchangeOptions, 'agent'> = {}): Promise<Exchange> {
    return exchange(this.origin, request, { agent: this.#agent, ...options });
  }

  /** Rejects unless the response is complete. */
  async send(request: HttpRequest): Promise<HttpResponse> {
    for (;;) {
      const { ending, error, isReusedConnection, ...response } = await this.exchange(request);
      if (ending === 'complete') return response;
      // A persistent connection may close at the moment it is reused. That is no fault of the request.
      if (ending === 'no response' && isReusedConnection) continue;
      throw new Error(`${request.method ?? 'GET'} ${request.path}: ${ending}`, { cause: error });
    }
  }

  /**
   * Repeats the request after 503, which means that the machine is too busy to respond in time. A 503 that the request
   * itself causes occurs again.
   */
  async sendPatiently(request: HttpRequest): Promise<HttpResponse> {
    let response = await this.send(request);
    for (let tries = 1; response.status === 503 && tries < maxTries; tries++) {
      this.repeated += 1;
      await sleep(tries * 250);
      response = await this.send(request);
    }
    return response;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Parses a JSON response. Returns undefined if the response is not JSON. */
export function readJson<T>({ headers, bytes }: HttpResponse): T | undefined {
  return headers['content-type']?.includes('json') && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
}

/** Returns `name=value` of each cookie that a response sets, ready to be sent back. */
export const readCookies = ({ headers }: HttpResponse) =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');

/** Runs the work for all numbers below `count`, at most `concurrency` at a time. */
export async function runConcurrently(count: number, concurrency: number, work: (number: number) => Promise<void>) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}
