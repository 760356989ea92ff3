import type { Role } from '../../../domain/enums.ts';
import { ApiError } from '../../../platform/http/errors.ts';
import type { CompanyContext } from '../../context.ts';
import { insertUser } from './insert-user.ts';

interface NewUser {
  email: string;
  name?: string | undefined;
  role?: Role[] | undefined;
  password: string;
}

/** Creates a user without an invitation, for the operator. */
export async function createUser(
  { companyId, by, write }: CompanyContext,
  { email, role, password, ...given }: NewUser,
) {
  const name = given.name ?? email.slice(0, email.indexOf('@'));
  const user = { name, email, roles: role ?? ['admin' as const], password };
  const id = await write((tx) => insertUser(tx, companyId, user, by));
  if (id !== undefined) return { id };
  throw new ApiError(
    'email-taken',
    `${email} already has an account in company ${companyId}: set a new password with "user reset-password".`,
  );
}
