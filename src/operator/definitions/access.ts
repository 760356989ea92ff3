import { roles } from '../../domain/enums.ts';
import { type CommandGroup, command } from '../../platform/cli/define.ts';
import { companyId, email, listOf, oneOf, required, text } from '../../platform/cli/options.ts';

const account = { company: required(companyId()), email: required(email('Email address of the user')) };

const leaving = {
  ...account,
  revokeKeys: oneOf(
    'decision',
    ['yes', 'no'],
    'Whether to revoke all their API keys (default: those that only they know)',
  ),
};

const user: CommandGroup = {
  description: 'Manage portal users',
  commands: {
    create: command({
      description: 'Create a portal user. Reads the password from standard input.',
      options: {
        ...account,
        name: text('name', 'Name of the user (default: the part of the address before the @)'),
        role: listOf('list', roles, 'Comma-separated roles, or all (default: admin)'),
        password: text('password', 'Password. Other users of this computer can see it: prefer standard input'),
      },
      examples: ['user create --company 1 --email ada@example.com --role hr,payroll'],
      load: async () => (await import('../../features/accounts/users/commands.ts')).createUser,
    }),
    list: command({
      description: 'List the portal users of a company.',
      options: { company: required(companyId()) },
      examples: ['user list --company 1'],
      load: async () => (await import('../../features/accounts/users/commands.ts')).listCompanyUsers,
    }),
    'set-roles': command({
      description: 'Give a portal user these roles and no others.',
      options: { ...account, role: required(listOf('list', roles, 'Comma-separated roles, or all')) },
      examples: ['user set-roles --company 1 --email ada@example.com --role hr,payroll'],
      load: async () => (await import('../../features/accounts/users/commands.ts')).setRoles,
    }),
    'reset-password': command({
      description: 'Set a new password, read from standard input. Enables a disabled account again.',
      options: account,
      examples: ['user reset-password --company 1 --email ada@example.com'],
      load: async () => (await import('../../features/accounts/users/commands.ts')).resetPassword,
    }),
    'prove-address': command({
      description: 'Record that a user owns their address, which makes them part of the account of that address.',
      options: account,
      examples: ['user prove-address --company 1 --email ada@example.com'],
      load: async () => (await import('../../features/accounts/users/commands.ts')).proveUserAddress,
    }),
    'reset-second-factor': command({
      description:
        'Remove passkeys, authenticator app and recovery codes of a user who has lost them, and end their sessions.',
      options: account,
      examples: ['user reset-second-factor --company 1 --email ada@example.com'],
      load: async () => (await import('../../features/accounts/users/commands.ts')).resetSecondFactor,
    }),
    disable: command({
      description: 'Disable the account of a user, end their sessions and revoke the API keys that only they know.',
      options: leaving,
      examples: ['user disable --company 1 --email ada@example.com'],
      load: async () => (await import('../../features/accounts/users/commands.ts')).disableUser,
    }),
    remove: command({
      description: 'Remove the account of a user permanently and revoke the API keys that only they know.',
      options: leaving,
      examples: ['user remove --company 1 --email ada@example.com --revoke-keys no'],
      load: async () => (await import('../../features/accounts/users/commands.ts')).removeUser,
    }),
  },
};

const sso: CommandGroup = {
  description: 'Manage single sign-on of companies',
  commands: {
    show: command({
      description: 'Show the single sign-on of a company and its domains.',
      options: { company: required(companyId()) },
      examples: ['sso show --company 1'],
      load: async () => (await import('../../features/accounts/sso/commands.ts')).showSso,
    }),
    'prove-domain': command({
      description: 'Record that a domain belongs to a company, in place of its TXT record.',
      options: { company: required(companyId()), domain: required(text('domain', 'Domain of the addresses')) },
      examples: ['sso prove-domain --company 1 --domain example.com'],
      load: async () => (await import('../../features/accounts/sso/commands.ts')).proveSsoDomain,
    }),
    remove: command({
      description: 'Remove single sign-on, so that the users of a company sign in with passwords again.',
      options: { company: required(companyId()) },
      examples: ['sso remove --company 1'],
      load: async () => (await import('../../features/accounts/sso/commands.ts')).removeSso,
    }),
  },
};

export const accessCommands = { user, sso };
