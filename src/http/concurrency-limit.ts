import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors.ts';

/** Estimates when one of the current requests will have finished. */
const retrySeconds = 5;

/**
 * Admits a request of `name` until its response ends. Throws if that name already has the maximum number of requests in
 * progress.
 */
export type ConcurrencyLimit = (name: string, reply: FastifyReply) => void;

/**
 * Limits how many requests of one key or user this process works on at the same time. The limit is not shared with
 * other processes, because it protects the memory and connections of this one. 0 means no limit.
 */
export function createConcurrencyLimit(limit: number, what: string): ConcurrencyLimit {
  const inProgress = new Map<string, number>();
  return (name, reply) => {
    if (limit === 0) return;
    const count = inProgress.get(name) ?? 0;
    if (count >= limit) {
      const detail = `${limit} ${what} are already in progress. Wait until one of them has finished, then send the request again.`;
      throw new ApiError('rate-limited', detail, {}, { 'retry-after': String(retrySeconds) });
    }
    inProgress.set(name, count + 1);
    reply.raw.once('close', () => {
      const remaining = (inProgress.get(name) ?? 1) - 1;
      if (remaining === 0) inProgress.delete(name);
      else inProgress.set(name, remaining);
    });
  };
}
