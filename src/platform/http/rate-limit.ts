import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimits } from '../config/config.ts';
import { ApiError } from './errors.ts';
import { type Counter, type Window, windowSeconds } from './shared-counter.ts';

/**
 * Names the limits per minute of public routes, which count per client network. Keys and portal users have limits of
 * their own (`RateLimits`).
 */
export type LimitName = 'wallet' | 'signing' | 'invitation';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit per client network of a public route. */
    limit?: LimitName;
  }
}

interface KeyName {
  companyId: number;
  keyId: string;
}

export interface RateLimiter {
  /** Counts a request against its key. */
  countKey(key: KeyName, reply: FastifyReply): void;
  /** Counts a request against the portal user, whichever session it belongs to. */
  countUser(user: { companyId: number; id: string }, reply: FastifyReply): void;
  /**
   * Counts failed credentials against the network they come from, so that no client can use up the limit of another's
   * key.
   */
  countFailure(request: FastifyRequest, reply: FastifyReply): void;
  /** Counts a request to a public route against the network it comes from. */
  countPublic(limit: LimitName, request: FastifyRequest, reply: FastifyReply): void;
}

/**
 * Matches an IPv4 address, also as `::ffff:192.0.2.1`, which a dual-stack socket reports, or with a port, which some
 * proxies add.
 */
const dottedAddress = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i;
const addressInBrackets = /^\[([^\]]*)\](?::\d+)?$/;

/**
 * Returns the network that an address counts against: the first 64 bits of IPv6, because a client with one of these
 * addresses has all of them.
 */
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

/** Sets the headers that describe the limit. Throws if the limit is exceeded. */
function applyLimit(
  reply: FastifyReply,
  perMinute: number,
  { count, endsAt }: Pick<Window, 'count' | 'endsAt'>,
  now: number,
): void {
  const remaining = Math.max(0, perMinute - count);
  // Rounding up fractions of the clock must not yield more than the window.
  const reset = Math.min(windowSeconds, Math.max(1, Math.ceil((endsAt - now) / 1000)));
  reply.headers({
    ratelimit: `"default";r=${remaining};t=${reset}`,
    'ratelimit-policy': `"default";q=${perMinute};w=${windowSeconds}`,
    // Header names of earlier drafts, which most client libraries still read.
    'ratelimit-limit': perMinute,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': reset,
  });
  if (count <= perMinute) return;
  const detail = `More than ${perMinute} requests within one minute. Retry in ${reset} seconds.`;
  throw new ApiError('rate-limited', detail, {}, { 'retry-after': String(reset) });
}

/**
 * Uses a fixed window per key, user or network. @fastify/rate-limit was tried first: it reads its counter after it has
 * waited, so that it could refuse a whole burst that exceeds the limit. Refused requests are not counted, so that
 * clients that continue to send them cause no exchange with other processes.
 */
export function createRateLimiter(limits: RateLimits, counter: Counter): RateLimiter {
  const count = (name: string, perMinute: number, reply: FastifyReply) => {
    if (perMinute === 0) return;
    const now = performance.now();
    const known = counter.peek(name, now);
    const isOver = known.count >= perMinute;
    const { endsAt } = isOver ? known : counter.hit(name, now);
    applyLimit(reply, perMinute, { count: isOver ? perMinute + 1 : known.count, endsAt }, now);
  };
  return {
    countKey: ({ companyId, keyId }, reply) => count(`key ${companyId} ${keyId}`, limits.key, reply),
    countUser: ({ companyId, id }, reply) => count(`user ${companyId} ${id}`, limits.portal, reply),
    countFailure: ({ ip }, reply) => count(`address ${networkOf(ip)}`, limits.key, reply),
    countPublic: (limit, { ip }, reply) => count(`${limit} ${networkOf(ip)}`, limits[limit], reply),
  };
}
