import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type By, insertAudit, redactAudit } from '../../audit.ts';
import { type CompanyId, ofCompany } from '../../db/company-scope.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Role } from '../../domain/enums.ts';
import { removedAddress, removedDomain } from '../../removed-address.ts';
import { deleteSessions } from '../sign-in/end-sessions.ts';
import { hashPassword, saltOf, verifyPassword } from '../sign-in/passwords.ts';

export interface PortalUser {
  id: string;
  name: string;
  email: string;
  role: Role;
  companyId: CompanyId;
  company: { id: CompanyId; name: string; locale: string; currency: string; timeZone: string };
}

/** With what every request needs to know of the company. */
export async function findUser(db: Db, companyId: CompanyId, id: string): Promise<PortalUser | undefined> {
  const row = await db
    .selectFrom('portal_users as p')
    .innerJoin('companies as c', 'c.id', 'p.company_id')
    .select(['p.id', 'p.name', 'p.email', 'p.role'])
    .select(['c.name as company_name', 'c.locale', 'c.currency', 'c.time_zone'])
    .where(ofCompany(companyId, 'p'))
    .where('p.id', '=', id)
    .where('p.removed_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { id: personId, name, email, role, company_name, locale, currency, time_zone } = row;
  const company = { id: companyId, name: company_name, locale, currency, timeZone: time_zone };
  return { id: personId, name, email, role, companyId, company };
}

/** Sessions that ran out are of no use to anybody; whoever comes back takes his along. */
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

export interface NewUser {
  /** Given where the audit log names the person himself as the one who did it. */
  id?: string;
  name: string;
  email: string;
  role: Role;
  password: string;
}

/** Addresses differ by more than case. */
export const userEmailKey = (email: string) => email.trim().toLowerCase();

/**
 * Hashes a password with the salt of the other accounts of the address, if there are any (see `findOpened`). The lock makes
 * those who join two companies at the same moment come one after the other.
 */
async function hashForAddress(tx: Tx, email: string, password: string): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`portal address ${email}`}, 0))`.execute(tx);
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

/** Undefined: somebody of this company has this address already. Accounts of other companies do not matter. */
export async function insertUser(
  tx: Tx,
  companyId: CompanyId,
  person: NewUser,
  by: By = {},
): Promise<string | undefined> {
  const { id = randomUUID(), name, role } = person;
  const email = userEmailKey(person.email);
  const password = await hashForAddress(tx, email, person.password);
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('portal_users')
    .values({
      id,
      company_id: companyId,
      name,
      email,
      email_verified: true,
      role,
      ...(by.at ? { created_at: by.at.toString(), updated_at: by.at.toString() } : {}),
    })
    .onConflict((oc) => oc.columns(['company_id', 'email']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return undefined;
  await tx
    .insertInto('portal_accounts')
    .values({ id: randomUUID(), user_id: id, provider_id: 'credential', account_id: id, password })
    .execute();
  await insertAudit(tx, companyId, { action: 'person.create', target: id, detail: { name, email, role }, ...by });
  return id;
}

/** Nobody whose account was disabled has one. */
const hasPassword = sql<boolean>`exists (select from portal_accounts a where a.user_id = p.id)`;

/** Returns the hash of somebody's password, held until the transaction ends. */
export async function lockPassword(tx: Tx, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('portal_accounts')
    .select('password')
    .where('user_id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row?.password ?? undefined;
}

/** Sets the password; also for somebody who has none, because the account was disabled. */
export async function updatePassword(tx: Tx, { id, email }: { id: string; email: string }, text: string) {
  const password = await hashForAddress(tx, email, text);
  await tx
    .insertInto('portal_accounts')
    .values({ id: randomUUID(), user_id: id, provider_id: 'credential', account_id: id, password })
    .onConflict((oc) => oc.columns(['provider_id', 'account_id']).doUpdateSet({ password, updated_at: sql`now()` }))
    .execute();
}

export async function listUsers(db: Db, companyId: CompanyId) {
  return db
    .selectFrom('portal_users as p')
    .select(['p.id', 'p.name', 'p.email', 'p.role', 'p.last_sign_in_at'])
    .select(hasPassword.as('has_password'))
    .where(ofCompany(companyId, 'p'))
    .where('p.removed_at', 'is', null)
    .orderBy('p.name')
    .orderBy('p.id')
    .execute();
}

export async function isUserOf(db: Db, companyId: CompanyId, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('portal_users as p')
    .select('p.id')
    .where(ofCompany(companyId, 'p'))
    .where('p.email', '=', userEmailKey(email))
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether somebody of the company signs in so. */
export async function isPasswordOf(db: Db, companyId: CompanyId, email: string, password: string): Promise<boolean> {
  const row = await db
    .selectFrom('portal_users as p')
    .innerJoin('portal_accounts as a', 'a.user_id', 'p.id')
    .select('a.password')
    .where(ofCompany(companyId, 'p'))
    .where('p.email', '=', userEmailKey(email))
    .executeTakeFirst();
  return row?.password != null && (await verifyPassword({ hash: row.password, password }));
}

/**
 * Everybody who can administer the company, and the person himself, held until the transaction ends: two admins who remove
 * each other at the same moment come one after the other.
 */
export async function lockUser(tx: Tx, companyId: CompanyId, id: string) {
  const rows = await tx
    .selectFrom('portal_users as p')
    .select(['p.id', 'p.name', 'p.email', 'p.role'])
    .select(hasPassword.as('has_password'))
    .where(ofCompany(companyId, 'p'))
    .where('p.removed_at', 'is', null)
    .where((eb) => eb.or([eb('p.role', '=', 'admin'), eb('p.id', '=', id)]))
    .orderBy('p.id')
    .forUpdate()
    .execute();
  const person = rows.find((row) => row.id === id);
  if (person === undefined) return undefined;
  // Somebody whose account is disabled cannot administer anything.
  const others = rows.filter((row) => row.id !== id && row.role === 'admin' && row.has_password);
  return { ...person, isLastAdmin: person.role === 'admin' && others.length === 0 };
}

/** Returns somebody's role, which nobody can change until the transaction ends. */
export async function holdRole(tx: Tx, companyId: CompanyId, id: string): Promise<Role | undefined> {
  const row = await tx
    .selectFrom('portal_users as p')
    .select('p.role')
    .where(ofCompany(companyId, 'p'))
    .where('p.id', '=', id)
    .where('p.removed_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row?.role;
}

export async function updateRole(tx: Tx, companyId: CompanyId, id: string, role: Role): Promise<void> {
  await tx
    .updateTable('portal_users')
    .set({ role, updated_at: sql`now()` })
    .where(ofCompany(companyId, 'portal_users'))
    .where('id', '=', id)
    .execute();
}

/** Leaves nothing to sign in with: neither a password nor a session. Returns how many sessions there were. */
export async function disablePerson(tx: Tx, id: string): Promise<number> {
  await tx.deleteFrom('portal_accounts').where('user_id', '=', id).execute();
  return deleteSessions(tx, id);
}

/** Gives up the address of somebody, wherever it is kept. The name stays, so that the audit log remains readable. */
async function forgetAddress(tx: Tx, companyId: CompanyId, id: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update invitations i set email = ${removedAddress('i')} from portal_users u
    where ${ofCompany(companyId, 'i')} and ${ofCompany(companyId, 'u')} and u.id = ${id} and i.email = u.email
    returning i.id`.execute(tx);
  await tx
    .updateTable('portal_users')
    .set({ email: `${id}${removedDomain}`, removed_at: sql`now()`, updated_at: sql`now()` })
    .where(ofCompany(companyId, 'portal_users'))
    .where('id', '=', id)
    .execute();
  await redactAudit(tx, companyId, { user: [id], invitation: rows.map((row) => row.id) });
}

/** The address is free for somebody else. Returns how many sessions there were. */
export async function removeUser(tx: Tx, companyId: CompanyId, id: string): Promise<number> {
  await forgetAddress(tx, companyId, id);
  return disablePerson(tx, id);
}
