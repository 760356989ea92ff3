import type { CommandDefinition } from '../../platform/cli/define.ts';
import { cents, month, oneOf, required, sequence } from '../../platform/cli/options.ts';
import { engineCommand } from '../company-command.ts';

const counts = Array.from({ length: 24 }, (_, index) => `${index + 1}`);

/** Commands of the group `billing`. */
export const forecastCommands: Record<string, CommandDefinition> = {
  forecast: engineCommand({
    description: 'Forecast what the coming months will cost, as planned and in a scenario.',
    options: {
      months: required(oneOf('number', counts, 'How many months, from 1 to 24')),
      ticketPrice: cents('Scenario: another ticket price, VAT included'),
      priceFrom: month('First month of this price. Default: the next month'),
      joiners: sequence('Scenario: how many join per month'),
      leavers: sequence('Scenario: how many leave per month'),
    },
    examples: [
      'billing forecast --company 1 --months 12',
      'billing forecast --company 1 --months 12 --ticket-price 6600 --price-from 2027-01-01 --joiners 5',
    ],
    load: async () => (await import('./operate.ts')).forecastByOperator,
  }),
};
