import { roles } from '../../../domain/enums.ts';
import { type CommandContext, type CommandGroup, command } from '../../../platform/cli/define.ts';
import { companyId, email, listOf, oneOf, required, text } from '../../../platform/cli/options.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import { companyCommand } from '../../company-command.ts';
import type { CompanyContext } from '../../context.ts';

const account = { email: required(email('Email address of the user')) };

const leaving = {
  ...account,
  revokeKeys: oneOf(
    'decision',
    ['yes', 'no'],
    'Whether to revoke all their API keys (default: those that only they know)',
  ),
};

const loadClosing = (how: 'remove' | 'disable') => async () => {
  const { closeAccount } = await import('./close-account.ts');
  return (context: CompanyContext, { email, revokeKeys }: { email: string; revokeKeys: 'yes' | 'no' | undefined }) =>
    closeAccount(context, { email }, { how, ...(revokeKeys && { isRevoked: () => revokeKeys === 'yes' }) });
};

interface PasswordInput {
  company: CompanyId;
  email: string;
  password?: string | undefined;
}

/** Loads a use case that gets a new password, which is read before the database is opened. */
const loadWithPassword =
  <I extends PasswordInput>(
    load: () => Promise<(context: CompanyContext, input: I & { password: string }) => Promise<unknown>>,
  ) =>
  async () => {
    const [useCase, { readNewPassword }, { withCompany }] = await Promise.all([
      load(),
      import('./password-command.ts'),
      import('../../command-context.ts'),
    ]);
    return async (input: I, { config, ...streams }: CommandContext) => {
      const password = await readNewPassword(input.password, input.email, streams);
      return withCompany(config, input.company, (context) => useCase(context, { ...input, password }));
    };
  };

export const userCommands: CommandGroup = {
  description: 'Manage portal users',
  commands: {
    create: command({
      description: 'Create a portal user. Reads the password from standard input.',
      options: {
        company: required(companyId()),
        ...account,
        name: text('name', 'Name of the user (default: the part of the address before the @)'),
        role: listOf('list', roles, 'Comma-separated roles, or all (default: admin)'),
        password: text('password', 'Password. Other users of this computer can see it: prefer standard input'),
      },
      examples: ['user create --company 1 --email ada@example.com --role hr,payroll'],
      load: loadWithPassword(async () => (await import('./insert-user.ts')).createUser),
    }),
    list: companyCommand({
      description: 'List the portal users of a company.',
      examples: ['user list --company 1'],
      async load() {
        const { presentUsers } = await import('./store.ts');
        return ({ db, companyId }) => presentUsers(db, companyId);
      },
    }),
    'set-roles': companyCommand({
      description: 'Give a portal user these roles and no others.',
      options: { ...account, role: required(listOf('list', roles, 'Comma-separated roles, or all')) },
      examples: ['user set-roles --company 1 --email ada@example.com --role hr,payroll'],
      async load() {
        const { setRoles } = await import('./manage-users.ts');
        return (context, { role, ...user }) => setRoles(context, user, role);
      },
    }),
    'reset-password': command({
      description: 'Set a new password, read from standard input. Enables a disabled account again.',
      options: { company: required(companyId()), ...account },
      examples: ['user reset-password --company 1 --email ada@example.com'],
      load: loadWithPassword(async () => {
        const { resetPassword } = await import('./manage-users.ts');
        return (context, { email, password }) => resetPassword(context, { email }, password);
      }),
    }),
    'prove-address': companyCommand({
      description: 'Record that a user owns their address, which makes them part of the account of that address.',
      options: account,
      examples: ['user prove-address --company 1 --email ada@example.com'],
      load: async () => (await import('./manage-users.ts')).proveUserAddress,
    }),
    'reset-second-factor': companyCommand({
      description:
        'Remove passkeys, authenticator app and recovery codes of a user who has lost them, and end their sessions.',
      options: account,
      examples: ['user reset-second-factor --company 1 --email ada@example.com'],
      load: async () => (await import('./manage-users.ts')).resetSecondFactor,
    }),
    disable: companyCommand({
      description: 'Disable the account of a user, end their sessions and revoke the API keys that only they know.',
      options: leaving,
      examples: ['user disable --company 1 --email ada@example.com'],
      load: loadClosing('disable'),
    }),
    remove: companyCommand({
      description: 'Remove the account of a user permanently and revoke the API keys that only they know.',
      options: leaving,
      examples: ['user remove --company 1 --email ada@example.com --revoke-keys no'],
      load: loadClosing('remove'),
    }),
  },
};
