import { createHash } from 'node:crypto';
import { createFairSlots, type SlotLimits } from '../../platform/http/fair-slots.ts';
import { passLimits } from '../../platform/http/slot-limits.ts';
import type { Pass } from './present.ts';

/** A pass has about 20 KB. */
const maxCached = 500;

type MakePass = (pass: Pass) => Promise<Buffer>;

const keyOf = (pass: Pass) => createHash('sha256').update(JSON.stringify(pass)).digest('base64');

/**
 * Caches the most recently requested passes, each until anything that it shows changes. Companies share the signatures
 * fairly. Requests for the same pass share one signature.
 */
export function cachePasses(make: MakePass, limits: Omit<SlotLimits, 'perCaller'> = passLimits): MakePass {
  const cached = new Map<string, Promise<Buffer>>();
  const slots = createFairSlots({ ...limits, perCaller: 0 });

  async function sign(key: string, pass: Pass): Promise<Buffer> {
    try {
      return await slots.run(pass, () => make(pass));
    } catch (error) {
      cached.delete(key);
      throw error;
    }
  }

  return async (pass) => {
    const key = keyOf(pass);
    const file = cached.get(key) ?? sign(key, pass);
    // Moves the entry to the end: a Map iterates in insertion order, so its first key is the least recently used.
    cached.delete(key);
    cached.set(key, file);
    const [oldest] = cached.keys();
    if (cached.size > maxCached && oldest !== undefined) cached.delete(oldest);
    return file;
  };
}
