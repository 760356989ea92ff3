import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { Db, Tx } from '../db/database.ts';
import { createEncryption, type Encryption } from './encryption.ts';
import { openSecret, sessionSecretFile } from './open-secret.ts';
import { findForeignSecrets } from './rotate-secrets.ts';

const context = 'environment/secret_check';

/** Returns the check, null if no process has stored one yet, or undefined if the database belongs to no environment. */
export const readSecretCheck = async (db: Db | Tx): Promise<string | null | undefined> =>
  (await db.selectFrom('environment').select('secret_check').executeTakeFirst())?.secret_check;

export const createChangedSecretError = ({ secret, dataDir }: Config) =>
  new OperatorError(
    `${secret === undefined ? `The secret in ${join(dataDir, sessionSecretFile)}` : 'SECRET'} is not the one with which ` +
      'this database was used, so stored secrets cannot be decrypted. Set SECRET to the former one. To change it, set ' +
      'SECRET_PREVIOUS to the former one and run "secrets rotate". If it is lost, run "secrets rotate --accept-loss".',
  );

export const readEncryption = async (config: Config): Promise<Encryption> =>
  createEncryption(await openSecret(config), config.secretPrevious);

export async function writeSecretCheck(db: Db | Tx, encryption: Encryption): Promise<void> {
  await db
    .updateTable('environment')
    .set({ secret_check: encryption.encrypt('', context) })
    .execute();
}

/** Stores the check unless another process has. Returns the one that is stored. */
async function ensureSecretCheck(db: Db | Tx, encryption: Encryption): Promise<string | null | undefined> {
  await db
    .updateTable('environment')
    .set({ secret_check: encryption.encrypt('', context) })
    .where('secret_check', 'is', null)
    .execute();
  return readSecretCheck(db);
}

export async function assertSecret(db: Db | Tx, config: Config, encryption: Encryption): Promise<void> {
  const found = await readSecretCheck(db);
  if (found === null && (await findForeignSecrets(db, encryption)).length > 0) throw createChangedSecretError(config);
  const stored = found === null ? await ensureSecretCheck(db, encryption) : found;
  if (typeof stored === 'string' && !encryption.isKnown(stored)) throw createChangedSecretError(config);
}

/** Returns the encryption of stored secrets with the keys of this environment. Throws if they are not those of the database. */
export async function openEncryption(config: Config, db: Db | Tx): Promise<Encryption> {
  const encryption = await readEncryption(config);
  await assertSecret(db, config, encryption);
  return encryption;
}
