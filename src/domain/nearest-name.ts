/** Shorter names resemble each other by chance: two edits turn any of them into any other. */
const shortestMisspelling = 5;
/** Longer names are not typing errors, and comparing them would cost more than the hint is worth. */
const longestMisspelling = 64;
const maxDistance = 2;

const normalize = (name: string) => name.toLowerCase().replace(/[-_ .]/g, '');

/** Returns how many edits turn one text into the other (Damerau-Levenshtein, each place changed once). */
function countEdits(a: string, b: string): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const inserted = (current[column - 1] ?? 0) + 1;
      const deleted = (above[column] ?? 0) + 1;
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = isSwap ? (twoAbove[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(replaced, inserted, deleted, swapped));
    }
    [twoAbove, above] = [above, current];
  }
  return above[b.length] ?? 0;
}

/** Returns the name that a misspelt one means: the same but for case and separators, else the nearest in two edits. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > longestMisspelling) return undefined;
  const wanted = normalize(name);
  const candidates = known.map((candidate) => ({ candidate, normalized: normalize(candidate) }));
  const same = candidates.find(({ normalized }) => normalized === wanted);
  if (same !== undefined) return same.candidate;
  let nearest: { candidate: string; distance: number } | undefined;
  for (const { candidate, normalized } of candidates) {
    if (Math.min(wanted.length, normalized.length) < shortestMisspelling) continue;
    if (Math.abs(wanted.length - normalized.length) > maxDistance) continue;
    const distance = countEdits(wanted, normalized);
    if (distance <= maxDistance && distance < (nearest?.distance ?? maxDistance + 1)) nearest = { candidate, distance };
  }
  return nearest?.candidate;
}
