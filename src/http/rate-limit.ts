import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

const windowSeconds = 60;

export interface RateLimiter {
  /** Every request of a key counts against that key. */
  countKey(request: FastifyRequest, reply: FastifyReply): void;
  /** Failed credentials count against the address they come from, so that nobody can use up another's key. */
  countFailure(request: FastifyRequest, reply: FastifyReply): void;
}

interface Window {
  count: number;
  endsAt: number;
}

/** `::ffff:192.0.2.1`, as a socket for both families tells an IPv4 address, or one with the port that some proxies add. */
const dottedAddress = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i;
const addressInBrackets = /^\[([^\]]*)\](?::\d+)?$/;

/** Returns what an address is counted as: the first 64 bits of IPv6, because whoever has one address has all of them. */
export function networkOf(given: string): string {
  const dotted = dottedAddress.exec(given)?.[1];
  if (dotted !== undefined) return dotted;
  const address = addressInBrackets.exec(given)?.[1] ?? given;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const first = head.split(':').filter(Boolean);
  const last = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}

/** Counts at once and without waiting: requests that arrive together must not all see the count of the last one. */
export function createCounter() {
  const windows = new Map<string, Window>();
  let sweepAt = 0;
  return (name: string, now: number): Window => {
    if (now >= sweepAt) {
      for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key);
      sweepAt = now + windowSeconds * 1000;
    }
    const known = windows.get(name);
    const window = known !== undefined && known.endsAt > now ? known : { count: 0, endsAt: now + windowSeconds * 1000 };
    window.count += 1;
    windows.set(name, window);
    return window;
  };
}

function tell(reply: FastifyReply, perMinute: number, { count, endsAt }: Window, now: number): void {
  const remaining = Math.max(0, perMinute - count);
  // Rounding of the clock's fractions must not promise more than the window.
  const reset = Math.min(windowSeconds, Math.max(1, Math.ceil((endsAt - now) / 1000)));
  reply.headers({
    ratelimit: `"default";r=${remaining};t=${reset}`,
    'ratelimit-policy': `"default";q=${perMinute};w=${windowSeconds}`,
    // The names of earlier drafts, which most client libraries still read.
    'ratelimit-limit': perMinute,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': reset,
  });
  if (count <= perMinute) return;
  const detail = `More than ${perMinute} requests within a minute. Go on in ${reset} seconds.`;
  throw new ApiError('rate-limited', detail, {}, { 'retry-after': String(reset) });
}

/**
 * A fixed window for each key, in this process alone. @fastify/rate-limit was tried first: it reads its counter after it
 * has waited, so that a burst over the limit could be refused as a whole.
 */
export function createRateLimiter(perMinute: number): RateLimiter {
  const count = createCounter();
  const countAs = (name: (request: FastifyRequest) => string) => (request: FastifyRequest, reply: FastifyReply) => {
    if (perMinute === 0) return;
    const now = performance.now();
    tell(reply, perMinute, count(name(request), now), now);
  };
  return {
    countKey: countAs(({ principal }) => `key ${principal?.companyId} ${principal?.keyId}`),
    countFailure: countAs(({ ip }) => `address ${networkOf(ip)}`),
  };
}
