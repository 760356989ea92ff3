import { isIPv6 } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { type Counter, type Window, windowSeconds } from './shared-counter.ts';

/** What is limited per minute: requests of a key, of a portal user, and of a client without either. */
export type LimitName = 'wallet' | 'invitation';

export interface RateLimits {
  readonly key: number;
  readonly portal: number;
  readonly wallet: number;
  readonly invitation: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit per client network that a public route has. */
    limit?: LimitName;
  }
}

export interface RateLimiter {
  /** Every request of a key counts against that key. */
  countKey(request: FastifyRequest, reply: FastifyReply): void;
  /** Every request of a portal user counts against that user, whichever session it comes with. */
  countUser(user: { companyId: number; id: string }, reply: FastifyReply): void;
  /** Failed credentials count against the network they come from, so that nobody can use up another's key. */
  countFailure(request: FastifyRequest, reply: FastifyReply): void;
  /** Requests to a public route count against the network they come from. */
  countPublic(limit: LimitName, request: FastifyRequest, reply: FastifyReply): void;
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

function tell(
  reply: FastifyReply,
  perMinute: number,
  { count, endsAt }: Pick<Window, 'count' | 'endsAt'>,
  now: number,
): void {
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
 * A fixed window for each key, user or network. @fastify/rate-limit was tried first: it reads its counter after it has
 * waited, so that a burst over the limit could be refused as a whole. A request that is refused is not counted, so that
 * those who go on asking cost no exchange with other processes.
 */
export function createRateLimiter(limits: RateLimits, counter: Counter): RateLimiter {
  const count = (name: string, perMinute: number, reply: FastifyReply) => {
    if (perMinute === 0) return;
    const now = performance.now();
    const known = counter.look(name, now);
    const isOver = known.count >= perMinute;
    const { endsAt } = isOver ? known : counter.hit(name, now);
    tell(reply, perMinute, { count: isOver ? perMinute + 1 : known.count, endsAt }, now);
  };
  return {
    countKey: ({ principal }, reply) => count(`key ${principal?.companyId} ${principal?.keyId}`, limits.key, reply),
    countUser: ({ companyId, id }, reply) => count(`user ${companyId} ${id}`, limits.portal, reply),
    countFailure: ({ ip }, reply) => count(`address ${networkOf(ip)}`, limits.key, reply),
    countPublic: (limit, { ip }, reply) => count(`${limit} ${networkOf(ip)}`, limits[limit], reply),
  };
}
