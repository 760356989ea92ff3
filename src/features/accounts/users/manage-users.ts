import type { Role } from '../../../domain/enums.ts';
import { createMessage } from '../../../domain/messages/message.ts';
import { isAble, sortRoles } from '../../../domain/roles.ts';
import { type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { ApiError, notFound } from '../../../platform/http/errors.ts';
import { type By, insertAudit } from '../../activity/record.ts';
import type { Account } from '../../caller.ts';
import type { CompanyContext } from '../../context.ts';
import { listSiblings, lockAddress } from '../memberships.ts';
import { verifyPassword } from '../passwords.ts';
import { proveAddress } from '../prove-address.ts';
import { deleteFactors } from '../second-factor.ts';
import { deleteSessions, replacePassword, userEmailKey } from '../store.ts';
import { revokeInvitations } from './invitations.ts';
import { findUserId, lockUser, updateRoles } from './store.ts';

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

/** Gives a locked user these roles and nothing else. Records it, unless they had exactly these. */
export async function changeRoles(
  tx: Tx,
  companyId: CompanyId,
  { id, name, roles: before }: { id: string; name: string; roles: Role[] },
  { roles, by }: { roles: readonly Role[]; by: By },
): Promise<void> {
  const next = sortRoles(roles);
  if (next.join() === before.join()) return;
  await updateRoles(tx, companyId, id, next);
  const detail = { name, from: before, to: next };
  await insertAudit(tx, companyId, { action: 'user.role', target: id, detail, ...by });
  // An invitation that they sent as an admin would let them return as an admin.
  if (!isAble(next, 'users')) await revokeInvitations(tx, companyId, { invited_by: id }, by);
}

export const setRoles = ({ companyId, by, write }: CompanyContext, user: UserName, roles: Role[]) =>
  write(async (tx) => {
    const found = await lockNamed(tx, companyId, user);
    assertNotLastAdmin(found, by, roles);
    await changeRoles(tx, companyId, found, { roles, by });
    return { id: found.id, roles };
  });

/** Sets a new password, which also enables a disabled account again. */
export const resetPassword = ({ companyId, by, write }: CompanyContext, user: UserName, password: string) =>
  write(async (tx) => {
    const { id, name, email } = await lockNamed(tx, companyId, user);
    const { sessions } = await replacePassword(tx, { id, email }, password);
    await insertAudit(tx, companyId, { action: 'user.reset-password', target: id, detail: { name, sessions }, ...by });
    return { id, endedSessions: sessions };
  });

/**
 * Removes the second factors of a user who has lost them, and ends their sessions. An admin does this only for users of
 * this company alone, and `notify` informs them. The operator does it in all companies of the account, and informs the user.
 */
export const resetSecondFactor = (
  { companyId, by, write }: CompanyContext,
  named: UserName,
  notify?: (tx: Tx, account: Account) => Promise<void>,
) =>
  write(async (tx) => {
    const user = await lockNamed(tx, companyId, named);
    const { id, name } = user;
    if (by.actor.type === 'user') await assertOnlyHere(tx, user);
    let removed = 0;
    let sessions = 0;
    for (const one of [{ userId: id, companyId }, ...(await listSiblings(tx, user))]) {
      if (await deleteFactors(tx, one)) removed += 1;
      sessions += await deleteSessions(tx, one.userId);
    }
    if (removed === 0)
      throw 'email' in named
        ? new ApiError('not-found', `${named.email} has no second factor: nothing to reset.`)
        : notFound('user with a second factor');
    const detail = { name, sessions };
    await insertAudit(tx, companyId, { action: 'user.reset-second-factor', target: id, detail, ...by });
    await notify?.(tx, { userId: id, companyId });
    return { id, endedSessions: sessions };
  });

/** Records the operator's word that the user owns their address. */
export const proveUserAddress = ({ companyId, by, write }: CompanyContext, user: UserName) =>
  write(async (tx) => {
    const { id, email } = await lockNamed(tx, companyId, user);
    await proveAddress(tx, companyId, { id, email, by });
    return { id };
  });

/** Returns whether address and password belong to a user of the company. */
export async function isPasswordOf(db: Db, companyId: CompanyId, email: string, password: string): Promise<boolean> {
  const row = await db
    .selectFrom('portal_users as p')
    .innerJoin('portal_accounts as a', 'a.user_id', 'p.id')
    .select('a.password')
    .where(ofCompany(companyId, 'p'))
    .where('a.provider_id', '=', 'credential')
    .where('p.email', '=', userEmailKey(email))
    .executeTakeFirst();
  return row?.password != null && (await verifyPassword({ hash: row.password, password }));
}
