import type { CommandDefinition } from '../../platform/cli/define.ts';
import { flag, id, required, text } from '../../platform/cli/options.ts';
import { engineCommand } from '../company-command.ts';

/** Commands of the group `subscription`. `request` is in roster/commands.ts: it reads HR ids as rosters contain them. */
export const subscriptionCommands: Record<string, CommandDefinition> = {
  show: engineCommand({
    description: 'Show what became of a request about many employees.',
    options: {
      batch: required(id('Id of the batch, as "subscription request" prints it')),
      out: text('file', 'Also write the result of each employee to this CSV file'),
    },
    examples: ['subscription show --company 1 --batch 3', 'subscription show --company 1 --batch 3 --out result.csv'],
    load: async () => (await import('./operate.ts')).showByOperator,
  }),
  undo: engineCommand({
    description: 'Undo a request of the company until the cut-off of its change.',
    options: {
      batch: id('Undo for all employees of this batch for whom it is still possible'),
      employee: id('Id of one employee'),
      request: id('Id of the request about this employee'),
      dryRun: flag('Only count for how many employees of the batch it is possible'),
    },
    examples: [
      'subscription undo --company 1 --batch 3 --dry-run',
      'subscription undo --company 1 --batch 3',
      'subscription undo --company 1 --employee 7 --request 17',
    ],
    load: async () => (await import('./operate.ts')).undoByOperator,
  }),
};
