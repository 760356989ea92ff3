import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { asCompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Account } from './credentials.ts';
import { type StoredKey, userHandleOf, type VerifiedKey } from './webauthn.ts';

/** How many passkeys a user can have. */
export const maxPasskeys = 10;

const shown = ['id', 'name', 'is_synced', 'created_at', 'last_used_at'] as const;

/** Returns the passkeys that this user has added, oldest first. */
export const listPasskeys = (db: Db | Tx, { userId }: Account) =>
  db
    .selectFrom('portal_passkeys')
    .select([...shown, 'credential_id', 'transports'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export type Passkey = Awaited<ReturnType<typeof listPasskeys>>[number];

/** Stores a passkey. Returns undefined if a user, this one or another, already has it. */
export const insertPasskey = (
  tx: Tx,
  { userId, companyId }: Account,
  name: string,
  { credentialId, publicKey, counter, transports, isSynced }: VerifiedKey,
): Promise<Passkey | undefined> =>
  tx
    .insertInto('portal_passkeys')
    .values({
      ...{ id: randomUUID(), user_id: userId, company_id: companyId, name },
      ...{ credential_id: credentialId, public_key: publicKey, counter, transports, is_synced: isSynced },
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning([...shown, 'credential_id', 'transports'])
    .executeTakeFirst();

/** Returns a passkey with its owner and locks it, so that its counter is compared and stored in one step. */
export async function lockPasskey(
  tx: Tx,
  credentialId: string,
): Promise<(Account & StoredKey & { userHandle: string }) | undefined> {
  const row = await tx
    .selectFrom('portal_passkeys as k')
    .innerJoin('portal_users as u', 'u.id', 'k.user_id')
    .select(['k.user_id', 'k.company_id', 'k.credential_id', 'k.public_key', 'k.counter', 'k.user_handle'])
    .where('k.credential_id', '=', credentialId)
    .where('u.removed_at', 'is', null)
    .forUpdate('k')
    .executeTakeFirst();
  return (
    row && {
      ...{ userId: row.user_id, companyId: asCompanyId(row.company_id) },
      ...{ credentialId: row.credential_id, publicKey: row.public_key, counter: row.counter },
      userHandle: row.user_handle ?? userHandleOf(row.user_id),
    }
  );
}

/** Stores that a passkey was used. */
export async function markUsed(tx: Tx, credentialId: string, used: { counter: number; isSynced: boolean }) {
  await tx
    .updateTable('portal_passkeys')
    .set({ counter: used.counter, is_synced: used.isSynced, last_used_at: sql`now()` })
    .where('credential_id', '=', credentialId)
    .execute();
}

/** Removes a passkey of this user. Returns its name. */
export async function deletePasskey(tx: Tx, { userId }: Account, id: string): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('portal_passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/** Gives all passkeys of a user to another membership of the account. Authenticators keep the name that they have stored. */
export async function movePasskeys(tx: Tx, from: Account, to: Account): Promise<void> {
  await tx
    .updateTable('portal_passkeys')
    .set({
      ...{ user_id: to.userId, company_id: to.companyId },
      user_handle: sql`coalesce(user_handle, ${userHandleOf(from.userId)})`,
    })
    .where('user_id', '=', from.userId)
    .execute();
}

/** Removes all passkeys of a user. Returns how many there were. */
export async function deletePasskeys(tx: Tx, userId: string): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('portal_passkeys').where('user_id', '=', userId).executeTakeFirst();
  return Number(numDeletedRows);
}
