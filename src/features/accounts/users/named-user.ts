import type { Role } from '../../../domain/enums.ts';
import { createMessage } from '../../../domain/messages/message.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { ApiError, notFound } from '../../../platform/http/errors.ts';
import type { CompanyContext } from '../../context.ts';
import { listSiblings, lockAddress } from '../memberships.ts';
import { findUserId, lockUser } from './store.ts';

/** Names a user of a company: the portal by id, the operator by address. */
export type UserName = { userId: string } | { email: string };

/** Locks a user as `lockUser` does. Throws if the company has no such user. */
export async function lockNamed(tx: Tx, companyId: CompanyId, name: UserName) {
  const id = 'userId' in name ? name.userId : await findUserId(tx, companyId, name.email);
  const user = id === undefined ? undefined : await lockUser(tx, companyId, id);
  if (user !== undefined) return user;
  if ('userId' in name) throw notFound('user');
  throw new ApiError('not-found', `Company ${companyId} has no portal user ${name.email}: run "user list" to see all.`);
}

/** Throws if a user would remove the last admin, or take that role from them. The operator may. */
export function assertNotLastAdmin(
  { isLastAdmin, name }: { isLastAdmin: boolean; name: string },
  { actor }: CompanyContext['by'],
  next: readonly Role[] = [],
): void {
  if (actor.type !== 'user' || !isLastAdmin || next.includes('admin')) return;
  throw new ApiError('last-admin', createMessage('last-admin', { name }));
}

/** Throws if the account of the user opens other companies too: no admin of one company decides about those. */
export async function assertOnlyHere(tx: Tx, user: { id: string; email: string; name: string }): Promise<void> {
  await lockAddress(tx, user.email);
  if ((await listSiblings(tx, user)).length === 0) return;
  throw new ApiError('account-shared', createMessage('account-shared', { name: user.name }));
}
