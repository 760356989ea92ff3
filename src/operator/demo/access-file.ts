import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPasswordOf } from '../../features/accounts/users/manage-users.ts';
import { hashPassword, parseUsername, sameHash } from '../../features/keys/credentials.ts';
import { findKey, type NewKey } from '../../features/keys/keys.ts';
import type { Db } from '../../platform/db/database.ts';
import { makePrivateFolder, privateFile } from '../../platform/files/private-files.ts';

export interface DemoLogin {
  email: string;
  password: string;
}

/** Credentials of the demo company for the API and for the portal. Either is undefined if it no longer works. */
export interface DemoAccess {
  key: NewKey | undefined;
  login: DemoLogin | undefined;
}

const pathIn = (dataDir: string) => join(dataDir, 'demo-access.json');

/** Renames a temporary file, so that a file of another database is replaced with its permissions. */
export async function writeAccessFile(dataDir: string, { key, login }: DemoAccess): Promise<void> {
  await makePrivateFolder(dataDir);
  const unfinished = `${pathIn(dataDir)}.${process.pid}`;
  await writeFile(unfinished, `${JSON.stringify({ key, login }, null, 2)}\n`, { mode: privateFile });
  await rename(unfinished, pathIn(dataDir));
}

function parse(text: string): DemoAccess {
  const texts = (value: Record<string, unknown> | undefined, ...names: string[]) =>
    value !== undefined && names.every((name) => typeof value[name] === 'string');
  try {
    const { key, login } = JSON.parse(text);
    return {
      key: texts(key, 'username', 'password') ? key : undefined,
      login: texts(login, 'email', 'password') ? login : undefined,
    };
  } catch {
    return { key: undefined, login: undefined };
  }
}

async function isKeyValid(db: Db, { username, password }: NewKey): Promise<boolean> {
  const name = parseUsername(username);
  const secretHash = hashPassword(password);
  const known = name && (await findKey(db, name, secretHash));
  return known !== undefined && known.revoked_at === null && sameHash(secretHash, known.secret_hash);
}

export async function readAccessFile(dataDir: string, db: Db): Promise<DemoAccess> {
  const text = await readFile(pathIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const { key, login } = parse(text);
  const company = key && parseUsername(key.username)?.companyId;
  return {
    key: key && (await isKeyValid(db, key)) ? key : undefined,
    login: login && company && (await isPasswordOf(db, company, login.email, login.password)) ? login : undefined,
  };
}
