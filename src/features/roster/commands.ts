import { operator } from '../../domain/actor.ts';
import type { CommandGroup } from '../../platform/cli/define.ts';
import { day, flag, id, required, text } from '../../platform/cli/options.ts';
import { engineCommand } from '../company-command.ts';

const decisionCommand = (name: string, decision: 'approved' | 'rejected', description: string) =>
  engineCommand({
    description,
    options: {
      integration: required(id('Id of the integration')),
      sync: required(text('sync-id', 'Id of the sync, as given when the roster was pushed')),
    },
    examples: [`sync ${name} --company 1 --integration 1 --sync 2026-11-14T02:00`],
    async load() {
      const { decideRemovals } = await import('./pending-removals.ts');
      return (context, { integration, sync: syncId }) => decideRemovals(context, { integration, syncId, decision });
    },
  });

export const syncCommands: CommandGroup = {
  description: 'Decide removals that the removal guard stopped',
  commands: {
    approve: decisionCommand('approve', 'approved', 'Apply the pending removals of a sync.'),
    reject: decisionCommand('reject', 'rejected', 'Discard the pending removals of a sync.'),
  },
};

export const addEmployeeCommand = engineCommand({
  description: 'Add an employee by hand. No roster removes them, until one contains their email address.',
  options: {
    firstName: required(text('name', 'First name')),
    lastName: required(text('name', 'Last name')),
    email: required(text('address', 'Email address')),
    hrId: text('hr-id', 'Custom HR id, by which payroll knows them'),
    dateOfBirth: day('Date of birth'),
    startDate: day('First day of employment. Default: employed already'),
    subscribe: flag('Subscribe them'),
  },
  examples: ['employee add --company 1 --first-name Eva --last-name Neu --email eva@example.com --subscribe'],
  async load() {
    const { addByHand } = await import('./add-by-hand.ts');
    return (context, { hrId = null, dateOfBirth, startDate, subscribe = false, ...names }) => {
      const dates = { dateOfBirth: dateOfBirth?.toString() ?? null, startDate: startDate?.toString() ?? null };
      return addByHand(context, { ...names, ...dates, hrId, subscribe }, operator);
    };
  },
});
