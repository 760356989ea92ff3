import { createHash } from 'node:crypto';
import { unavailable } from '../errors.ts';
import type { Pass } from './present.ts';

/** A pass takes about 40 ms to sign, so the last request in the queue waits for two seconds. */
const maxWaiting = 50;
/** A pass has about 20 KB. */
const maxCached = 500;

type MakePass = (pass: Pass) => Promise<Buffer>;

const keyOf = (pass: Pass) => createHash('sha256').update(JSON.stringify(pass)).digest('base64');

/**
 * Caches the most recently requested passes, each until anything that it shows changes. Limits how many requests wait
 * for a signature. Requests for the same pass share one signature.
 */
export function cachePasses(make: MakePass): MakePass {
  const cached = new Map<string, Promise<Buffer>>();
  let waiting = 0;

  async function sign(key: string, pass: Pass): Promise<Buffer> {
    waiting += 1;
    try {
      return await make(pass);
    } catch (error) {
      cached.delete(key);
      throw error;
    } finally {
      waiting -= 1;
    }
  }

  return async (pass) => {
    const key = keyOf(pass);
    const known = cached.get(key);
    if (known === undefined && waiting >= maxWaiting) {
      throw unavailable('Too many passes are waiting to be signed.');
    }
    const file = known ?? sign(key, pass);
    // Moves the entry to the end: a Map iterates in insertion order, so its first key is the least recently used.
    cached.delete(key);
    cached.set(key, file);
    const [oldest] = cached.keys();
    if (cached.size > maxCached && oldest !== undefined) cached.delete(oldest);
    return file;
  };
}
