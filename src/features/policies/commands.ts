import { noAnswerRules, planTypes, taxTreatments } from '../../domain/enums.ts';
import type { CommandGroup } from '../../platform/cli/define.ts';
import {
  argument,
  cents,
  day,
  euros,
  flag,
  id,
  month,
  mustBe,
  type Optional,
  oneOf,
  percent,
  required,
  text,
} from '../../platform/cli/options.ts';
import { companyCommand, engineCommand, sharedEngineCommand } from '../company-command.ts';

const numberUpTo = (most: number, description: string): Optional<number> => ({
  placeholder: 'number',
  description,
  parse(value, label) {
    if (!/^\d{1,3}$/.test(value) || Number(value) > most)
      throw mustBe(label, `a whole number from 0 to ${most}`, value);
    return Number(value);
  },
});

const terms = {
  plan: oneOf('plan', planTypes, 'Who pays for the ticket'),
  employeeAmount: cents('Split pay: what the employee pays per ticket'),
  employerAmount: cents('Split pay: what the company pays per ticket'),
  employerPercent: numberUpTo(100, 'Split pay: what the company pays, in percent of the price'),
  minimum: cents('With --employer-percent: the least that the company pays'),
  maximum: cents('With --employer-percent: the most that the company pays'),
  waitingMonths: numberUpTo(24, 'Months after the first day of employment before the first ticket (default: 0)'),
  taxTreatment: oneOf(
    'treatment',
    taxTreatments,
    'How the benefit is taxed (default: as in the settings of the company)',
  ),
};

export const addPriceCommand = sharedEngineCommand({
  description:
    'Add a ticket price from a month on that is not billed yet, and tell the companies. Names those that lose or gain the discount.',
  options: {
    from: required(month('First month of the price')),
    gross: required(euros('The list price in euros, VAT included')),
    vat: percent('VAT rate. Default: as before'),
    discount: percent('Discount. Default: as before'),
    discountShare: percent('What the company pays at least of the list price to get the discount. Default: as before'),
  },
  examples: ['price add --from 2027-01-01 --gross 66.00'],
  load: async () => (await import('./add-price.ts')).addPrice,
});

export const policyCommands: CommandGroup = {
  description: 'Say who pays what for the tickets of whom',
  commands: {
    create: companyCommand({
      description: 'Create a benefit policy with its first version.',
      options: {
        name: required(text('name', 'Name of the policy')),
        from: required(month('The month from which it applies')),
        groups: text('groups', 'Groups of the roster to which it applies, separated by commas'),
        ...terms,
      },
      examples: [
        'policy create --company 1 --name Trainees --plan fully-subsidized-plan --from 2027-01-01 --groups Trainees',
        'policy create --company 1 --name Berlin --plan split-pay-plan --from 2027-01-01 --employer-percent 50 --groups "Berlin"',
      ],
      load: async () => (await import('./operate.ts')).createByOperator,
    }),
    change: engineCommand({
      description:
        'Plan a change for running subscriptions: a new version, or with the same terms for a new price. Prints who is affected; --apply begins it.',
      options: {
        id: argument('The policy', id('Id of the policy')),
        from: required(month('The month from which it applies')),
        ...terms,
        deadline: day('Last day on which employees can agree (default: the day before the cut-off)'),
        noAnswer: oneOf('rule', noAnswerRules, 'What happens without an agreement (default: keep the old share)'),
        apply: flag('Begin the change'),
      },
      examples: [
        'policy change 1 --company 1 --from 2027-01-01 --plan split-pay-plan --employee-amount 2500',
        'policy change 1 --company 1 --from 2027-01-01 --plan split-pay-plan --employee-amount 2500 --no-answer pause --apply',
      ],
      load: async () => (await import('./operate.ts')).changeByOperator,
    }),
    list: companyCommand({
      description: 'List the policies of a company in their order, and how far changes have got.',
      examples: ['policy list --company 1'],
      load: async () => (await import('./operate.ts')).listByOperator,
    }),
    assign: companyCommand({
      description:
        'Assign a policy to an employee by hand. A running subscription keeps its plan until "policy change".',
      options: {
        employee: required(id('Id of the employee')),
        policy: id('Id of the policy'),
        clear: flag('By group or the default again'),
      },
      examples: ['policy assign --company 1 --employee 1 --policy 2', 'policy assign --company 1 --employee 1 --clear'],
      load: async () => (await import('./operate.ts')).assignByOperator,
    }),
  },
};
