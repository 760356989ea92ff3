import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors.ts';

/** How soon one of the requests under way is probably done. */
const retrySeconds = 5;

/** Admits a request of `name`, until its response ends. Throws if as many of that name as are allowed are under way. */
export type ConcurrencyLimit = (name: string, reply: FastifyReply) => void;

/**
 * Limits how many requests of one key or user this process works on at the same time. Not shared with other processes:
 * what it protects is the memory and the connections of this one. 0 is no limit.
 */
export function createConcurrencyLimit(limit: number, what: string): ConcurrencyLimit {
  const underWay = new Map<string, number>();
  return (name, reply) => {
    if (limit === 0) return;
    const count = underWay.get(name) ?? 0;
    if (count >= limit) {
      const detail = `${limit} ${what} are already under way. Wait until one of them has finished, then send it again.`;
      throw new ApiError('rate-limited', detail, {}, { 'retry-after': String(retrySeconds) });
    }
    underWay.set(name, count + 1);
    reply.raw.once('close', () => {
      const left = (underWay.get(name) ?? 1) - 1;
      if (left === 0) underWay.delete(name);
      else underWay.set(name, left);
    });
  };
}
