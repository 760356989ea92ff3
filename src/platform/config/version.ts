import { readFileSync } from 'node:fs';

export const readVersion = (): string =>
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version;

const numbersOf = (text: string) => text.split(/[.-]/, 3).map(Number);

/** Returns whether a version is the given release or later. `0.3.0-dev` comes before 0.3.0. */
export function isAtLeast(version: string, release: string): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(release)];
  const different = ours.findIndex((number, index) => number !== theirs[index]);
  if (different < 0) return !version.includes('-');
  return (ours[different] ?? 0) > (theirs[different] ?? 0);
}
