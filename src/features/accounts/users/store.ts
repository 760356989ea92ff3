import { sql } from 'kysely';
import type { Role, SecondFactorKind } from '../../../domain/enums.ts';
import { rolesOf, storedRoleOf } from '../../../domain/roles.ts';
import type { Encryption } from '../../../platform/crypto/encryption.ts';
import { type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { removedAddress, removedDomain } from '../../../platform/db/removed-address.ts';
import { presentOptionalTimestamp } from '../../../platform/http/view.ts';
import { redactAudit } from '../../activity/record.ts';
import type { PortalUser } from '../../caller.ts';
import { cancelMails } from '../../notices/queue.ts';
import { listSiblings, lockAddress } from '../memberships.ts';
import { countsFor, deleteFactors, moveFactors } from '../second-factor.ts';
import { deleteSessions, userEmailKey } from '../store.ts';

const hasApp = sql<boolean>`exists (select from portal_users s
  join portal_second_factors f on f.user_id = s.id and f.confirmed_at is not null where ${countsFor})`;
const hasPasskey = sql<boolean>`exists (select from portal_users s
  join portal_passkeys k on k.user_id = s.id where ${countsFor})`;
/** The only ones that an admin of the company can reset. */
const hasOwnFactor = sql<boolean>`(exists (select from portal_second_factors f
  where f.user_id = p.id and f.confirmed_at is not null) or exists (select from portal_passkeys k where k.user_id = p.id))`;

/**
 * Returns a user with the company data that every request needs. Accounts and companies are not joined: on a Citus
 * cluster they are on different machines.
 */
export async function findUser(db: Db, companyId: CompanyId, id: string): Promise<PortalUser | undefined> {
  const [user, company] = await Promise.all([
    db
      .selectFrom('portal_users as p')
      .select(['p.id', 'p.name', 'p.email', 'p.role', 'p.roles'])
      .select([hasApp.as('hasApp'), hasPasskey.as('hasPasskey')])
      .where(ofCompany(companyId, 'p'))
      .where('p.id', '=', id)
      .where('p.removed_at', 'is', null)
      .executeTakeFirst(),
    db
      .selectFrom('companies as c')
      .select(['c.name', 'c.locale', 'c.currency', 'c.time_zone as timeZone'])
      .select(['c.second_factor_required as secondFactorRequired', 'c.session_idle_minutes as sessionIdleMinutes'])
      .where('c.id', '=', companyId)
      .executeTakeFirst(),
  ]);
  if (user === undefined || company === undefined) return undefined;
  const { id: userId, name, email } = user;
  const secondFactors: SecondFactorKind[] = [
    ...(user.hasApp ? ['app' as const] : []),
    ...(user.hasPasskey ? ['passkey' as const] : []),
  ];
  const { secondFactorRequired, sessionIdleMinutes, ...shown } = company;
  return {
    ...{ id: userId, name, email, roles: rolesOf(user) },
    ...{ hasSecondFactor: secondFactors.length > 0, secondFactors },
    ...{ companyId, company: { id: companyId, ...shown } },
    policy: { secondFactorRequired, sessionIdleMinutes },
  };
}

/** False for users whose account was disabled. */
const hasPassword = sql<boolean>`exists (select from portal_accounts a where a.user_id = p.id)`;

export async function listUsers(db: Db, companyId: CompanyId) {
  const rows = await db
    .selectFrom('portal_users as p')
    .select(['p.id', 'p.name', 'p.email', 'p.role', 'p.roles', 'p.last_sign_in_at'])
    .select([hasPassword.as('has_password'), hasOwnFactor.as('hasSecondFactor')])
    .where(ofCompany(companyId, 'p'))
    .where('p.removed_at', 'is', null)
    .orderBy('p.name')
    .orderBy('p.id')
    .execute();
  return rows.map(({ role, roles, ...user }) => ({ ...user, roles: rolesOf({ role, roles }) }));
}

/** Returns the users of a company as the portal and the operator see them. */
export const presentUsers = async (db: Db, companyId: CompanyId) =>
  (await listUsers(db, companyId)).map(({ last_sign_in_at, has_password, ...user }) => ({
    ...user,
    disabled: !has_password,
    lastSignInAt: presentOptionalTimestamp(last_sign_in_at),
  }));

/** Returns who has the address in a company. */
export async function findUserId(db: Db | Tx, companyId: CompanyId, email: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('portal_users as p')
    .select('p.id')
    .where(ofCompany(companyId, 'p'))
    .where('p.email', '=', userEmailKey(email))
    .executeTakeFirst();
  return row?.id;
}

/**
 * Locks the user and every user who can administer the company until the transaction ends. Two admins who remove each
 * other at the same moment therefore run one after the other.
 */
export async function lockUser(tx: Tx, companyId: CompanyId, id: string) {
  const rows = await tx
    .selectFrom('portal_users as p')
    .select(['p.id', 'p.name', 'p.email', 'p.role', 'p.roles'])
    .select(hasPassword.as('has_password'))
    .where(ofCompany(companyId, 'p'))
    .where('p.removed_at', 'is', null)
    .where((eb) => eb.or([eb('p.role', '=', 'admin'), eb('p.id', '=', id)]))
    .orderBy('p.id')
    .forUpdate()
    .execute();
  const user = rows.find((row) => row.id === id);
  if (user === undefined) return undefined;
  // A user whose account is disabled cannot administer anything.
  const others = rows.filter((row) => row.id !== id && row.role === 'admin' && row.has_password);
  return { ...user, roles: rolesOf(user), isLastAdmin: user.role === 'admin' && others.length === 0 };
}

/** Returns a user's roles and locks them against changes until the transaction ends. */
export async function lockRoles(tx: Tx, companyId: CompanyId, id: string): Promise<Role[] | undefined> {
  const row = await tx
    .selectFrom('portal_users as p')
    .select(['p.role', 'p.roles'])
    .where(ofCompany(companyId, 'p'))
    .where('p.id', '=', id)
    .where('p.removed_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row && rolesOf(row);
}

export async function updateRoles(tx: Tx, companyId: CompanyId, id: string, roles: Role[]): Promise<void> {
  await tx
    .updateTable('portal_users')
    .set({ role: storedRoleOf(roles), roles, updated_at: sql`now()` })
    .where(ofCompany(companyId, 'portal_users'))
    .where('id', '=', id)
    .execute();
}

/** Deletes the user's password and sessions, so that they cannot sign in. Returns how many sessions there were. */
export async function disableUser(tx: Tx, id: string): Promise<number> {
  await tx.deleteFrom('portal_accounts').where('user_id', '=', id).execute();
  return deleteSessions(tx, id);
}

/** Erases a user's address wherever it is stored. The name stays, so that the audit log remains readable. */
async function eraseAddress(tx: Tx, companyId: CompanyId, id: string): Promise<void> {
  const user = await tx
    .selectFrom('portal_users as u')
    .select('u.email')
    .where(ofCompany(companyId, 'u'))
    .where('u.id', '=', id)
    .executeTakeFirst();
  const { rows } = await sql<{ id: number }>`
    update invitations i set email = ${removedAddress('i')}
    where ${ofCompany(companyId, 'i')} and i.email = ${user?.email ?? null}
    returning i.id`.execute(tx);
  if (user !== undefined) await cancelMails(tx, companyId, { recipient: user.email });
  await tx
    .updateTable('portal_users')
    .set({ email: `${id}${removedDomain}`, removed_at: sql`now()`, updated_at: sql`now()`, saved_views: null })
    .where(ofCompany(companyId, 'portal_users'))
    .where('id', '=', id)
    .execute();
  await redactAudit(tx, companyId, { user: [id], invitation: rows.map((row) => row.id) });
}

/**
 * Removes a user, whose address another user can then take. Their second factors stay with the account, if they have
 * other companies. Returns how many sessions there were.
 */
export async function removeUser(
  tx: Tx,
  companyId: CompanyId,
  { id, email }: { id: string; email: string },
  encryption: Encryption,
): Promise<number> {
  await lockAddress(tx, email);
  const siblings = await listSiblings(tx, { id, email });
  const heir = siblings.find(({ hash }) => hash !== null) ?? siblings[0];
  if (heir !== undefined) await moveFactors(tx, encryption, { companyId, userId: id }, heir);
  await eraseAddress(tx, companyId, id);
  await deleteFactors(tx, { companyId, userId: id });
  await tx.deleteFrom('portal_known_networks').where('user_id', '=', id).execute();
  return disableUser(tx, id);
}
