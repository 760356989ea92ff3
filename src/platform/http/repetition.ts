import type { CompanyId } from '../db/company-scope.ts';

const slots = 2 ** 16;

/** FNV-1a, with 32 bits. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/**
 * Returns a function that returns whether it was called with the same company and URL before. It remembers hashes only,
 * and forgets one as soon as another takes its place, so it can err in both directions.
 */
export function createRepetitionMemory(): (companyId: CompanyId, url: string) => boolean {
  const marks = new Uint32Array(slots);
  return (companyId, url) => {
    const mark = hashOf(url, 0x811c9dc5 ^ companyId);
    const slot = hashOf(url, companyId) % slots;
    const isRepeated = marks[slot] === mark;
    marks[slot] = mark;
    return isRepeated;
  };
}
