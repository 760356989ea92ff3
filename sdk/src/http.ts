import { ApiError, ConnectionError, isTransient, readError } from './errors.ts';
import { readItems } from './json-items.ts';
import type { Settings } from './options.ts';
import { sleep } from './sleep.ts';
import { TimeLimit } from './time-limit.ts';

export interface RequestOptions {
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal | undefined;
  /** Whether the request may be sent twice. Default: true for GET and with an `idempotencyKey`, false for everything else. */
  isIdempotent?: boolean | undefined;
  /** Sent as `Idempotency-Key`, for operations that accept it: however often the request is sent, it has one effect. */
  idempotencyKey?: string | undefined;
}

interface Exchange {
  response: Response;
  limit: TimeLimit;
}

/** Returns the query as text. Lists repeat their name, and what is undefined is left out. */
function writeQuery(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/**
 * Keeps browsers from opening their own sign-in dialog when the key is wrong, and from sending cookies. Only for pages:
 * some runtimes refuse the option.
 */
const browserOptions: RequestInit = 'document' in globalThis ? { credentials: 'omit' } : {};

/** Doubles from a quarter of a second up to 8 s. The actual delay is random, so that clients do not return all at once. */
const backoff = (attempt: number) => Math.random() * Math.min(8000, 250 * 2 ** attempt);

/** Returns how long to wait before the next attempt. What the service wants comes first, plus up to a tenth. */
function delayAfter(error: unknown, attempt: number): number {
  const wanted = error instanceof ApiError ? error.retryAfterMs : undefined;
  return wanted === undefined ? backoff(attempt) : wanted * (1 + Math.random() / 10) + Math.random() * 250;
}

/** Sends requests, and repeats those that may be repeated. */
export class HttpClient {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Returns the parsed body. A body that breaks off or does not arrive in time counts as a failed attempt. */
  json<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    return this.#repeat(method, options, async () => {
      const { response, limit } = await this.#begin(method, path, options);
      try {
        return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
      } catch (error) {
        limit.throwIfAborted();
        const what = limit.isExpired ? `was not complete after ${limit.ms} ms` : 'broke off, or was no JSON';
        throw new ConnectionError(`The response ${what}.`, { cause: error });
      } finally {
        limit.stop();
      }
    });
  }

  /** Returns the response as soon as it begins, so that the caller reads its body. Then only `signal` ends it. */
  async stream(path: string, options: RequestOptions = {}): Promise<Response> {
    const { response, limit } = await this.#repeat('GET', options, () => this.#begin('GET', path, options));
    limit.stop();
    return response;
  }

  /** Yields the objects of a list while they arrive. Each piece of the response has the whole time limit. */
  async *items<T>(path: string, options: RequestOptions = {}): AsyncGenerator<T, void, undefined> {
    const { response, limit } = await this.#repeat('GET', options, () => this.#begin('GET', path, options));
    limit.stop();
    if (response.body !== null) yield* readItems<T>(response.body, limit);
  }

  async #repeat<T>(
    method: string,
    { signal, idempotencyKey, isIdempotent = method === 'GET' || idempotencyKey !== undefined }: RequestOptions,
    send: () => Promise<T>,
  ): Promise<T> {
    const { retries, budgetMs } = this.#settings;
    const deadline = performance.now() + budgetMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await send();
      } catch (error) {
        const mayRepeat = isIdempotent && isTransient(error);
        const delay = delayAfter(error, attempt);
        if (!mayRepeat || attempt >= retries || performance.now() + delay > deadline) throw error;
        await sleep(delay, signal);
      }
    }
  }

  /** Returns a response that is a success, as soon as its headers have arrived. Its time limit still runs. */
  async #begin(
    method: string,
    path: string,
    { query = {}, body, idempotencyKey, signal }: RequestOptions,
  ): Promise<Exchange> {
    const { authorization, baseUrl, timeoutMs } = this.#settings;
    const url = `${baseUrl}${path}${writeQuery(query)}`;
    const headers: Record<string, string> = { authorization, accept: 'application/json, */*;q=0.5' };
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    const init: RequestInit = { ...browserOptions, method, headers, redirect: 'manual' };
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      init.body = typeof body === 'string' ? body : JSON.stringify(body);
    }
    const limit = new TimeLimit(timeoutMs, signal);
    limit.throwIfAborted();
    limit.start();
    try {
      const response = await this.#fetch(url, init, limit);
      if (response.status >= 300 || response.status < 200) throw await readError(response);
      return { response, limit };
    } catch (error) {
      limit.stop();
      throw error;
    }
  }

  async #fetch(url: string, init: RequestInit, limit: TimeLimit): Promise<Response> {
    try {
      return await this.#settings.fetch(url, { ...init, signal: limit.signal });
    } catch (error) {
      limit.throwIfAborted();
      const what = limit.isExpired ? `no response within ${limit.ms} ms` : describeCause(error);
      throw new ConnectionError(`${new URL(url).origin} could not be reached: ${what}.`, { cause: error });
    }
  }
}

/** Returns why a connection failed. `fetch` itself says nothing about it. */
function describeCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  const { code } = cause as { code?: string };
  return cause.message || code || cause.name;
}
