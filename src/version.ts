import { readFileSync } from 'node:fs';

/** Returns the version of the service. */
export const readVersion = (): string =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

const numbersOf = (text: string) => text.split(/[.-]/, 3).map(Number);

/** Returns whether a release is the given one or a later one. */
export function isAtLeast(release: string, wanted: string): boolean {
  const [ours, theirs] = [numbersOf(release), numbersOf(wanted)];
  const different = ours.findIndex((number, index) => number !== theirs[index]);
  return different < 0 || (ours[different] ?? 0) > (theirs[different] ?? 0);
}
