import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashPassword, parseUsername, sameHash } from '../auth/credentials.ts';
import { findKey, type NewKey } from '../auth/keys.ts';
import type { Db } from '../db/database.ts';

const pathIn = (dataDir: string) => join(dataDir, 'demo-key.json');

/** Renamed into place, so that a file left by another database is replaced and its permissions with it. */
export async function writeKeyFile(dataDir: string, { username, password }: NewKey): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const unfinished = `${pathIn(dataDir)}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify({ username, password }, null, 2)}\n`, { mode: 0o600 });
  await rename(unfinished, pathIn(dataDir));
}

function parseKey(text: string): NewKey | undefined {
  try {
    const { username, password } = JSON.parse(text);
    return typeof username === 'string' && typeof password === 'string' ? { username, password } : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when the file is missing, or when its key is of another database, revoked or replaced. */
export async function readKeyFile(dataDir: string, db: Db): Promise<NewKey | undefined> {
  const text = await readFile(pathIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const key = parseKey(text);
  const name = key && parseUsername(key.username);
  const known = name && (await findKey(db, name));
  if (!key || !known || known.revoked_at !== null) return undefined;
  return sameHash(hashPassword(key.password), known.secret_hash) ? key : undefined;
}
