import { feeTypes } from '../../domain/enums.ts';
import type { CommandGroup } from '../../platform/cli/define.ts';
import { cents, flag, month, oneOf, required } from '../../platform/cli/options.ts';
import { sharedCommand } from '../company-command.ts';

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
