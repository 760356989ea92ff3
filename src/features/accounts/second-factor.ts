import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { type Encryption, nameSecretOf } from '../../platform/crypto/encryption.ts';
import { asCompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Account } from '../caller.ts';
import { deletePasskeys, movePasskeys } from './passkeys.ts';
import { createSecret, findStep } from './rules/totp.ts';

const recoveryCodeCount = 10;

const nameOf = ({ companyId, userId }: Account) => nameSecretOf('portal_second_factors', companyId, userId);

/** Restricts a statement to the factor of a user. */
const isOf = ({ companyId, userId }: Account) =>
  sql<boolean>`${ofCompany(companyId, 'portal_second_factors')} and portal_second_factors.user_id = ${userId}`;

/** 80 random bits, so that the SHA-256 alone protects it. */
const createRecoveryCode = () =>
  createSecret(10)
    .toLowerCase()
    .replaceAll(/(.{4})(?=.)/g, '$1-');

const hashCode = (code: string) => hash('sha256', code.toLowerCase().replaceAll(/[\s-]/g, ''), 'hex');

/** Returns how many recovery codes the user has left. Undefined: they have no second factor. */
export async function countRecoveryCodes(db: Db | Tx, account: Account): Promise<number | undefined> {
  const row = await db
    .selectFrom('portal_second_factors')
    .select('recovery_hashes')
    .where(isOf(account))
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst();
  return row?.recovery_hashes.length;
}

/** Holds if user `s` has a second factor that counts for user `p`: their own, or one of another company of their account. */
export const countsFor = sql<boolean>`s.removed_at is null and (s.id = p.id
  or (s.email = p.email and s.address_proven_at is not null and p.address_proven_at is not null))`;

/** The second factors of an account. */
export interface Factors {
  /** Whose authenticator app counts. Undefined: there is none. */
  app: Account | undefined;
  /** Who has passkeys. */
  passkeyOwners: Account[];
}

/**
 * Returns the second factors with which a user signs in. All memberships of an account share them, because switching
 * between them asks for nothing.
 */
export async function findFactors(db: Db | Tx, { companyId, userId }: Account): Promise<Factors> {
  const { rows } = await sql<{ id: string; company: number; hasApp: boolean; hasPasskey: boolean }>`
    select s.id, s.company_id as company,
      exists (select from portal_second_factors f where f.user_id = s.id and f.confirmed_at is not null) as "hasApp",
      exists (select from portal_passkeys k where k.user_id = s.id) as "hasPasskey"
    from portal_users p join portal_users s on ${countsFor}
    where ${ofCompany(companyId, 'p')} and p.id = ${userId}
    order by s.id = p.id desc, s.id`.execute(db);
  const accountOf = (row: { id: string; company: number }) => ({ userId: row.id, companyId: asCompanyId(row.company) });
  const app = rows.find(({ hasApp }) => hasApp);
  return { app: app && accountOf(app), passkeyOwners: rows.filter(({ hasPasskey }) => hasPasskey).map(accountOf) };
}

/** Returns whose authenticator app a user signs in with. Undefined: there is none. */
export const findHolder = async (db: Db | Tx, account: Account): Promise<Account | undefined> =>
  (await findFactors(db, account)).app;

/** Returns whether a user needs a second factor to sign in. */
export async function hasFactor(db: Db | Tx, account: Account): Promise<boolean> {
  const { app, passkeyOwners } = await findFactors(db, account);
  return app !== undefined || passkeyOwners.length > 0;
}

