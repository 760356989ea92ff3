import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * Passwords are hashed here and not by a library, because all accounts of an address share a salt (see `findOpened`).
 * scrypt is part of Node and runs outside of the event loop. The cost is the one of all stored hashes: it is not stored
 * with them.
 */
const cost = { N: 16_384, r: 16, p: 1, maxmem: 128 * 16_384 * 16 * 2 };
const keyBytes = 64;

const derive = (password: string, salt: string) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });

const createSalt = () => randomBytes(16).toString('hex');

export const saltOf = (hash: string) => hash.split(':')[0] ?? '';

const keyOf = (hash: string) => Buffer.from(hash.split(':')[1] ?? '', 'hex');

const isKeyOf = (hash: string, key: Buffer) => {
  const known = keyOf(hash);
  return known.length === key.length && timingSafeEqual(known, key);
};

/** Returns `salt:key`, both in hexadecimal digits. */
export async function hashPassword(password: string, salt: string = createSalt()): Promise<string> {
  return `${salt}:${(await derive(password, salt)).toString('hex')}`;
}

export async function verifyPassword({ hash, password }: { hash: string; password: string }): Promise<boolean> {
  return isKeyOf(hash, await derive(password, saltOf(hash)));
}

/**
 * Returns the accounts that this password opens. All accounts of an address share a salt, so the work is the same for
 * zero, one or many accounts. The response time therefore does not reveal in how many companies the address has an
 * account.
 */
export async function findOpened<T extends { hash: string }>(accounts: readonly T[], password: string): Promise<T[]> {
  const salts = new Set(accounts.map(({ hash }) => saltOf(hash)));
  if (salts.size === 0) salts.add(createSalt());
  const opened: T[] = [];
  for (const salt of salts) {
    const key = await derive(password, salt);
    opened.push(...accounts.filter(({ hash }) => saltOf(hash) === salt && isKeyOf(hash, key)));
  }
  return opened;
}
