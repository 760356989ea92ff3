import type { Role } from '../../../domain/enums.ts';
import type { CommandContext } from '../../../platform/cli/define.ts';
import { OperatorError } from '../../../platform/config/operator-error.ts';
import { openEncryption } from '../../../platform/crypto/open-encryption.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { presentOptionalTimestamp } from '../../../platform/http/view.ts';
import { insertAudit } from '../../activity/record.ts';
import { assertCompany, changeCompany, inTransaction } from '../../command-context.ts';
import type { KeyOfUser } from '../../keys/keys.ts';
import { listEndpointsOf } from '../../webhooks/list-endpoints.ts';
import { deleteSessions, deleteSessionsOf } from '../end-sessions.ts';
import { listSiblings } from '../memberships.ts';
import { proveAddress } from '../prove-address.ts';
import { deleteFactors } from '../second-factor.ts';
import { updatePassword, userEmailKey } from '../store.ts';
import { changeRoles } from './change-roles.ts';
import { type CloseAccountOptions, closeAccount, isRevokedByDefault } from './close-account.ts';
import { readNewPassword } from './password-command.ts';
import { insertUser, listUsers } from './store.ts';

interface AccountOptions {
  company: CompanyId;
  email: string;
}

async function findUser(tx: Tx, companyId: CompanyId, email: string) {
  await assertCompany(tx, companyId);
  const user = (await listUsers(tx, companyId)).find((one) => one.email === userEmailKey(email));
  if (user === undefined)
    throw new OperatorError(`Company ${companyId} has no portal user ${email}: run "user list" to see all.`);
  return user;
}

interface CreateOptions extends AccountOptions {
  name: string | undefined;
  role: Role[] | undefined;
  password: string | undefined;
}

export async function createUser(
  { company, email, ...options }: CreateOptions,
  { config, ...streams }: CommandContext,
) {
  const name = options.name ?? email.slice(0, email.indexOf('@'));
  const roles = options.role ?? ['admin'];
  const password = await readNewPassword(options.password, email, streams);
  return changeCompany(config, company, async (tx) => {
    await assertCompany(tx, company);
    const id = await insertUser(tx, company, { name, email, roles, password });
    if (id === undefined)
      throw new OperatorError(
        `${email} already has an account in company ${company}: set a new password with "user reset-password".`,
      );
    return { id };
  });
}

export const listCompanyUsers = ({ company }: { company: CompanyId }, { config }: CommandContext) =>
  inTransaction(config, async (tx) => {
    await assertCompany(tx, company);
    return (await listUsers(tx, company)).map(({ id, name, email, roles, last_sign_in_at, has_password }) => ({
      id,
      name,
      email,
      roles,
      disabled: !has_password,
      lastSignInAt: presentOptionalTimestamp(last_sign_in_at),
    }));
  });

interface SetRolesOptions extends AccountOptions {
  role: Role[];
}

export const setRoles = ({ company, email, role: roles }: SetRolesOptions, { config }: CommandContext) =>
  changeCompany(config, company, async (tx) => {
    const user = await findUser(tx, company, email);
    await changeRoles(tx, company, user, { roles, by: {} });
    return { id: user.id, roles };
  });

export async function resetPassword({ company, email }: AccountOptions, { config, ...streams }: CommandContext) {
  const password = await readNewPassword(undefined, email, streams);
  return changeCompany(config, company, async (tx) => {
    const { id, name } = await findUser(tx, company, email);
    const siblings = await updatePassword(tx, { id, email: userEmailKey(email) }, password);
    await deleteSessionsOf(
      tx,
      siblings.map(({ userId }) => userId),
    );
    const sessions = await deleteSessions(tx, id);
    await insertAudit(tx, company, { action: 'user.reset-password', target: id, detail: { name, sessions } });
    return { id, endedSessions: sessions };
  });
}

/** Records the operator's word that the user owns their address. */
export const proveUserAddress = ({ company, email }: AccountOptions, { config }: CommandContext) =>
  changeCompany(config, company, async (tx) => {
    const user = await findUser(tx, company, email);
    await proveAddress(tx, company, { id: user.id, email: user.email, by: {} });
    return { id: user.id };
  });

/** Needs no mail server: the operator informs the user. */
export const resetSecondFactor = ({ company, email }: AccountOptions, { config }: CommandContext) =>
  changeCompany(config, company, async (tx) => {
    const user = await findUser(tx, company, email);
    const { id, name } = user;
    // They belong to the account, so they are removed in all of its companies.
    let removed = 0;
    let sessions = 0;
    for (const one of [{ userId: id, companyId: company }, ...(await listSiblings(tx, user))]) {
      if (await deleteFactors(tx, one)) removed += 1;
      sessions += await deleteSessions(tx, one.userId);
    }
    if (removed === 0) throw new OperatorError(`${email} has no second factor: nothing to reset.`);
    await insertAudit(tx, company, { action: 'user.reset-second-factor', target: id, detail: { name, sessions } });
    return { id, endedSessions: sessions };
  });

interface LeavingOptions extends AccountOptions {
  revokeKeys: 'yes' | 'no' | undefined;
}

const namesOf = (keys: readonly KeyOfUser[]) => keys.map(({ name, username }) => ({ name, username }));

/**
 * Closes the account of a user. By default, revokes the keys whose password no other user was shown. `revokeKeys`
 * applies to all keys that the user created or was last shown the password of.
 */
const closeWith =
  (how: CloseAccountOptions['how']) =>
  ({ company, email, revokeKeys }: LeavingOptions, { config }: CommandContext) => {
    const isRevoked = revokeKeys === undefined ? isRevokedByDefault : () => revokeKeys === 'yes';
    return changeCompany(config, company, async (tx) => {
      const encryption = await openEncryption(config, tx);
      const user = await findUser(tx, company, email);
      const options = { how, isRevoked, encryption, by: {} };
      const { invitations, revoked, kept } = await closeAccount(tx, company, user, options);
      // They go on, but the user may know their secrets, or own their receivers.
      const webhooks = (await listEndpointsOf(tx, company, user.id)).map(({ id, url }) => ({
        id,
        host: new URL(url).host,
      }));
      const keys = { revokedKeys: namesOf(revoked), keptKeys: namesOf(kept) };
      return { id: user.id, revokedInvitations: invitations, ...keys, webhooks };
    });
  };

export const disableUser = closeWith('disable');
export const removeUser = closeWith('remove');
