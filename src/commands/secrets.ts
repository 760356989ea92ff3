import { openEncryption } from '../open-encryption.ts';
import { rotateSecrets } from '../rotate-secrets.ts';
import { withEngine } from './context.ts';
import type { CommandContext } from './define.ts';

/** Prints how many secrets each table stores, and how many of them were encrypted anew. */
export const rotateStoredSecrets = (_options: unknown, { config }: CommandContext) =>
  withEngine(config, async ({ db }) => {
    const tables = await rotateSecrets(db, await openEncryption(config));
    return { rotated: tables.reduce((sum, { rotated }) => sum + rotated, 0), tables };
  });
