import { readFileSync } from 'node:fs';
import { createMessage, formatMessage } from '../../domain/messages/message.ts';
import { invalidValue } from '../../platform/http/errors.ts';

type Check = ReturnType<typeof import('./rules/password-weakness.ts')['createPasswordCheck']>;
let loaded: Promise<Check> | undefined;

/** Loads the list and the library with the first new password: no start should wait for them. */
async function load(): Promise<Check> {
  const { createPasswordCheck } = await import('./rules/password-weakness.ts');
  const lines = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8').split('\n');
  return createPasswordCheck(lines.filter((line) => !line.startsWith('#')).flatMap((line) => line.match(/\S+/g) ?? []));
}

async function findWeakness(password: string, email: string) {
  loaded ??= load();
  return (await loaded)(password, email);
}

/** Returns what is wrong with a new password, as the end of a sentence that begins with the field's name. */
export async function describeWeakness(password: string, email: string): Promise<string | undefined> {
  const weakness = await findWeakness(password, email);
  return weakness && formatMessage(createMessage(`password-${weakness}`));
}

/** Throws if the password is a well-known one or contains the address. `pointer` locates the password in the body. */
export async function assertGoodPassword(password: string, email: string, pointer: string): Promise<void> {
  const weakness = await findWeakness(password, email);
  if (weakness === undefined) return;
  throw invalidValue(pointer, `password-${weakness}`, createMessage(`password-${weakness}`));
}
