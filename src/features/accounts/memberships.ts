import { sql } from 'kysely';
import { asCompanyId, type CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { findOpened } from './passwords.ts';

/** A user of a company. The memberships with a proof of the same address form one account. */
export interface Membership {
  userId: string;
  companyId: CompanyId;
  /** Null: disabled by the company. */
  hash: string | null;
  name: string;
}

const columns = ['u.id', 'u.company_id', 'u.name', 'a.password'] as const;

const present = (row: { id: string; company_id: number; name: string; password: string | null }): Membership => ({
  userId: row.id,
  companyId: asCompanyId(row.company_id),
  hash: row.password,
  name: row.name,
});

/** Returns the memberships of the account of an address, most recently used first. `email` is a key of an address. */
export async function listProvenMemberships(db: Db | Tx, email: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom('portal_users as u')
    .leftJoin('portal_accounts as a', (join) =>
      join.onRef('a.user_id', '=', 'u.id').on('a.provider_id', '=', 'credential'),
    )
    .select(columns)
    .where('u.email', '=', email)
    .where('u.removed_at', 'is', null)
    .where('u.address_proven_at', 'is not', null)
    .orderBy('u.last_sign_in_at', (order) => order.desc().nullsLast())
    .orderBy('u.id')
    .execute();
  return rows.map(present);
}

/**
 * Returns the other memberships of the user's account. None if this user has not proven the address: an admin may have
 * entered any address and passed the link to somebody else.
 */
export async function listSiblings(db: Db | Tx, { id, email }: { id: string; email: string }): Promise<Membership[]> {
  const memberships = await listProvenMemberships(db, email);
  const isProven = memberships.some(({ userId }) => userId === id);
  return isProven ? memberships.filter(({ userId }) => userId !== id) : [];
}

async function hasAccountOf(db: Db | Tx, userId: string, provider: 'oidc' | 'credential'): Promise<boolean> {
  const row = await db
    .selectFrom('portal_accounts')
    .select('id')
    .where('user_id', '=', userId)
    .where('provider_id', '=', provider)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns whether the user signs in at an identity provider. Such a session stays in its company, whose provider must
 * not open other companies.
 */
export const hasIdentity = (db: Db | Tx, userId: string) => hasAccountOf(db, userId, 'oidc');

/** Returns whether the user has a password. Users who are disabled have none. */
export const hasPassword = (db: Db | Tx, userId: string) => hasAccountOf(db, userId, 'credential');

/** Makes everybody who changes the account of an address run one after the other. */
export async function lockAddress(tx: Tx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`portal address ${email}`}, 0))`.execute(tx);
}

/** Stores that the user owns their address. */
export async function markProven(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('portal_users')
    .set({ address_proven_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
}

export interface Account {
  userId: string;
  companyId: CompanyId;
}

/** Returns every account of the address in any company, most recently used first. */
export async function listAccounts(db: Db, email: string): Promise<(Account & { hash: string })[]> {
  const rows = await db
    .selectFrom('portal_users as u')
    .innerJoin('portal_accounts as a', 'a.user_id', 'u.id')
    .select(['u.id', 'u.company_id', 'a.password'])
    .where('u.email', '=', email)
    .where('u.removed_at', 'is', null)
    .orderBy('u.last_sign_in_at', (order) => order.desc().nullsLast())
    .orderBy('u.id')
    .execute();
  return rows.flatMap(({ id, company_id, password }) =>
    password === null ? [] : [{ userId: id, companyId: asCompanyId(company_id), hash: password }],
  );
}

/**
 * Returns the account that address and password open together. If they open accounts of several companies, returns the
 * most recently used one that `isAllowed` accepts, or else the most recently used one.
 */
export async function findAccount(
  accounts: readonly (Account & { hash: string })[],
  password: string,
  isAllowed: (account: Account) => Promise<boolean>,
): Promise<(Account & { hash: string }) | undefined> {
  const opened = await findOpened(accounts, password);
  for (const account of opened) if (await isAllowed(account)) return account;
  return opened[0];
}
