import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request exactly as it is sent. The path is not normalised, as `fetch` would do. */
export interface HttpRequest {
  /** The process to send it to, if it is not the usual one of the client. */
  origin?: string;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | object;
}

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

export interface Exchange extends HttpResponse {
  /** `no response`: not even the beginning of one arrived. `refused`: nobody listens. */
  ending: 'complete' | 'cut off' | 'no response' | 'refused';
  error: unknown;
  /** When the head was sent, by `performance.now()`. Infinite if it never was. */
  headSentAt: number;
  isReusedConnection: boolean;
}

interface ExchangeOptions {
  isAlone?: boolean;
  /** Sends the body in pieces with pauses between them, so that faults sometimes interrupt it. */
  pieces?: { bytes: number; pauseMs: number };
  /** Pauses after every few pieces of the response, so that faults sometimes interrupt it. */
  slowRead?: boolean;
  timeoutMs?: number;
}

async function write(sent: ClientRequest, body: Buffer, noteHead: () => void, pieces: ExchangeOptions['pieces']) {
  const size = pieces?.bytes ?? Number.POSITIVE_INFINITY;
  for (let from = 0; from === 0 || (from < body.length && !sent.destroyed); from += size) {
    if (from > 0 && pieces) await sleep(pieces.pauseMs);
    sent.write(body.subarray(from, from + size), from === 0 ? noteHead : undefined);
  }
  sent.end();
}

async function receive(sent: ClientRequest, slowRead: boolean) {
  let head: HttpResponse = { status: 0, headers: {}, bytes: Buffer.alloc(0) };
  try {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    head = { ...head, status: response.statusCode ?? 0, headers: response.headers };
    const chunks: Buffer[] = [];
    for await (const chunk of response) if (chunks.push(chunk) % 4 === 0 && slowRead) await sleep(5);
    return { ...head, bytes: Buffer.concat(chunks), ending: response.complete ? 'complete' : 'cut off' } as const;
  } catch (error) {
    const isRefused = error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED';
    return { ...head, ending: head.status > 0 ? 'cut off' : isRefused ? 'refused' : 'no response', error } as const;
  }
}

const maxTries = 20;

/** Sends requests over at most this many persistent connections. */
export class HttpClient {
  repeated = 0;
  readonly origin: string;
  readonly #agent: Agent;

  constructor(url: string, connections = Number.POSITIVE_INFINITY) {
    this.origin = new URL(url).origin;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Sends one request and reports how it ended. Never rejects. */
  async exchange(request: HttpRequest, options: ExchangeOptions = {}): Promise<Exchange> {
    const { origin = this.origin, method = 'GET', path, body } = request;
    const { isAlone, pieces, slowRead = false, timeoutMs } = options;
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const bytes = body === undefined ? undefined : Buffer.from(isRaw ? body : JSON.stringify(body));
    const headers = {
      ...(isRaw ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
      // Without its length, Node would send the body of a GET in chunks.
      ...(bytes && { 'content-length': String(bytes.length) }),
    };
    const signal = timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) };
    const sent = httpRequest(origin, { agent: isAlone ? false : this.#agent, method, path, headers, ...signal });
    sent.on('error', () => {});
    let headSentAt = Number.POSITIVE_INFINITY;
    const noteHead = () => {
      headSentAt = performance.now();
    };
    const writing = bytes === undefined ? sent.end(noteHead) : write(sent, bytes, noteHead, pieces);
    const [received] = await Promise.all([receive(sent, slowRead), writing]);
    return { error: undefined, ...received, headSentAt, isReusedConnection: sent.reusedSocket };
  }

  /** Repeats a request whose persistent connection closed at the moment it was reused. That is no fault of the request. */
  async exchangeAgain(request: HttpRequest, options: ExchangeOptions = {}): Promise<Exchange> {
    const result = await this.exchange(request, options);
    const isClosed = result.ending === 'no response' && result.isReusedConnection;
    return isClosed ? this.exchangeAgain(request, options) : result;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    const { ending, error, ...response } = await this.exchangeAgain(request);
    if (ending === 'complete') return response;
    throw new Error(`${request.method ?? 'GET'} ${request.path}: ${ending}`, { cause: error });
  }

  /** Repeats the request after 503: the machine is too busy. A 503 that the request itself causes occurs again. */
  async sendPatiently(request: HttpRequest): Promise<HttpResponse> {
    let response = await this.send(request);
    for (let tries = 1; response.status === 503 && tries < maxTries; tries++) {
      this.repeated += 1;
      await sleep(Math.min(tries * 250, 1_000));
      response = await this.send(request);
    }
    return response;
  }
}

/** Returns whether the service says, as documented, that it is unavailable and when to come again. */
export const isProperRefusal = ({ status, headers, bytes, ending }: Exchange) =>
  status === 503 &&
  ending === 'complete' &&
  headers['content-type']?.startsWith('application/problem+json') === true &&
  /^[1-9]\d*$/.test(headers['retry-after'] ?? '') &&
  bytes.includes('"code":"unavailable"');

export function readJson<T>({ headers, bytes }: HttpResponse): T | undefined {
  return /[/+]json/.test(headers['content-type'] ?? '') && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined;
}

/** Returns `name=value` of each cookie that a response sets, ready to be sent back. */
export const readCookies = ({ headers }: HttpResponse) =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ');

export function portalRequest(origin: string, path: string, body?: object | string, cookie = '') {
  const headers = { origin, ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) };
  return { origin, path: `/portal/api${path}`, headers, ...(body && { method: 'POST', body }) };
}

export const signInRequest = (origin: string, { email, password }: { email: string; password: string }) =>
  portalRequest(origin, '/auth/sign-in/email', { email, password });

export async function runConcurrently<T>(items: T[], concurrency: number, work: (item: T) => Promise<void>) {
  const left = items.values();
  const lane = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

const lastChunk = '\r\n0\r\n\r\n';

/** Finds the response that begins here, in the bytes of a connection with one character per byte. Returns undefined if there is none, or if it is not complete yet. */
export function readResponse(received: string, at = 0) {
  const headEnd = received.indexOf('\r\n\r\n', at) + 4;
  const head = received.slice(at, headEnd);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (headEnd < 4 || Number.isNaN(status)) return undefined;
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  let end = headEnd + Number(status < 200 || status === 204 ? 0 : length);
  if (/\r\ntransfer-encoding: chunked/i.test(head)) {
    const last = received.indexOf(lastChunk, headEnd - 2);
    end = last < 0 ? Number.NaN : last + lastChunk.length;
  }
  return end <= received.length ? { status, head, end } : undefined;
}
