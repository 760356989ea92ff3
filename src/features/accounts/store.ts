import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { SessionMethod } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { type By, insertAudit } from '../activity/record.ts';
import type { Account } from '../caller.ts';
import { listSiblings, lockAddress } from './memberships.ts';
import { hashPassword, saltOf } from './passwords.ts';

/** Ends all sessions of a user except `exceptId`. Returns how many were ended. */
export async function deleteSessions(tx: Tx, userId: string, exceptId = ''): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('portal_sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const protectedMethods: readonly SessionMethod[] = ['password-and-factor', 'passkey'];

/**
 * Ends the sessions of an account that were opened without one of its second factors. The current one stays: its user
 * has just added a factor, and used it.
 */
export async function endUnprotectedSessions(
  tx: Tx,
  user: { id: string; email: string },
  current: { id: string; method: SessionMethod },
): Promise<void> {
  const userIds = [user.id, ...(await listSiblings(tx, user)).map(({ userId }) => userId)];
  await tx
    .deleteFrom('portal_sessions')
    .where('user_id', 'in', userIds)
    .where('id', '<>', current.id)
    .where('method', 'not in', protectedMethods)
    .execute();
  if (current.method !== 'password') return;
  await tx
    .updateTable('portal_sessions')
    .set({ method: 'password-and-factor' satisfies SessionMethod })
    .where('id', '=', current.id)
    .execute();
}

interface Ending {
  userId: string;
  /** The session that stays signed in. */
  exceptId?: string | undefined;
  by: By;
}

/** Ends sessions and records that in the audit log, unless there were none. Returns how many were ended. */
export async function endSessions(tx: Tx, companyId: CompanyId, { userId, exceptId, by }: Ending): Promise<number> {
  const sessions = await deleteSessions(tx, userId, exceptId);
  if (sessions > 0) {
    await insertAudit(tx, companyId, { action: 'session.end', target: userId, detail: { sessions }, ...by });
  }
  return sessions;
}

/** Records a sign-in and deletes the user's expired sessions. */
export async function markSignedIn(tx: Tx, companyId: CompanyId, id: string, lifetimeDays: number): Promise<void> {
  const oldest = sql<string>`now() - make_interval(days => ${lifetimeDays})`;
  await tx
    .deleteFrom('portal_sessions')
    .where('user_id', '=', id)
    .where((eb) => eb.or([eb('expires_at', '<', sql<string>`now()`), eb('created_at', '<', oldest)]))
    .execute();
  await tx
    .updateTable('portal_users')
    .set({ last_sign_in_at: sql`now()` })
    .where(ofCompany(companyId, 'portal_users'))
    .where('id', '=', id)
    .execute();
}

/**
 * Returns the address by which users are compared: trimmed and in lower case. Addresses that differ only in case are
 * equal.
 */
export const userEmailKey = (email: string) => email.trim().toLowerCase();

/**
 * Hashes a password with the salt of the other accounts of the address, if there are any (see `findOpened`). The lock
 * makes users who join two companies at the same moment run one after the other.
 */
export async function hashForAddress(tx: Tx, email: string, password: string): Promise<string> {
  await lockAddress(tx, email);
  const known = await tx
    .selectFrom('portal_users as p')
    .innerJoin('portal_accounts as a', 'a.user_id', 'p.id')
    .select('a.password')
    .where('p.email', '=', email)
    .where('a.password', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return hashPassword(password, known?.password == null ? undefined : saltOf(known.password));
}

/** Returns the hash of a user's password and locks it until the transaction ends. */
export async function lockPassword(tx: Tx, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('portal_accounts')
    .select('password')
    .where('user_id', '=', id)
    .where('provider_id', '=', 'credential')
    .forUpdate()
    .executeTakeFirst();
  return row?.password ?? undefined;
}

/** Stores the hash of a user's password, also for a user who has none. */
export async function storePassword(tx: Tx, id: string, password: string): Promise<void> {
  await tx
    .insertInto('portal_accounts')
    .values({ id: randomUUID(), user_id: id, provider_id: 'credential', account_id: id, password })
    .onConflict((oc) =>
      oc.columns(['provider_id', 'account_id']).doUpdateSet({ password, updated_at: sql`excluded.updated_at` }),
    )
    .execute();
}

/**
 * Sets the password of the user's account and ends all of its sessions. Returns the other memberships that have the
 * password now, and how many sessions of this user there were. This also works for a user who has none because they were
 * disabled, but enables them only in their own company.
 */
export async function replacePassword(tx: Tx, { id, email }: { id: string; email: string }, text: string) {
  const password = await hashForAddress(tx, email, text);
  const siblings = (await listSiblings(tx, { id, email })).filter(({ hash }) => hash !== null);
  for (const userId of [id, ...siblings.map((one) => one.userId)]) await storePassword(tx, userId, password);
  for (const { userId } of siblings) await deleteSessions(tx, userId);
  return { siblings, sessions: await deleteSessions(tx, id) };
}

/** Records in every other company of an account that its password was changed. */
export async function recordPasswordChange(db: Db, siblings: readonly Account[], at: Temporal.Instant): Promise<void> {
  for (const { userId, companyId } of siblings) {
    const entry = { action: 'user.password', target: userId, actor: { type: 'user', name: userId }, at } as const;
    await writeCompany(db, companyId, (tx) => insertAudit(tx, companyId, entry));
  }
}

/**
 * Remembers that a user signed in from a network, given as a keyed hash. Returns whether it is one that they have not used
 * before. The first network of a user is not new: there is nothing to compare it with.
 */
export async function rememberNetwork(tx: Tx, userId: string, network: string): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean; known: number }>`
    with before as (select count(*) as known from portal_known_networks n where n.user_id = ${userId}),
    stored as (
      insert into portal_known_networks (user_id, network) values (${userId}, ${network})
      on conflict (user_id, network) do update set last_used_at = excluded.last_used_at returning xmax = 0 as "isNew")
    select s."isNew", b.known from stored s cross join before b`.execute(tx);
  const [row] = rows;
  return row?.isNew === true && row.known > 0;
}

/** Returns whether the company lets this user sign in with a password. */
export async function isPasswordAllowed(db: Db | Tx, { companyId, userId }: Account): Promise<boolean> {
  const row = await db
    .selectFrom('sso_connections as s')
    .select(['s.is_enforced', 's.break_glass_user_id'])
    .where(ofCompany(companyId, 's'))
    .executeTakeFirst();
  return row === undefined || !row.is_enforced || row.break_glass_user_id === userId;
}

export const ssoRequired = () => new ApiError('sso-required', createMessage('sso-company-requires'));

/** Throws if the company does not let this user sign in with a password. */
export async function assertPasswordAllowed(db: Db | Tx, account: Account): Promise<void> {
  if (!(await isPasswordAllowed(db, account))) throw ssoRequired();
}
