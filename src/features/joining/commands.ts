import type { CommandDefinition } from '../../platform/cli/define.ts';
import { flag, id, required, text } from '../../platform/cli/options.ts';
import { engineCommand } from '../company-command.ts';

/** Commands of the group `employee`. */
export const joiningCommands: Record<string, CommandDefinition> = {
  invite: engineCommand({
    description: 'Invite employees without a subscription to join.',
    options: {
      employee: id('Id of one employee, who may be invited again'),
      allWithoutSubscription: flag(
        'All employees without a subscription, except those who were invited, have declined or have left',
      ),
    },
    examples: ['employee invite --company 1 --employee 1', 'employee invite --company 1 --all-without-subscription'],
    load: async () => (await import('./operate.ts')).inviteByOperator,
  }),
  letters: engineCommand({
    description: 'Print letters with which employees join, and write them to a PDF file. Earlier letters stop working.',
    options: {
      employee: id('Id of one employee. Default: all without a subscription, up to 250'),
      after: id('Continue after this employee: the continueAfter of the last command'),
      out: required(text('file', 'The PDF file to write')),
    },
    examples: [
      'employee letters --company 1 --out letters.pdf',
      'employee letters --company 1 --employee 1 --out one.pdf',
    ],
    load: async () => (await import('./operate.ts')).printByOperator,
  }),
};
