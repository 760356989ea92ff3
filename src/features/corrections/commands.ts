import type { CommandDefinition } from '../../platform/cli/define.ts';
import { companyId, flag, id, month, required, text } from '../../platform/cli/options.ts';
import { correctionReasons } from '../billing/rules/correction-reasons.ts';
import { engineCommand, sharedEngineCommand } from '../company-command.ts';

const reason = required(
  text(
    'text',
    `Reason, which the company can read: any text, or ${correctionReasons.join(', ')}, which the portal translates`,
  ),
);

/** Commands of the group `billing`. */
export const correctionCommands: Record<string, CommandDefinition> = {
  correct: sharedEngineCommand({
    description: 'Reverse a billing item with a correction in the current month.',
    options: {
      item: required(id('Id of the billing item')),
      reason,
      company: companyId('Id of the company. Given: the item must belong to it'),
    },
    examples: ['billing correct --item 17 --reason refunded', 'billing correct --item 17 --reason "Left in October"'],
    load: async () => (await import('./correct.ts')).correctItem,
  }),
  'correct-tickets': engineCommand({
    description: 'Reverse the charges for tickets of an employee with corrections in the current month.',
    options: {
      employee: required(id('Id of the employee')),
      from: required(month('First month of the tickets')),
      to: month('Last month of the tickets, inclusive. Default: all later ones'),
      reason,
      dryRun: flag('Only print what would be corrected'),
    },
    examples: ['billing correct-tickets --company 1 --employee 7 --from 2026-09-01 --reason left --dry-run'],
    load: async () => (await import('./correct.ts')).correctTickets,
  }),
};
