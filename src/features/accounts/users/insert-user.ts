import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Role } from '../../../domain/enums.ts';
import { sortRoles, storedRoleOf } from '../../../domain/roles.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { ApiError } from '../../../platform/http/errors.ts';
import { type By, insertAudit } from '../../activity/record.ts';
import type { CompanyContext } from '../../context.ts';
import { hashForAddress, storePassword, userEmailKey } from '../store.ts';

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
      ...{ id, company_id: companyId, name, email, email_verified: true, role: storedRoleOf(roles), roles },
      ...(user.isProven ? { address_proven_at: sql`now()` } : {}),
      ...(by.at ? { created_at: by.at.toString(), updated_at: by.at.toString() } : {}),
    })
    .onConflict((oc) => oc.columns(['company_id', 'email']).doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return undefined;
  await storePassword(tx, id, password);
  await insertAudit(tx, companyId, { action: 'user.create', target: id, detail: { name, email, roles }, ...by });
  return id;
}

/** Creates a user without an invitation, for the operator. */
export async function createUser(
  { companyId, by, write }: CompanyContext,
  {
    email,
    role: roles = ['admin'],
    password,
    name = email.slice(0, email.indexOf('@')),
  }: {
    email: string;
    name?: string | undefined;
    role?: Role[] | undefined;
    password: string;
  },
) {
  const id = await write((tx) => insertUser(tx, companyId, { name, email, roles, password }, by));
  if (id !== undefined) return { id };
  throw new ApiError(
    'email-taken',
    `${email} already has an account in company ${companyId}: set a new password with "user reset-password".`,
  );
}
