import { feeTypes } from '../../domain/enums.ts';
import type { CommandGroup } from '../../platform/cli/define.ts';
import { cents, flag, month, oneOf, required, text } from '../../platform/cli/options.ts';
import { sharedCommand } from '../company-command.ts';

export const priceCommands: CommandGroup = {
  description: 'List and set prices',
  commands: {
    list: sharedCommand({
      description: 'List the prices of tickets and fees, and the price lists with fees that differ.',
      examples: ['price list'],
      load: async () => (await import('./prices.ts')).listPrices,
    }),
    'create-list': sharedCommand({
      description:
        'Create a price list. Its fees are the standard ones until "price set --list" sets them. Give it to companies with "company set --price-list".',
      options: { name: required(text('name', 'Name of the price list')) },
      examples: ['price create-list --name Partner'],
      load: async () => (await import('../companies/price-lists.ts')).createList,
    }),
    set: sharedCommand({
      description:
        'Set a price from a month on that is not billed yet. Names the companies that lose or gain the discount by a new ticket price.',
      options: {
        charge: required(oneOf('type', ['ticket-charge', ...feeTypes], 'What is charged')),
        from: required(month('First month of the price')),
        cents: required(cents('The price')),
        list: text('name', 'The price list whose fee it is. Default: the standard one'),
        force: flag('Accept a price of 0'),
      },
      examples: [
        'price set --charge ticket-charge --from 2027-01-01 --cents 6500',
        'price set --charge service-charge --from 2027-01-01 --cents 120 --list Partner',
      ],
      load: async () => (await import('./prices.ts')).setPrice,
    }),
  },
};
