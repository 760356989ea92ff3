import {
  integrationStatuses,
  integrationTypes,
  onboardingStatuses,
  providers,
  pullSchedules,
} from '../../domain/enums.ts';
import type { CommandGroup } from '../../platform/cli/define.ts';
import { argument, flag, id, mustBe, type Optional, oneOf, required, text } from '../../platform/cli/options.ts';
import { companyCommand, engineCommand } from '../company-command.ts';
import { defaultNightlyTime, isNightlyTime } from './rules/schedule.ts';

const every = oneOf('interval', pullSchedules, 'How often to pull, counted from the nightly time (default: nightly)');

const one = { id: argument('The id of the integration', id('Id of the integration')) };

const nightlyTime: Optional<string> = {
  placeholder: 'HH:MM',
  description: `When to pull every night, by the clock of the company (default: ${defaultNightlyTime})`,
  parse(value, label) {
    if (!isNightlyTime(value)) throw mustBe(label, 'a time such as 02:00', value);
    return value;
  },
};

export const integrationCommands: CommandGroup = {
  description: 'Create HR integrations, connect HR systems and pull from them',
  commands: {
    create: companyCommand({
      description: 'Create an HR integration.',
      options: {
        name: required(text('name', 'Name of the integration')),
        type: required(oneOf('type', integrationTypes, 'Type of the integration')),
      },
      examples: ['integration create --company 1 --name "HR system" --type api-integration'],
      async load() {
        const { createIntegration } = await import('../integrations/change-integration.ts');
        return async (context, input) => ({ id: (await createIntegration(context, input)).id });
      },
    }),
    set: companyCommand({
      description: 'Change the status of an HR integration.',
      options: {
        ...one,
        status: oneOf('status', integrationStatuses, 'Whether it may be used'),
        onboarding: oneOf('status', onboardingStatuses, 'How far its first connection is'),
      },
      examples: ['integration set 1 --company 1 --status inactive'],
      async load() {
        const { OperatorError } = await import('../../platform/config/operator-error.ts');
        const { setIntegration } = await import('../integrations/change-integration.ts');
        return async (context, { id, status, onboarding }) => {
          if (!status && !onboarding) throw new OperatorError('Nothing to set: give --status, --onboarding or both.');
          const change = { id, ...(status ? { status } : {}), ...(onboarding ? { onboarding } : {}) };
          await setIntegration(context, change);
          return change;
        };
      },
    }),
    rename: companyCommand({
      description: 'Rename an HR integration.',
      options: { ...one, name: required(text('name', 'New name of the integration')) },
      examples: ['integration rename 1 --company 1 --name "HR system"'],
      async load() {
        const { renameIntegration } = await import('../integrations/change-integration.ts');
        return async (context, input) => {
          const { id, name } = await renameIntegration(context, input);
          return { id, name };
        };
      },
    }),
    delete: engineCommand({
      description: 'Delete an HR integration and its links.',
      options: {
        ...one,
        employees: required(
          oneOf('choice', ['keep', 'offboard'], 'What becomes of employees that no other integration links'),
        ),
      },
      examples: ['integration delete 1 --company 1 --employees keep'],
      async load() {
        const { deleteHrIntegration } = await import('./delete-integration.ts');
        const { writeCompany } = await import('../../platform/db/write.ts');
        return ({ db, companyId, ...deps }, { id, employees: remaining }) =>
          writeCompany(db, companyId, async (tx) => {
            const target = { companyId, hrIntegrationId: id };
            return { id, ...(await deleteHrIntegration(tx, deps, target, { remaining, by: {} })) };
          });
      },
    }),
    connect: companyCommand({
      description: 'Connect an HR system, or connect it again. Keeps ids and links.',
      options: {
        ...one,
        provider: required(oneOf('provider', providers, 'The HR system')),
        credentials: required(text('file', 'JSON file with the credentials')),
        mapping: text('file', 'JSON file with the rules (default: those known, else those of the HR system)'),
        template: text('name', 'Requests and mapping to begin with (http-json)'),
        nightlyTime,
        every,
      },
      examples: ['integration connect 1 --company 1 --provider personio --credentials personio.json'],
      load: async () => (await import('./pull/operate.ts')).connectHrSystem,
    }),
    schedule: companyCommand({
      description: 'Change when an integration pulls.',
      options: { ...one, nightlyTime, every },
      examples: ['integration schedule 1 --company 1 --every hourly'],
      load: async () => (await import('./pull/operate.ts')).changeSchedule,
    }),
    hints: companyCommand({
      description: 'Create the address to which the HR system reports changes, in place of one that exists.',
      options: {
        ...one,
        secret: text('file', 'Instead: store the contents of this file, with which the HR system signs'),
        revoke: flag('Instead: end the address'),
      },
      examples: ['integration hints 1 --company 1', 'integration hints 1 --company 1 --secret key.txt'],
      load: async () => (await import('./hints/operate.ts')).changeHintAddress,
    }),
    check: companyCommand({
      description: 'Test the connection to the HR system, and print every missing permission and attribute.',
      options: one,
      examples: ['integration check 1 --company 1'],
      load: async () => (await import('./pull/operate.ts')).checkHrSystem,
    }),
    sync: engineCommand({
      description: 'Pull the roster from the HR system now, apply it and print the outcome.',
      options: { ...one, dryRun: flag('Only print what the sync would do') },
      examples: ['integration sync 1 --company 1', 'integration sync 1 --company 1 --dry-run'],
      load: async () => (await import('./pull/operate.ts')).syncHrSystem,
    }),
  },
};
