import { createHmac, hkdfSync } from 'node:crypto';

export type KeyedHash = (text: string) => string;

/**
 * Returns a hash by which entries of the log can be told to be about the same account or network, while nobody without SECRET
 * can find out which. Its key is derived, so that it tells nothing about what else SECRET is used for.
 */
export function createKeyedHash(secret: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'transit-benefits: accounts in logs', 32));
  return (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
}
