import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createFairSlots, type SlotLimits } from '../../platform/http/fair-slots.ts';
import { passLimits } from '../../platform/http/slot-limits.ts';
import type { Pass } from './present.ts';

/** A pass has about 20 KB. */
const maxCached = 500;

type MakePass = (pass: Pass) => Promise<Buffer>;

const keyOf = (pass: Pass) => createHash('sha256').update(JSON.stringify(pass)).digest('base64');

/** Caches passes until anything that they show changes. Requests for the same pass share one signature. */
export function cachePasses(make: MakePass, limits: Omit<SlotLimits, 'perCaller'> = passLimits): MakePass {
  const cached = new LRUCache<string, Promise<Buffer>>({ max: maxCached });
  const slots = createFairSlots({ ...limits, perCaller: 0 });

  function sign(key: string, pass: Pass): Promise<Buffer> {
    const file = slots.run(pass, () => make(pass));
    cached.set(key, file);
    file.catch(() => cached.delete(key));
    return file;
  }

  return async (pass) => {
    const key = keyOf(pass);
    return cached.get(key) ?? sign(key, pass);
  };
}
