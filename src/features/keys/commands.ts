import { permissions } from '../../domain/enums.ts';
import { type CommandDefinition, type CommandGroup, type CommandOptions, command } from '../../platform/cli/define.ts';
import { listOf, moment, type OptionDefinition, required, text, type ValuesOf } from '../../platform/cli/options.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { companyCommand } from '../company-command.ts';
import type { CompanyContext } from '../context.ts';

const username = required(text('username', 'Username of the key, which starts with tk_'));

interface KeyCommand<O extends Record<string, OptionDefinition>> extends Omit<CommandOptions<O>, 'load'> {
  load(): Promise<(context: CompanyContext, input: ValuesOf<O & { username: typeof username }>) => Promise<unknown>>;
}

/** Defines a command for the key with a username, which contains the id of its company. */
// biome-ignore lint/complexity/noBannedTypes: a command without options has no names to look up.
const keyCommand = <O extends Record<string, OptionDefinition> = {}>(definition: KeyCommand<O>): CommandDefinition =>
  command({
    ...definition,
    options: { username, ...definition.options },
    async load() {
      const [{ withCompany }, { parseUsername }, useCase] = await Promise.all([
        import('../command-context.ts'),
        import('./credentials.ts'),
        definition.load(),
      ]);
      return (input, { config }) => {
        const name = parseUsername(input.username);
        if (name === undefined) {
          throw new OperatorError(`--username must be the username of a key, but is "${input.username}".`);
        }
        return withCompany(config, name.companyId, (context) => useCase(context, input as never));
      };
    },
  });

export const keyCommands: CommandGroup = {
  description: 'Create, rotate and revoke API keys',
  commands: {
    create: companyCommand({
      description: 'Create an API key. Its password is shown only once.',
      options: {
        permissions: required(listOf('list', permissions, 'Comma-separated permissions, or all')),
        name: text('name', 'Name of the key'),
        expiresAt: moment('When the key stops working, such as 2027-01-01T00:00:00Z (default: never)'),
      },
      examples: ['key create --company 1 --permissions view-employees,view-billing --name Payroll'],
      async load() {
        const { createKey } = await import('./keys.ts');
        return (context, { name = 'Created at the command line', ...input }) => createKey(context, { name, ...input });
      },
    }),
    rotate: keyCommand({
      description: 'Give an API key a new password, which is shown only once.',
      options: { overlapEndsAt: moment('When the old password stops working (default: in 24 hours)') },
      examples: ['key rotate --username tk_1_…'],
      async load() {
        const { rotatePassword } = await import('./keys.ts');
        return (context, { overlapEndsAt = Temporal.Now.instant().add({ hours: 24 }), ...input }) =>
          rotatePassword(context, { ...input, overlapEnds: overlapEndsAt });
      },
    }),
    revoke: keyCommand({
      description: 'Revoke an API key. Takes effect everywhere within a second.',
      examples: ['key revoke --username tk_1_…'],
      load: async () => (await import('./keys.ts')).revokeNamedKey,
    }),
  },
};
