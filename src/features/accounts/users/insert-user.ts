import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Role } from '../../../domain/enums.ts';
import { sortRoles, storedRoleOf } from '../../../domain/roles.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type By, insertAudit } from '../../activity/record.ts';
import { hashForAddress, userEmailKey } from '../store.ts';

export interface NewUser {
  /** Set where the audit log names this user as their own creator. */
  id?: string;
  name: string;
  email: string;
  roles: readonly Role[];
  /** The text of the password, or the hash of the account's password. */
  password: string | { hash: string };
  /** Whether the user has proven that the address is theirs. If not, the account is local to the company. */
  isProven?: boolean;
}

/**
 * Returns the new user's id, or undefined if a user of this company already has the address. Accounts of other
 * companies do not matter.
 */
export async function insertUser(
  tx: Tx,
  companyId: CompanyId,
  user: NewUser,
  by: By = {},
): Promise<string | undefined> {
  const { id = randomUUID(), name } = user;
  const roles = sortRoles(user.roles);
  const email = userEmailKey(user.email);
  const password =
    typeof user.password === 'string' ? await hashForAddress(tx, email, user.password) : user.password.hash;
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('portal_users')
    .values({
      id,
      company_id: companyId,
      name,
      email,
      email_verified: true,
      ...(user.isProven ? { address_proven_at: sql`now()` } : {}),
      role: storedRoleOf(roles),
      roles,
      ...(by.at ? { created_at: by.at.toString(), updated_at: by.at.toString() } : {}),
    })
    .onConflict((oc) => oc.columns(['company_id', 'email']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return undefined;
  await tx
    .insertInto('portal_accounts')
    .values({ id: randomUUID(), user_id: id, provider_id: 'credential', account_id: id, password })
    .execute();
  await insertAudit(tx, companyId, { action: 'user.create', target: id, detail: { name, email, roles }, ...by });
  return id;
}
