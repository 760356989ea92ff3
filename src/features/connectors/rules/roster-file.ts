import { createMessage, type Message } from '../../../domain/messages/message.ts';

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

/** The key of a message that begins with the name of the file, and its other values. */
interface FileProblem {
  key: 'file-old' | 'file-empty' | 'file-small';
  values: Record<string, number>;
}

/** Returns why a file cannot be the roster of today. `lastBytes`: the size of the file that was read last. */
export function findFileProblem(
  { bytes, modifiedAt }: RosterFile,
  lastBytes: number | undefined,
  now: Temporal.Instant,
): FileProblem | undefined {
  const hours = Math.floor(now.since(modifiedAt).total('hours'));
  if (hours >= maxAgeHours) return { key: 'file-old', values: { days: Math.floor(hours / 24) } };
  if (bytes === 0) return { key: 'file-empty', values: {} };
  if (lastBytes !== undefined && bytes * 2 < lastBytes) return { key: 'file-small', values: { bytes, lastBytes } };
  return undefined;
}

/** Names of files on the servers that companies use have at most this many bytes. */
const maxNameLength = 255;

export const isPattern = (name: string): boolean => /[*?]/.test(name);

/**
 * Whether a name matches a pattern: `*` stands for any characters, `?` for one. A name that begins with a dot is hidden:
 * only a pattern that begins with one matches it. Never tries more than the last `*` again, because what an earlier one
 * took can always stay: the steps are at most the product of both lengths, and longer names match nothing.
 */
export function matchesPattern(name: string, pattern: string): boolean {
  if (name.length > maxNameLength || pattern.length > maxNameLength) return false;
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  const [given, wanted] = [[...name], [...pattern]];
  let [at, next] = [0, 0];
  /** After the last `*`: the rest of the pattern, and where the name is tried next. */
  let again: { at: number; next: number } | undefined;
  while (at < given.length) {
    if (wanted[next] === '*') again = { at, next: ++next };
    else if (wanted[next] === '?' || (next < wanted.length && wanted[next] === given[at]))
      [at, next] = [at + 1, next + 1];
    else if (again === undefined) return false;
    else [at, next] = [++again.at, again.next];
  }
  return wanted.slice(next).every((character) => character === '*');
}

export function findPathProblem(path: string): Message | undefined {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  if (name.length > maxNameLength) return createMessage('credentials-path-long', { limit: maxNameLength });
  if (parts.some(isPattern)) return createMessage('credentials-path-folder');
  const other = /[[\]{}\\]|[!+@]\(/.exec(name)?.[0];
  return other === undefined ? undefined : createMessage('credentials-path-pattern', { text: other });
}
