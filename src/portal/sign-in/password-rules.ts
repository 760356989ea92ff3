import { readFileSync } from 'node:fs';
import { findPasswordWeakness, type PasswordWeakness } from '../../domain/password-weakness.ts';
import { ApiError } from '../../errors.ts';

const common: ReadonlySet<string> = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(' '))
    .filter((word) => word !== ''),
);

const reasons: Readonly<Record<PasswordWeakness, string>> = {
  common: 'is one of the passwords that are guessed first: choose several words that do not belong together',
  'contains-address': 'must not contain the email address or the part of it before the @',
};

/** Returns what is wrong with a new password, as the end of a sentence that begins with the field's name. */
export function describeWeakness(password: string, email: string): string | undefined {
  const weakness = findPasswordWeakness(password, email, common);
  return weakness && reasons[weakness];
}

/** Throws if the password is a well-known one or contains the address. `pointer` locates the password in the body. */
export function assertGoodPassword(password: string, email: string, pointer: string): void {
  const weakness = findPasswordWeakness(password, email, common);
  if (weakness === undefined) return;
  const detail = reasons[weakness];
  throw new ApiError('invalid-body', `${pointer} ${detail}.`, {
    errors: [{ pointer, code: `password-${weakness}`, detail }],
  });
}
