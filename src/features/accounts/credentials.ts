import { asCompanyId, type CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { findOpened } from './passwords.ts';

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
