import { TransitBenefitsError } from './errors.ts';

export interface RetryOptions {
  /** How often a request is repeated at most. 0: never. Default 5. */
  retries?: number | undefined;
  /** How long one call may take for its repetitions. The default, 90 s, is longer than the window of the rate limit. */
  budgetMs?: number | undefined;
}

export interface ClientOptions {
  /** Username and password of an API key, as an object or as `username:password`. Default: `TRANSIT_BENEFITS_KEY`. */
  key?: string | { username: string; password: string } | undefined;
  /** Where the API is. Default: `TRANSIT_BENEFITS_URL`, or `http://localhost:3000/v1`. */
  baseUrl?: string | URL | undefined;
  retry?: RetryOptions | undefined;
  /** How long one request may take, up to the last byte of its response; of a download, up to the first. Default 60 s. */
  timeoutMs?: number | undefined;
  /** Replaces `fetch`, for proxies and tests. */
  fetch?: typeof fetch | undefined;
}

/** Returns a variable of the environment, where there is one: in Node, Deno and Bun, but not in browsers. */
function readVariable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}

function encodeKey(key: ClientOptions['key']): string {
  const given = key ?? readVariable('TRANSIT_BENEFITS_KEY');
  if (given === undefined) {
    throw new TransitBenefitsError('No API key. Pass `key`, or set TRANSIT_BENEFITS_KEY to username:password.');
  }
  const text = typeof given === 'string' ? given : `${given.username}:${given.password}`;
  if (!/^[^:]+:./s.test(text)) {
    throw new TransitBenefitsError('The API key is incomplete. It has the form username:password.');
  }
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** Returns the base URL without a slash at its end. An origin alone means its `/v1`. */
function normalizeUrl(given: ClientOptions['baseUrl']): string {
  const text = String(given ?? readVariable('TRANSIT_BENEFITS_URL') ?? 'http://localhost:3000/v1');
  if (!URL.canParse(text)) throw new TransitBenefitsError(`"${text}" is not a URL. Pass an absolute \`baseUrl\`.`);
  const url = new URL(text);
  if (url.pathname === '/') url.pathname = '/v1';
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

export const readOptions = ({ key, baseUrl, retry, timeoutMs, fetch: given }: ClientOptions) => ({
  authorization: `Basic ${encodeKey(key)}`,
  baseUrl: normalizeUrl(baseUrl),
  retries: retry?.retries ?? 5,
  budgetMs: retry?.budgetMs ?? 90_000,
  timeoutMs: timeoutMs ?? 60_000,
  // Browsers refuse to call their `fetch` as a method of another object.
  fetch: given ?? ((input: string | URL | Request, init?: RequestInit) => fetch(input, init)),
});

export type Settings = ReturnType<typeof readOptions>;
