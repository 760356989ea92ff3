import { sql } from 'kysely';
import { asCompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Account } from '../caller.ts';
import { findOpened } from './passwords.ts';

/** A user of a company. The memberships with a proof of the same address form one account. */
export interface Membership extends Account {
  /** Null: disabled by the company. */
  hash: string | null;
  name: string;
  isProven: boolean;
}

/** Returns every user with this address in any company, most recently used first. `email` is a key of an address. */
async function listMemberships(db: Db | Tx, email: string): Promise<Membership[]> {
  const rows = await db
    .selectFrom('portal_users as u')
    .leftJoin('portal_accounts as a', (join) =>
      join.onRef('a.user_id', '=', 'u.id').on('a.provider_id', '=', 'credential'),
    )
    .select(['u.id as userId', 'u.company_id', 'u.name', 'u.address_proven_at', 'a.password as hash'])
    .where('u.email', '=', email)
    .where('u.removed_at', 'is', null)
    .orderBy('u.last_sign_in_at', (order) => order.desc().nullsLast())
    .orderBy('u.id')
    .execute();
  return rows.map(({ company_id, address_proven_at, ...row }) => ({
    ...row,
    companyId: asCompanyId(company_id),
    isProven: address_proven_at !== null,
  }));
}

/** Returns the memberships of the account of an address. */
export const listProvenMemberships = async (db: Db | Tx, email: string): Promise<Membership[]> =>
  (await listMemberships(db, email)).filter(({ isProven }) => isProven);

export type PasswordAccount = Membership & { hash: string };

/** Returns the users with this address who have a password. */
export const listAccounts = async (db: Db | Tx, email: string): Promise<PasswordAccount[]> =>
  (await listMemberships(db, email)).filter((one): one is PasswordAccount => one.hash !== null);

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

/**
 * Returns the account that address and password open together. If they open accounts of several companies, returns the
 * most recently used one that `isAllowed` accepts, or else the most recently used one.
 */
export async function findAccount(
  accounts: readonly PasswordAccount[],
  password: string,
  isAllowed: (account: Account) => Promise<boolean>,
): Promise<PasswordAccount | undefined> {
  const opened = await findOpened(accounts, password);
  for (const account of opened) if (await isAllowed(account)) return account;
  return opened[0];
}
