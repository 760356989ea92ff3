import { readFileSync } from 'node:fs';
import { createMessage, formatMessage } from '../../domain/messages/message.ts';
import { invalidValue } from '../../platform/http/errors.ts';
import { findPasswordWeakness } from './rules/password-weakness.ts';

const common: ReadonlySet<string> = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(' '))
    .filter((word) => word !== ''),
);

/** Returns what is wrong with a new password, as the end of a sentence that begins with the field's name. */
export function describeWeakness(password: string, email: string): string | undefined {
  const weakness = findPasswordWeakness(password, email, common);
  return weakness && formatMessage(createMessage(`password-${weakness}`));
}

/** Throws if the password is a well-known one or contains the address. `pointer` locates the password in the body. */
export function assertGoodPassword(password: string, email: string, pointer: string): void {
  const weakness = findPasswordWeakness(password, email, common);
  if (weakness === undefined) return;
  throw invalidValue(pointer, `password-${weakness}`, createMessage(`password-${weakness}`));
}
