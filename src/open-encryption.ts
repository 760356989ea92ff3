import type { Config } from './config.ts';
import { createEncryption, type Encryption } from './encryption.ts';
import { openSecret } from './open-secret.ts';

/** Returns the encryption of stored secrets with the keys of this environment. */
export const openEncryption = async (config: Config): Promise<Encryption> =>
  createEncryption(await openSecret(config), config.secretPrevious);
