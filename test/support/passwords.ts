import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Cost = 'real' | 'cheap';
type Arguments = [
  password: string,
  salt: string,
  bytes: number,
  options: ScryptOptions,
  done: (error: Error | null, key: Buffer) => void,
];

const { scrypt } = crypto;
let cost: Cost = 'real';

/**
 * Makes scrypt a thousand times cheaper in this process, or as expensive as it is. The fast tests use cheap passwords:
 * hashing those of test users would take a third of their time.
 */
export function setPasswordCost(wanted: Cost): void {
  cost = wanted;
  const derive = (...[password, salt, bytes, options, done]: Arguments) =>
    scrypt(password, salt, bytes, cost === 'cheap' ? { ...options, N: 16 } : options, done);
  crypto.scrypt = derive as typeof scrypt;
  syncBuiltinESMExports();
}

/** Runs work that is about the real cost of passwords. Users created outside of it cannot sign in meanwhile. */
export async function atRealCost(work: () => Promise<void>): Promise<void> {
  const before = cost;
  cost = 'real';
  try {
    await work();
  } finally {
    cost = before;
  }
}
