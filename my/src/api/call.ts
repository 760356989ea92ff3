import type { Message } from '../../../src/domain/messages/message.ts';
import type { PortalProblem } from '../../../src/platform/http/portal/schemas.ts';

/** A problem response of the service (RFC 9457). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  /** What happened, for rendering in the reader's language. */
  readonly explanation: Message | undefined;
  /** How many seconds to wait before another try. */
  readonly retryAfter: number | undefined;

  constructor(response: Response, body: Partial<PortalProblem>) {
    super(body.detail ?? `HTTP ${response.status}`);
    this.status = response.status;
    this.code = body.code ?? 'unknown';
    this.explanation = body.message;
    const seconds = Number(response.headers.get('retry-after'));
    this.retryAfter = seconds > 0 ? seconds : undefined;
  }
}

/** Whether the session has ended, as opposed to a request that failed. */
export const isSignedOut = (error: unknown) => error instanceof ApiProblem && error.code === 'not-signed-in';

/** Whether the service was not reached at all. */
export const isOffline = (error: unknown) => !(error instanceof ApiProblem);

export interface Answer<T> {
  data: T;
  /** When the service sent it, on its host's clock. */
  sentAt: number;
}

/** Returns the address of an operation, such as of a file. */
export const pathTo = (path: string) => `/my/api${path}`;

const timeoutMillis = 20_000;

/** Calls the service. Throws an `ApiProblem` if it refuses, and another error if it cannot be reached. */
export async function call<T>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Answer<T>> {
  const response = await fetch(pathTo(path), {
    method,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    cache: 'no-store',
    ...(AbortSignal.timeout === undefined ? {} : { signal: AbortSignal.timeout(timeoutMillis) }),
  });
  const text = await response.text();
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
  const parsed = isJson && text !== '' ? JSON.parse(text) : {};
  if (!response.ok) throw new ApiProblem(response, parsed);
  const date = Date.parse(response.headers.get('date') ?? '');
  return { data: parsed.data, sentAt: Number.isNaN(date) ? Date.now() : date };
}

export const get = async <T>(path: string) => (await call<T>('GET', path)).data;
export const post = async <T = void>(path: string, body?: unknown) => (await call<T>('POST', path, body)).data;
export const remove = async (path: string) => void (await call('DELETE', path));
