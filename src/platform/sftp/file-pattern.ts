import { createMessage, type Message } from '../../domain/messages/message.ts';

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
