import { feeTypes } from '../../domain/enums.ts';
import type { CommandGroup } from '../../platform/cli/define.ts';
import { cents, euros, flag, month, oneOf, percent, required } from '../../platform/cli/options.ts';
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
    add: sharedCommand({
      description:
        'Add a ticket price from a month on that is not billed yet. Companies see it at once. Names those that lose or gain the discount.',
      options: {
        from: required(month('First month of the price')),
        gross: required(euros('The list price in euros, VAT included')),
        vat: percent('VAT rate. Default: as before'),
        discount: percent('Discount. Default: as before'),
        discountShare: percent(
          'What the company pays at least of the list price to get the discount. Default: as before',
        ),
      },
      examples: ['price add --from 2027-01-01 --gross 66.00'],
      load: async () => (await import('./prices.ts')).addTicketPrice,
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
