/** Decides whether a roster file on a server of the company may be read. */

export interface RosterFile {
  name: string;
  bytes: number;
  modifiedAt: Temporal.Instant;
}

const maxAgeHours = 48;

/** Returns the file to read: the newest, and among equally old ones the last by name. */
export const findNewest = (files: readonly RosterFile[]): RosterFile | undefined =>
  files.toSorted(
    (a, b) => Temporal.Instant.compare(b.modifiedAt, a.modifiedAt) || b.name.localeCompare(a.name, 'en'),
  )[0];

export const isSameState = (a: RosterFile, b: RosterFile): boolean =>
  a.bytes === b.bytes && Temporal.Instant.compare(a.modifiedAt, b.modifiedAt) === 0;

/**
 * Returns why a file cannot be the roster of today, as the end of a sentence that begins with its name. `lastBytes`: the
 * size of the file that was read last.
 */
export function findFileProblem(
  { bytes, modifiedAt }: RosterFile,
  lastBytes: number | undefined,
  now: Temporal.Instant,
): string | undefined {
  const hours = Math.floor(now.since(modifiedAt).total('hours'));
  if (hours >= maxAgeHours) return `is ${Math.floor(hours / 24)} days old. Export a new one every day`;
  if (bytes === 0) return 'is empty. Export it again';
  if (lastBytes !== undefined && bytes * 2 < lastBytes) {
    return `has ${bytes} bytes, less than half of the last one, which had ${lastBytes}. Export it completely. If so many employees have left, connect again`;
  }
  return undefined;
}