/** Creates the secret of an app that is to be added. It replaces one that was never confirmed, and no other. */
export async function insertSecret(tx: Tx, encryption: Encryption, account: Account): Promise<string | undefined> {
  const secret = createSecret();
  const encrypted_secret = encryption.encrypt(secret, nameOf(account));
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('portal_second_factors')
    .values({ user_id: account.userId, company_id: account.companyId, encrypted_secret })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({ encrypted_secret, last_step: 0 })
        .where('portal_second_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 0n ? undefined : secret;
}

/** Stores the time step of a code, so that it works once. Returns whether the code is right. */
async function useAppCode(tx: Tx, encryption: Encryption, account: Account, code: string): Promise<boolean> {
  const row = await tx
    .selectFrom('portal_second_factors')
    .select(['encrypted_secret', 'last_step'])
    .where(isOf(account))
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return false;
  const secret = encryption.decrypt(row.encrypted_secret, nameOf(account));
  const step = findStep(secret, code.replaceAll(/\s/g, ''), { now: Date.now(), after: row.last_step });
  if (step === undefined) return false;
  await tx.updateTable('portal_second_factors').set({ last_step: step }).where(isOf(account)).execute();
  return true;
}

async function useRecoveryCode(tx: Tx, account: Account, code: string): Promise<boolean> {
  const used = hashCode(code);
  const { numUpdatedRows } = await tx
    .updateTable('portal_second_factors')
    .set({ recovery_hashes: sql`array_remove(recovery_hashes, ${used})` })
    .where(isOf(account))
    .where('confirmed_at', 'is not', null)
    .where(sql<boolean>`${used} = any(recovery_hashes)`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Accepts a code of the app or a recovery code, each once. Returns which it was. Undefined: the code is wrong. */
export async function useCode(
  tx: Tx,
  encryption: Encryption,
  account: Account,
  code: string,
): Promise<'app' | 'recovery' | undefined> {
  if (await useAppCode(tx, encryption, account, code)) return 'app';
  return (await useRecoveryCode(tx, account, code)) ? 'recovery' : undefined;
}

/** Replaces the recovery codes and returns the new ones, which nobody can see again. */
export async function renewRecoveryCodes(tx: Tx, account: Account): Promise<string[]> {
  const now = Temporal.Now.instant().toString();
  const codes = Array.from({ length: recoveryCodeCount }, createRecoveryCode);
  await tx
    .updateTable('portal_second_factors')
    .set({ recovery_hashes: codes.map(hashCode), confirmed_at: sql`coalesce(confirmed_at, ${now}::timestamptz)` })
    .where(isOf(account))
    .execute();
  return codes;
}

/** Removes the app and the recovery codes. Returns whether there were any. */
export async function deleteApp(tx: Tx, account: Account): Promise<boolean> {
  const row = await tx
    .deleteFrom('portal_second_factors')
    .where(isOf(account))
    .returning('confirmed_at')
    .executeTakeFirst();
  return row !== undefined && row.confirmed_at !== null;
}

/**
 * Hands the factors of a membership that ends to another one of the account: they belong to the account and protect its
 * other companies. An app is left out where the other membership has one.
 */
export async function moveFactors(tx: Tx, encryption: Encryption, from: Account, to: Account): Promise<void> {
  await movePasskeys(tx, from, to);
  const row = await tx
    .selectFrom('portal_second_factors')
    .select(['encrypted_secret', 'confirmed_at'])
    .where(isOf(from))
    .forUpdate()
    .executeTakeFirst();
  if (row?.confirmed_at == null || (await countRecoveryCodes(tx, to)) !== undefined) return;
  await tx.deleteFrom('portal_second_factors').where(isOf(to)).execute();
  const encrypted_secret = encryption.encrypt(encryption.decrypt(row.encrypted_secret, nameOf(from)), nameOf(to));
  await tx
    .updateTable('portal_second_factors')
    .set({ user_id: to.userId, company_id: to.companyId, encrypted_secret })
    .where(isOf(from))
    .execute();
}

/** Removes everything but the password by which a user proves who they are. Returns whether there was anything. */
export async function deleteFactors(tx: Tx, account: Account): Promise<boolean> {
  const hadApp = await deleteApp(tx, account);
  return (await deletePasskeys(tx, account.userId)) > 0 || hadApp;
}
