import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { makePrivateFolder, privateFile } from '../files/private-files.ts';

export const sessionSecretFile = 'session-secret';

/** Returns the secret that signs cookies and derives keys. Without SECRET, the first start stores one in DATA_DIR. */
export async function openSecret({ secret, dataDir }: Config): Promise<string> {
  if (secret !== undefined) return secret;
  const path = join(dataDir, sessionSecretFile);
  await makePrivateFolder(dataDir);
  try {
    const made = randomBytes(32).toString('hex');
    await writeFile(path, made, { mode: privateFile, flag: 'wx' });
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFile(path, 'utf8');
  }
}
