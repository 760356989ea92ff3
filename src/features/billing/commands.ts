import { feeTypes } from '../../domain/enums.ts';
import type { CommandGroup } from '../../platform/cli/define.ts';
import { cents, companyId, flag, id, month, oneOf, required, text } from '../../platform/cli/options.ts';
import { engineCommand, sharedCommand, sharedEngineCommand } from '../company-command.ts';
import { correctionReasons } from './rules/correction-reasons.ts';

export const billingCommands: CommandGroup = {
  description: 'Bill and correct periods',
  commands: {
    run: engineCommand({
      description: 'Bill what is not billed yet in a period. The daily run does this automatically.',
      options: { period: required(month('First day of the period')) },
      examples: ['billing run --company 1 --period 2026-11-01'],
      load: async () => (await import('../daily-run/bill-now.ts')).billNow,
    }),
    correct: sharedEngineCommand({
      description: 'Reverse a billing item with a correction in the current month.',
      options: {
        item: required(id('Id of the billing item')),
        reason: required(
          text(
            'text',
            `Reason, which the company can read: any text, or ${correctionReasons.join(', ')}, which the portal translates`,
          ),
        ),
        company: companyId('Id of the company. Given: the item must belong to it'),
      },
      examples: ['billing correct --item 17 --reason refunded', 'billing correct --item 17 --reason "Left in October"'],
      load: async () => (await import('./correct.ts')).correctItem,
    }),
  },
};

export const priceCommands: CommandGroup = {
  description: 'List and set prices',
  commands: {
    list: sharedCommand({
      description: 'List the prices of tickets and fees.',
      examples: ['price list'],
      async load() {
        const { loadPrices } = await import('./prices.ts');
        return ({ tx }) => loadPrices(tx);
      },
    }),
    set: sharedCommand({
      description:
        'Set a price from a month on that is not billed yet. Names the companies that lose or gain the discount by a new ticket price.',
      options: {
        charge: required(oneOf('type', ['ticket-charge', ...feeTypes], 'What is charged')),
        from: required(month('First month of the price')),
        cents: required(cents('The price')),
        force: flag('Accept a price of 0'),
      },
      examples: ['price set --charge ticket-charge --from 2027-01-01 --cents 6500'],
      load: async () => (await import('./prices.ts')).setPrice,
    }),
  },
};
