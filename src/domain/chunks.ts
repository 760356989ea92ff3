/** Returns the items in order, divided into lists of at most `size`. */
export const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));

/** Returns the next of these ids, and where to continue with the others. */
export function nextOf(
  possible: readonly number[],
  { after = 0, limit }: { after?: number | undefined; limit: number },
): { ids: number[]; remaining: number; continueAfter: number | null } {
  const waiting = possible.filter((id) => id > after);
  const ids = waiting.slice(0, limit);
  const remaining = waiting.length - ids.length;
  return { ids, remaining, continueAfter: remaining > 0 ? (ids.at(-1) ?? null) : null };
}
