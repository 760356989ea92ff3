import { setTimeout as sleep } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { createMessage, type Message } from '../../../domain/messages/message.ts';
import { JsonLimitError, type JsonLimits, parseForeignJson } from '../../../platform/http/json-limits.ts';
import { AddressNotAllowedError, type AddressRules } from '../../../platform/outgoing/addresses.ts';
import { createConnect, undici } from '../../../platform/outgoing/dispatcher.ts';
import type { AttributeValue } from '../rules/map-record.ts';
import { ConnectorError, type OnExchange } from './connector.ts';

/** Requests JSON from an HR system: repeats what may be repeated, waits as asked, and refuses what is not JSON. */
export interface HttpClient {
  request(request: JsonRequest): Promise<JsonResponse>;
  close(): Promise<void>;
}

export interface JsonRequest {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface JsonResponse {
  status: number;
  /** Undefined if there is none, or if it is not JSON. Always JSON with a status of success. */
  body: unknown;
  /** The header `Link`. */
  link?: string | undefined;
}

interface HttpClientOptions {
  title: string;
  origin: string;
  signal: AbortSignal;
  retryDelayMillis?: number | undefined;
  /** Of an origin that a company has chosen. Absent: it is fixed. */
  rules?: AddressRules;
  onExchange?: OnExchange | undefined;
}

const maxAttempts = 5;
const defaultRetryDelayMillis = 500;
/** Personio's limit names no time and counts per minute. The delays 1, 2, 4 … 32 s are longer together. */
const maxLimitedAttempts = 7;
const defaultLimitedDelayMillis = 1_000;
/** A longer wait would block a worker: the pull fails, and is repeated when the HR system allows it. */
const maxWaitMillis = 90_000;
export const maxResponseBytes = 64 * 1024 * 1024;
const poolOptions = {
  connections: 4,
  connect: { timeout: 10_000 },
  headersTimeout: 30_000,
  bodyTimeout: 30_000,
  maxResponseSize: maxResponseBytes,
};
/** Enough for 50,000 employees in one response. */
export const responseLimits: JsonLimits = { maxDepth: 64, maxMembers: 10_000, maxValues: 2_000_000 };

type Headers = Dispatcher.ResponseData['headers'];

const headerOf = (headers: Headers, name: string) => [headers[name]].flat()[0];

/** Returns how long `Retry-After` asks to wait: seconds, or a date. */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headerOf(headers, 'retry-after')?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Returns when the next request is allowed, if the headers say that none is left. */
function readPause(headers: Headers): number {
  if (headerOf(headers, 'x-ratelimit-remaining')?.trim() !== '0') return 0;
  const reset = Number(headerOf(headers, 'x-ratelimit-reset'));
  if (!Number.isFinite(reset)) return 0;
  // Some send seconds from now, others seconds since 1970.
  return reset > 1_000_000_000 ? reset * 1000 - Date.now() : reset * 1000;
}

const isJson = (headers: Headers) =>
  /^application\/(?:[\w.-]+\+)?json\b/i.test(headerOf(headers, 'content-type') ?? '');
const isRepeatable = (status: number) => status === 429 || (status >= 500 && status !== 501 && status !== 505);

/** The outcome of one attempt: a response, or why another attempt may help. */
type Attempt = JsonResponse | { failure: ConnectorError; waitMillis: number | undefined };

export function createHttpClient({
  title: system,
  origin,
  signal,
  retryDelayMillis,
  rules,
  onExchange,
}: HttpClientOptions): HttpClient {
  const connect = rules && createConnect({ ...rules, connectMillis: poolOptions.connect.timeout });
  const { Pool } = undici();
  const pool = new Pool(origin, { ...poolOptions, ...(connect ? { connect } : {}) });
  const firstDelay = retryDelayMillis ?? defaultRetryDelayMillis;
  const firstLimitedDelay = retryDelayMillis ?? defaultLimitedDelayMillis;
  let pausedUntil = 0;

  const unreachable = (error: unknown) => {
    const { code, name } = error as { code?: string; name?: string };
    const message = createMessage('connector-unreachable', { system, error: code ?? name ?? 'unknown error' });
    return new ConnectorError('unreachable', message);
  };

  async function wait(millis: number): Promise<void> {
    if (millis <= 0) return;
    if (millis > maxWaitMillis) {
      const minutes = Math.ceil(millis / 60_000);
      const message = createMessage('connector-next-request', { system, minutes });
      throw new ConnectorError('rate-limited', message, millis);
    }
    await sleep(millis, undefined, { signal });
  }

  function refuse(status: number, headers: Headers): Attempt {
    const waitMillis = readRetryAfter(headers);
    const isLimited = status === 429 || (status === 503 && waitMillis !== undefined);
    const message = createMessage(isLimited ? 'connector-limited' : 'connector-error-status', { system, status });
    return { failure: new ConnectorError(isLimited ? 'rate-limited' : 'unreachable', message, waitMillis), waitMillis };
  }

  async function attempt({ method, path, headers, body }: JsonRequest): Promise<Attempt> {
    const sent = { method, origin, path, requestBody: body };
    try {
      const options = { method, path, headers: { accept: 'application/json', ...headers }, body: body ?? null, signal };
      const response = await pool.request(options);
      pausedUntil = Date.now() + readPause(response.headers);
      const bytes = new Uint8Array(await response.body.arrayBuffer());
      onExchange?.({ ...sent, response: { status: response.statusCode, headers: response.headers, bytes } });
      if (isRepeatable(response.statusCode)) return refuse(response.statusCode, response.headers);
      return readBody(response, bytes);
    } catch (error) {
      if (signal.aborted || error instanceof ConnectorError) throw error;
      if (error instanceof AddressNotAllowedError) {
        throw new ConnectorError('unreachable', createMessage('sftp-private', { host: new URL(origin).hostname }));
      }
      onExchange?.({ ...sent, response: null });
      return { failure: unreachable(error), waitMillis: undefined };
    }
  }

  function readBody({ statusCode: status, headers }: Dispatcher.ResponseData, bytes: Uint8Array): Attempt {
    const isSuccess = status >= 200 && status < 300;
    if (status >= 300 && status < 400) throw unexpected(createMessage('connector-redirect', { system, status }));
    if (!isJson(headers)) {
      if (isSuccess) throw unexpected(describeType(headerOf(headers, 'content-type')));
      return { status, body: undefined };
    }
    try {
      return { status, body: parseForeignJson(bytes, responseLimits), link: headerOf(headers, 'link') };
    } catch (error) {
      if (!isSuccess) return { status, body: undefined };
      if (error instanceof JsonLimitError) throw unexpected(createMessage('connector-oversized-json', { system }));
      const failure = unexpected(createMessage('connector-damaged-json', { system }));
      return { failure, waitMillis: undefined };
    }
  }

  const describeType = (type: string | undefined) =>
    type === undefined
      ? createMessage('connector-no-type', { system })
      : createMessage('connector-not-json', { system, type: type.slice(0, 160) });

  const unexpected = (message: Message) => new ConnectorError('unexpected-response', message);

  async function request(given: JsonRequest): Promise<JsonResponse> {
    for (let attempts = 1; ; attempts++) {
      signal.throwIfAborted();
      await wait(pausedUntil - Date.now());
      const result = await attempt(given);
      if (!('failure' in result)) return result;
      const isLimited = result.failure.code === 'rate-limited';
      if (attempts >= (isLimited ? maxLimitedAttempts : maxAttempts)) throw result.failure;
      await wait(result.waitMillis ?? (isLimited ? firstLimitedDelay : firstDelay) * 2 ** (attempts - 1));
    }
  }

  return { request, close: () => pool.destroy() };
}

/** Reads what an HR system sends, without trusting its shape. */

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const valueAt = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isRecord(inner) ? inner[name] : undefined), value);

export const textAt = (value: unknown, ...path: string[]): string | undefined => {
  const found = valueAt(value, ...path);
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
};

/** Returns a value that rules can compare. Of an object, such as a department, that is its name. */
export function toAttributeValue(value: unknown): AttributeValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map((one) => toAttributeValue(one)).join(', ') || null;
  return textAt(value, 'attributes', 'name') ?? textAt(value, 'name') ?? textAt(value, 'value') ?? null;
}
