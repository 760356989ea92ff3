import { integrationStatuses, integrationTypes, onboardingStatuses, providers } from '../../domain/enums.ts';
import { nightlyTime } from '../../features/connectors/command-options.ts';
import { type CommandGroup, command } from '../../platform/cli/define.ts';
import { argument, companyId, flag, id, oneOf, required, text } from '../../platform/cli/options.ts';

const thisIntegration = () => argument('The id of the integration', id('Id of the integration'));

const integration: CommandGroup = {
  description: 'Create HR integrations, connect HR systems and pull from them',
  commands: {
    create: command({
      description: 'Create an HR integration.',
      options: {
        company: required(companyId()),
        name: required(text('name', 'Name of the integration')),
        type: required(oneOf('type', integrationTypes, 'Type of the integration')),
      },
      examples: ['integration create --company 1 --name "HR system" --type api-integration'],
      load: async () => (await import('../../features/connectors/commands.ts')).createIntegration,
    }),
    set: command({
      description: 'Change the status of an HR integration.',
      options: {
        id: thisIntegration(),
        company: required(companyId()),
        status: oneOf('status', integrationStatuses, 'Whether it may be used'),
        onboarding: oneOf('status', onboardingStatuses, 'How far its first connection is'),
      },
      examples: ['integration set 1 --company 1 --status inactive'],
      load: async () => (await import('../../features/connectors/commands.ts')).updateIntegration,
    }),
    rename: command({
      description: 'Rename an HR integration.',
      options: {
        id: thisIntegration(),
        company: required(companyId()),
        name: required(text('name', 'New name of the integration')),
      },
      examples: ['integration rename 1 --company 1 --name "HR system"'],
      load: async () => (await import('../../features/connectors/commands.ts')).renameIntegration,
    }),
    delete: command({
      description: 'Delete an HR integration and its links.',
      options: {
        id: thisIntegration(),
        company: required(companyId()),
        employees: required(
          oneOf('choice', ['keep', 'offboard'], 'What becomes of employees whom no other integration links'),
        ),
      },
      examples: ['integration delete 1 --company 1 --employees keep'],
      load: async () => (await import('../../features/connectors/commands.ts')).deleteIntegration,
    }),
    connect: command({
      description: 'Connect an HR system, or connect it again. Keeps ids and links.',
      options: {
        id: thisIntegration(),
        company: required(companyId()),
        provider: required(oneOf('provider', providers, 'The HR system')),
        credentials: required(text('file', 'JSON file with the credentials')),
        mapping: text('file', 'JSON file with the rules (default: those known, else those of the HR system)'),
        nightlyTime: nightlyTime(),
      },
      examples: ['integration connect 1 --company 1 --provider personio --credentials personio.json'],
      load: async () => (await import('../../features/connectors/pull/commands.ts')).connectHrSystem,
    }),
    check: command({
      description: 'Test the connection to the HR system, and print every missing permission and attribute.',
      options: { id: thisIntegration(), company: required(companyId()) },
      examples: ['integration check 1 --company 1'],
      load: async () => (await import('../../features/connectors/pull/commands.ts')).checkHrSystem,
    }),
    sync: command({
      description: 'Pull the roster from the HR system now, apply it and print the outcome.',
      options: {
        id: thisIntegration(),
        company: required(companyId()),
        dryRun: flag('Only print what the sync would do'),
      },
      examples: ['integration sync 1 --company 1', 'integration sync 1 --company 1 --dry-run'],
      load: async () => (await import('../../features/connectors/pull/commands.ts')).syncHrSystem,
    }),
  },
};

const pendingRemovals = {
  company: required(companyId()),
  integration: required(id('Id of the integration')),
  sync: required(text('sync-id', 'Id of the sync, as given when the roster was pushed')),
};

const sync: CommandGroup = {
  description: 'Decide removals that the removal guard stopped',
  commands: {
    approve: command({
      description: 'Apply the pending removals of a sync.',
      options: pendingRemovals,
      examples: ['sync approve --company 1 --integration 1 --sync 2026-11-14T02:00'],
      load: async () => (await import('../../features/roster/commands.ts')).approveRemovals,
    }),
    reject: command({
      description: 'Discard the pending removals of a sync.',
      options: pendingRemovals,
      examples: ['sync reject --company 1 --integration 1 --sync 2026-11-14T02:00'],
      load: async () => (await import('../../features/roster/commands.ts')).rejectRemovals,
    }),
  },
};

export const companyCommands = { integration, sync };
