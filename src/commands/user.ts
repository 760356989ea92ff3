import { insertAudit } from '../audit.ts';
import type { KeyOfUser } from '../auth/keys.ts';
import type { Config } from '../config.ts';
import type { CompanyId } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';
import { roles } from '../domain/enums.ts';
import { isEmail } from '../http/formats.ts';
import { presentOptionalTimestamp } from '../http/view.ts';
import { OperatorError } from '../operator-error.ts';
import { deleteSessions } from '../portal/sign-in/end-sessions.ts';
import { closeAccount, isRevokedByDefault, type LeaveOptions } from '../portal/users/leaving.ts';
import { insertUser, listUsers, updatePassword, userEmailKey } from '../portal/users/queries.ts';
import { type Arguments, assertCompany, type Command, inTransaction } from './command.ts';
import { readNewPassword } from './password.ts';

function readEmail(args: Arguments): string {
  const email = args.text('email');
  if (!isEmail(email)) throw new OperatorError(`--email must be an email address, but is "${email}".`);
  return email;
}

async function findUser(tx: Tx, companyId: CompanyId, email: string) {
  await assertCompany(tx, companyId);
  const user = (await listUsers(tx, companyId)).find((one) => one.email === userEmailKey(email));
  if (user === undefined) throw new OperatorError(`Company ${companyId} has no portal user ${email}.`);
  return user;
}

export const userCreate: Command = {
  usage:
    'user create --company ID --email E [--name N] [--role admin|developer|viewer]   (reads the password from stdin, or --password P)',
  run: async (args, config) => {
    const companyId = args.companyId();
    const email = readEmail(args);
    const name = args.optionalText('name') ?? email.slice(0, email.indexOf('@'));
    const role = args.optionalWord('role', roles) ?? 'admin';
    const password = await readNewPassword(args.optionalText('password'), email);
    return inTransaction(config, async (tx) => {
      await assertCompany(tx, companyId);
      const id = await insertUser(tx, companyId, { name, email, role, password });
      if (id === undefined) throw new OperatorError(`${email} has an account of company ${companyId} already.`);
      return { id };
    });
  },
};

export const userList: Command = {
  usage: 'user list --company ID',
  run: (args, config) => {
    const companyId = args.companyId();
    return inTransaction(config, async (tx) => {
      await assertCompany(tx, companyId);
      return (await listUsers(tx, companyId)).map(({ id, name, email, role, last_sign_in_at, has_password }) => ({
        id,
        name,
        email,
        role,
        disabled: !has_password,
        lastSignInAt: presentOptionalTimestamp(last_sign_in_at),
      }));
    });
  },
};

export const userResetPassword: Command = {
  usage:
    'user reset-password --company ID --email E   (reads the new password from stdin; opens a disabled account again)',
  run: async (args, config) => {
    const companyId = args.companyId();
    const email = readEmail(args);
    const password = await readNewPassword(undefined, email);
    return inTransaction(config, async (tx) => {
      const { id, name } = await findUser(tx, companyId, email);
      await updatePassword(tx, { id, email: userEmailKey(email) }, password);
      const sessions = await deleteSessions(tx, id);
      await insertAudit(tx, companyId, { action: 'user.reset-password', target: id, detail: { name, sessions } });
      return { id, endedSessions: sessions };
    });
  },
};

const yesOrNo = ['yes', 'no'] as const;

const namesOf = (keys: readonly KeyOfUser[]) => keys.map(({ name, username }) => ({ name, username }));

/**
 * Closes the account of a user. By default, revokes the keys whose password no other user was shown. `--revoke-keys`
 * with `yes` or `no` applies to all keys that the user created or was last shown the password of.
 */
function close(args: Arguments, config: Config, how: LeaveOptions['how']) {
  const companyId = args.companyId();
  const email = readEmail(args);
  const decision = args.optionalWord('revoke-keys', yesOrNo);
  const isRevoked = decision === undefined ? isRevokedByDefault : () => decision === 'yes';
  return inTransaction(config, async (tx) => {
    const user = await findUser(tx, companyId, email);
    const { invitations, revoked, kept } = await closeAccount(tx, companyId, user, { how, isRevoked, by: {} });
    return { id: user.id, revokedInvitations: invitations, revokedKeys: namesOf(revoked), keptKeys: namesOf(kept) };
  });
}

const keysHint = 'default: revokes the API keys that only they know';

export const userDisable: Command = {
  usage: `user disable --company ID --email E [--revoke-keys yes|no]   (${keysHint})`,
  run: (args, config) => close(args, config, 'disable'),
};

export const userRemove: Command = {
  usage: `user remove --company ID --email E [--revoke-keys yes|no]   (${keysHint})`,
  run: (args, config) => close(args, config, 'remove'),
};
