import type { CommandGroup } from '../../platform/cli/define.ts';
import { id, required, text } from '../../platform/cli/options.ts';
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
