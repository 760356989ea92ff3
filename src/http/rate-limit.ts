import type { CreateRateLimitOptions } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';

const windowSeconds = 60;

export interface RateLimiter {
  /** Every request of a key counts against that key. */
  countKey(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Failed credentials count against the address they come from, so that nobody can use up another's key. */
  countFailure(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

const unlimited: RateLimiter = {
  countKey: async () => {},
  countFailure: async () => {},
};

interface Standing {
  max: number;
  remaining: number;
  ttlInSeconds: number;
  isExceeded: boolean;
}

function tell(reply: FastifyReply, { max, remaining, ttlInSeconds }: Standing): void {
  const reset = Math.max(1, ttlInSeconds);
  reply.headers({
    ratelimit: `"default";r=${remaining};t=${reset}`,
    'ratelimit-policy': `"default";q=${max};w=${windowSeconds}`,
    // The names of earlier drafts, which most client libraries still read.
    'ratelimit-limit': max,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': reset,
  });
}

function assertWithin(standing: Standing): void {
  if (!standing.isExceeded) return;
  const seconds = Math.max(1, standing.ttlInSeconds);
  const detail = `More than ${standing.max} requests within a minute. Go on in ${seconds} seconds.`;
  throw new ApiError('rate-limited', detail, {}, { 'retry-after': String(seconds) });
}

export function createRateLimiter(app: FastifyInstance, perMinute: number): RateLimiter {
  if (perMinute === 0) return unlimited;
  const create = (keyGenerator: NonNullable<CreateRateLimitOptions['keyGenerator']>) => {
    const check = app.createRateLimit({ max: perMinute, timeWindow: windowSeconds * 1000, keyGenerator });
    return async (request: FastifyRequest, reply: FastifyReply) => {
      const standing = (await check(request)) as Standing;
      tell(reply, standing);
      assertWithin(standing);
    };
  };
  const byKey = create((request) => `${request.principal?.companyId} ${request.principal?.keyId}`);
  const byAddress = create((request) => request.ip);
  return { countKey: byKey, countFailure: byAddress };
}
