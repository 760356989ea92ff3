import { createHmac, hkdfSync } from 'node:crypto';

export type KeyedHash = (text: string) => string;

/**
 * Returns a hash that shows which log entries are about the same account or network. Which one it is cannot be found
 * out without SECRET. The key of the hash is derived, so that it reveals nothing about other uses of SECRET.
 */
export function createKeyedHash(secret: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'transit-benefits: accounts in logs', 32));
  return (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
}
