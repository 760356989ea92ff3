import type { RemoteFile } from '../../../platform/sftp/files.ts';

/** Decides whether a roster file on a server of the company may be read. */

const maxAgeHours = 48;

/** Returns the file to read: the newest, and among equally old ones the last by name. */
export const findNewest = (files: readonly RemoteFile[]): RemoteFile | undefined =>
  files.toSorted(
    (a, b) => Temporal.Instant.compare(b.modifiedAt, a.modifiedAt) || b.name.localeCompare(a.name, 'en'),
  )[0];

/** The key of a message that begins with the name of the file, and its other values. */
interface FileProblem {
  key: 'file-old' | 'file-empty' | 'file-small';
  values: Record<string, number>;
}

/** Returns why a file cannot be the roster of today. `lastBytes`: the size of the file that was read last. */
export function findFileProblem(
  { bytes, modifiedAt }: RemoteFile,
  lastBytes: number | undefined,
  now: Temporal.Instant,
): FileProblem | undefined {
  const hours = Math.floor(now.since(modifiedAt).total('hours'));
  if (hours >= maxAgeHours) return { key: 'file-old', values: { days: Math.floor(hours / 24) } };
  if (bytes === 0) return { key: 'file-empty', values: {} };
  if (lastBytes !== undefined && bytes * 2 < lastBytes) return { key: 'file-small', values: { bytes, lastBytes } };
  return undefined;
}
