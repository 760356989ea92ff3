import type { FakeRequest, FakeResponse, Fault } from '../../../src/features/connectors/fake/fake-server.ts';

/** How often an HR system may be asked. */
interface Limit {
  requests: number;
  windowMillis: number;
}

interface LimitRules extends Limit {
  isLimited(request: FakeRequest): boolean;
  refuse(millisLeft: number): FakeResponse;
  /** The headers of every limited response. */
  headers?(remaining: number, endsAt: number): Record<string, string>;
}

export interface RequestLimit {
  /** Makes a fake enforce the limit. */
  fault(request: FakeRequest): Fault | undefined;
  served: number;
  refused: number;
  /** Requests that came although an earlier one was refused in the same window. */
  early: number;
}

/** Counts requests per window, which begins with the first request after the one before. */
function createRequestLimit({ requests, windowMillis, isLimited, refuse, headers }: LimitRules): RequestLimit {
  let endsAt = 0;
  let used = 0;
  let wasRefused = false;
  const limit: RequestLimit = {
    served: 0,
    refused: 0,
    early: 0,
    fault(request) {
      if (!isLimited(request)) return undefined;
      const now = Date.now();
      if (now >= endsAt) {
        endsAt = now + windowMillis;
        used = 0;
        wasRefused = false;
      }
      if (used === requests) {
        if (wasRefused) limit.early += 1;
        wasRefused = true;
        limit.refused += 1;
        const refusal = refuse(endsAt - now);
        return { ...refusal, headers: { ...refusal.headers, ...headers?.(0, endsAt) } };
      }
      used += 1;
      limit.served += 1;
      const added = headers?.(requests - used, endsAt);
      return (response) => ({ ...response, headers: { ...response.headers, ...added } });
    },
  };
  return limit;
}

/** 300 requests for employees per minute; then 429, which does not say how long. */
export const limitPersonio = (limit: Limit = { requests: 300, windowMillis: 60_000 }) =>
  createRequestLimit({
    ...limit,
    isLimited: ({ path }) => path === '/v1/company/employees',
    refuse: () => ({ status: 429, body: { success: false, error: { code: 429, message: 'Too many requests' } } }),
  });

/** 50 searches per minute. The headers say how many are left, and when the minute ends. */
export const limitHibob = (limit: Limit = { requests: 50, windowMillis: 60_000 }) =>
  createRequestLimit({
    ...limit,
    isLimited: ({ path }) => path === '/v1/people/search',
    refuse: () => ({ status: 429, body: { error: 'Too many requests' } }),
    headers: (remaining, endsAt) => ({
      'x-ratelimit-limit': String(limit.requests),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(Math.ceil(endsAt / 1000)),
    }),
  });

/** BambooHR does not publish its limit. It refuses with 503, and says for how long. */
export const limitBamboohr = (limit: Limit) =>
  createRequestLimit({
    ...limit,
    isLimited: () => true,
    refuse: (millisLeft) => ({
      status: 503,
      body: '',
      headers: {
        'retry-after': String(Math.ceil(millisLeft / 1000)),
        'x-bamboohr-error-message': 'Limit exceeded',
      },
    }),
  });
