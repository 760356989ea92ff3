import { once } from 'node:events';
import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/operator/demo/random.ts';
import type { TestUser } from '../../test/support/portal.ts';

/** A request exactly as it is sent. The path is not normalised, as `fetch` would do. */
export interface HttpRequest {
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

export class HttpClient {
  repeated = 0;
  readonly origin: string;
  readonly #agent: Agent;

  constructor(url: string, connections = Number.POSITIVE_INFINITY) {
    this.origin = new URL(url).origin;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

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

export interface RecordedResponse extends HttpResponse {
  /** The request without anything that may be secret, and the status. */
  description: string;
  text: string;
  body: string;
  shows: Set<string>;
}

export class RecordingClient extends HttpClient {
  readonly responses: RecordedResponse[] = [];

  async record(path: string, request: Omit<HttpRequest, 'path'> = {}): Promise<RecordedResponse> {
    const response = await this.send({ path, ...request });
    const body = response.bytes.toString();
    const head = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`);
    // An address may contain a secret, so the description has only its beginning.
    const place = path.split('?')[0]?.split('/').slice(0, 4).join('/');
    const description = `${request.method ?? 'GET'} ${place} returned ${response.status}`;
    const text = `${head.join('\n')}\n\n${body}`;
    const recorded = { ...response, description, body, text, shows: new Set<string>() };
    this.responses.push(recorded);
    return recorded;
  }

  portal(path: string, body?: object | string, cookie = '', more: HttpRequest['headers'] = {}) {
    const { path: whole, headers, ...request } = portalRequest(this.origin, path, body, cookie);
    return this.record(whole, { ...request, headers: { ...headers, ...more } });
  }
}

export function readData<T>({ description, body }: RecordedResponse): T {
  if (!body.startsWith('{"data"')) throw new Error(`${description}: ${body}`);
  return JSON.parse(body).data as T;
}

export interface CheckedRequest extends HttpRequest {
  status?: number;
}

/** Signals a failed request that was already recorded, so the caller continues with something else. */
export class Fault extends Error {}

export class CheckingClient extends HttpClient {
  sent = 0;
  readonly faults: string[] = [];
  readonly #isPatient: boolean;

  /** `isPatient`: repeats requests after 503. This is for a machine that also does other work. */
  constructor(url: string, isPatient: boolean) {
    super(url);
    this.#isPatient = isPatient;
  }

  fault(text: string): Fault {
    this.faults.push(text);
    return new Fault(text);
  }

  async check({ status = 200, ...request }: CheckedRequest): Promise<HttpResponse> {
    this.sent += 1;
    const sending = this.#isPatient ? this.sendPatiently(request) : this.send(request);
    const response = await sending.catch((error: Error) => {
      throw this.fault(`${error.message} (${error.cause})`);
    });
    if (response.status === status) return response;
    const name = `${request.method ?? 'GET'} ${request.path}`;
    throw this.fault(`${name} returned ${response.status}: ${response.bytes.subarray(0, 300)}`);
  }

  async readData<T>(request: CheckedRequest): Promise<T> {
    return JSON.parse((await this.check(request)).bytes.toString()).data as T;
  }

  async abandon({ origin = this.origin, path, headers = {} }: HttpRequest): Promise<void> {
    this.sent += 1;
    const left = new AbortController();
    const response = await fetch(`${origin}${path}`, { headers, signal: left.signal });
    await response.body?.getReader().read();
    left.abort();
    if (response.status === 200 || (this.#isPatient && response.status === 503)) return;
    throw this.fault(`GET ${path} returned ${response.status}.`);
  }
}

export class PortalVisitor {
  readonly #client: CheckingClient;
  readonly #user: TestUser;
  #origin: string;
  #cookie = '';

  constructor(client: CheckingClient, origin: string, user: TestUser) {
    this.#client = client;
    this.#origin = origin;
    this.#user = user;
  }

  connect(origin: string): void {
    this.#origin = origin;
  }

  #request = (path: string, body?: object) => portalRequest(this.#origin, path, body, this.#cookie);

  async signIn(): Promise<void> {
    const request = signInRequest(this.#origin, this.#user);
    this.#cookie = readCookies(await this.#client.check({ ...request, status: 204 }));
  }

  async signOut(): Promise<void> {
    await this.#client.check({ ...this.#request('/auth/sign-out', {}), status: 204 });
    await this.#client.check({ ...this.#request('/me'), status: 401 });
    this.#cookie = '';
  }

  get<T>(path: string): Promise<T> {
    return this.#client.readData(this.#request(path));
  }

  async today(): Promise<Temporal.PlainDate> {
    return Temporal.PlainDate.from((await this.get<{ today: string }>('/me')).today);
  }

  async travelTo(day: Temporal.PlainDate): Promise<void> {
    const { companies } = await this.get<{ companies: unknown[] }>('/time-travel');
    await this.#client.check(this.#request('/time-travel', { to: day.toString(), confirm: companies.length }));
  }

  async visit(integrationId: number, period: string, random: Random): Promise<void> {
    await this.signIn();
    const syncs = `/integrations/${integrationId}/syncs`;
    const billing = [`/billing/${period}/items?perPage=20`, `/payroll/${period}`];
    const pages = ['/me', '/overview', '/keys', '/users', '/activity', '/integrations', '/billing', ...billing];
    for (const path of pages) await this.get(path);
    const employees = await this.get<{ data: { id: number }[] }>(`/employees?page=${random.int(1, 3)}&perPage=20`);
    if (employees.data.length > 0) await this.get(`/employees/${random.pick(employees.data).id}`);
    const { data } = await this.get<{ data: { syncId: string }[] }>(syncs);
    if (data.length > 0) await this.get(`${syncs}/${random.pick(data).syncId}/records`);
    await this.get('/payroll/exports');
    await this.signOut();
  }
}
