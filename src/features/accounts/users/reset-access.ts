import type { Tx } from '../../../platform/db/database.ts';
import { ApiError, notFound } from '../../../platform/http/errors.ts';
import { insertAudit } from '../../activity/record.ts';
import type { CompanyContext } from '../../context.ts';
import { type Account, listSiblings } from '../memberships.ts';
import { proveAddress } from '../prove-address.ts';
import { deleteFactors } from '../second-factor.ts';
import { deleteSessions, replacePassword } from '../store.ts';
import { assertOnlyHere, lockNamed, type UserName } from './named-user.ts';

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
 * this company alone, whom `notify` informs. The operator does it in all companies of the account, and informs the user.
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
