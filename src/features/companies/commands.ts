import type { Day } from '../../domain/calendar.ts';
import { joiningWays, payrollSystems, personnelNumberRules, planTypes, taxTreatments } from '../../domain/enums.ts';
import { formatMessage } from '../../domain/messages/message.ts';
import { type CommandContext, type CommandGroup, command } from '../../platform/cli/define.ts';
import {
  argument,
  cents,
  companyId,
  month,
  type Optional,
  oneOf,
  required,
  text,
  toFlag,
} from '../../platform/cli/options.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { CompanyContext } from '../context.ts';
import type { CompanySettings } from './contract.ts';
import { findWrongSetting, parseSetting } from './rules/settings.ts';

const id = argument('The id of the company', companyId());

/** Loads a use case of the company whose id is the argument of the command. */
const loadForCompany =
  <I extends object>(load: () => Promise<(context: CompanyContext, input: I) => Promise<unknown>>) =>
  async () => {
    const [{ withCompany }, useCase] = await Promise.all([import('../command-context.ts'), load()]);
    return ({ id, ...input }: { id: CompanyId } & I, { config }: CommandContext) =>
      withCompany(config, id, (context) => useCase(context, input as unknown as I));
  };

/** An option that sets a setting of a company. */
const setting = (
  name: keyof CompanySettings,
  placeholder: string,
  description: string,
): Optional<string | number | boolean | null> => ({
  placeholder,
  description,
  parse(given, label) {
    const value = parseSetting(name, given);
    const problem = findWrongSetting(name, value);
    if (problem !== undefined) throw new OperatorError(`${label} ${formatMessage(problem)}, but is "${given}".`);
    return value;
  },
});

function toggle(description: string): Optional<boolean> {
  const choice = oneOf('state', ['on', 'off'], description);
  return { ...choice, parse: (given, label) => choice.parse(given, label) === 'on' };
}

const settings = {
  name: setting('name', 'name', 'Name of the company'),
  plan: oneOf('plan', planTypes, 'Who pays for the ticket'),
  employeeContribution: setting(
    'contributionCents',
    'cents',
    'Contribution of the employee per ticket under the split-pay plan',
  ),
  cutOffDay: setting(
    'cutOffDay',
    'day',
    'Last day of a month for pauses and cancellations from the first of the next month',
  ),
  guardMinimum: setting(
    'guardMinimumLinked',
    'number',
    'The removal guard applies from this number of linked employees on',
  ),
  guardPercent: setting(
    'guardMaximumAbsentPercent',
    'percent',
    'A sync that would remove a larger share of them needs approval',
  ),
  retentionDays: setting('retentionDays', 'days', 'Removed employees are erased after this time'),
  auditRetentionDays: setting('auditRetentionDays', 'days', 'Audit log entries are deleted after this time'),
  timeZone: setting('timeZone', 'zone', 'Time zone of the company, such as Europe/Berlin'),
  locale: setting('locale', 'locale', 'Language and country of its documents, such as de-DE'),
  joining: oneOf(
    'way',
    joiningWays,
    "Who asks for subscriptions: the roster's custom field, the employees themselves, or both",
  ),
  inviteAutomatically: toggle('Invite whoever is in a roster without a subscription, each once'),
  agreementParagraph: setting('agreementParagraph', 'text', 'What the company adds to its agreements; "" for nothing'),
  payrollSystem: oneOf('system', payrollSystems, 'System for which payroll files are written'),
  personnelNumberRule: oneOf(
    'rule',
    personnelNumberRules,
    'What payroll uses without a personnel number in the roster: the HR id itself, or its digits',
  ),
  payrollConsultant: setting('payrollConsultant', 'number', 'Number of the tax adviser (Beraternummer)'),
  payrollClient: setting('payrollClient', 'number', 'Number of the company at the tax adviser (Mandantennummer)'),
  wageTypeTaxFree: setting('wageTypeTaxFree', 'number', 'Wage type (Lohnart) of the tax-free benefit, § 3 Nr. 15 EStG'),
  wageTypeFlatTax: setting('wageTypeFlatTax', 'number', 'Wage type of the flat-taxed benefit, § 40 Abs. 2 EStG'),
  wageTypeDeduction: setting('wageTypeDeduction', 'number', "Wage type of the employee's share, a net deduction"),
  taxTreatment: oneOf('treatment', taxTreatments, 'How the benefit is taxed'),
  benefitValuation: setting('benefitValuation', 'percent', 'Value the benefit at 100 or 96 % of the price'),
  legalName: setting('legalName', 'name', 'Legal name on invoices (default: the name of the company)'),
  street: setting('street', 'street', 'Street and number on invoices'),
  postCode: setting('postCode', 'code', 'Post code on invoices'),
  city: setting('city', 'city', 'City on invoices'),
  country: setting('country', 'code', 'Country on invoices, such as DE (default: DE)'),
  vatId: setting('vatId', 'id', 'VAT id of the company, such as DE123456789'),
  invoiceEmail: setting('invoiceEmail', 'address', 'Email address that receives invoices'),
  buyerReference: setting(
    'buyerReference',
    'text',
    'Reference on invoices, such as the Leitweg-ID of a public authority',
  ),
};

/** The settings whose options have a shorter name. */
const settingOfOption: Readonly<Record<string, keyof CompanySettings>> = {
  plan: 'planType',
  employeeContribution: 'contributionCents',
  guardMinimum: 'guardMinimumLinked',
  guardPercent: 'guardMaximumAbsentPercent',
};

interface SetInput {
  priceList: string | undefined;
  priceListFrom: Day | undefined;
}

function readSettings(options: object): Partial<CompanySettings> {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  if (given.length > 0) return Object.fromEntries(given.map(([name, value]) => [settingOfOption[name] ?? name, value]));
  throw new OperatorError(`Nothing to set: give ${[...Object.keys(settings), 'priceList'].map(toFlag).join(', ')}.`);
}

export const companyCommands: CommandGroup = {
  description: 'Create companies and change their settings',
  commands: {
    create: command({
      description: 'Create a company.',
      options: {
        name: required(text('name', 'Name of the company')),
        plan: oneOf('plan', planTypes, 'Who pays for the ticket (default: fully-subsidized-plan)'),
        employeeContribution: cents('Contribution of the employee per ticket under the split-pay plan (default: 0)'),
      },
      examples: ['company create --name "Example GmbH" --plan split-pay-plan --employee-contribution 2000'],
      load: async () => (await import('./operate.ts')).createCompany,
    }),
    set: command({
      description: 'Change settings of a company. Settings that are not given stay as they are.',
      options: {
        id,
        ...settings,
        priceList: text('name', 'Price list of its fees, or "standard", from the first month on that is not billed'),
        priceListFrom: month('A later first month of the price list'),
      },
      examples: [
        'company set 1 --cut-off-day 15',
        'company set 1 --time-zone Europe/Vienna --locale de-AT',
        'company set 1 --payroll-system datev-lodas --payroll-consultant 1234567 --payroll-client 12345',
        'company set 1 --wage-type-tax-free 700 --wage-type-deduction 9100 --benefit-valuation 96',
        'company set 1 --price-list Partner --price-list-from 2027-01-01',
        'company set 1 --joining employee --invite-automatically on',
        'company set 1 --legal-name "Example GmbH" --street "Hauptstr. 1" --post-code 10115 --city Berlin --country DE',
      ],
      load: loadForCompany(async () => {
        const [{ changeSettings }, { assignList }] = await Promise.all([
          import('./change-settings.ts'),
          import('./price-lists.ts'),
        ]);
        return async (context, { priceList: list, priceListFrom: from, ...options }: SetInput) => {
          if (list === undefined && from !== undefined)
            throw new OperatorError('--price-list-from needs --price-list.');
          const assigned = list === undefined ? {} : await assignList(context, { list, from });
          const isAll = list !== undefined && Object.values(options).every((value) => value === undefined);
          return { ...(isAll ? {} : await changeSettings(context, readSettings(options))), ...assigned };
        };
      }),
    }),
    show: command({
      description: 'Show the settings of a company.',
      options: { id },
      examples: ['company show 1'],
      load: loadForCompany(async () => {
        const [{ showSettings }, { showAssignments }] = await Promise.all([
          import('./change-settings.ts'),
          import('./price-lists.ts'),
        ]);
        return async (context) => ({ ...(await showSettings(context)), ...(await showAssignments(context)) });
      }),
    }),
    list: command({
      description: 'List all companies.',
      examples: ['company list'],
      load: async () => (await import('./operate.ts')).listAllCompanies,
    }),
  },
};
