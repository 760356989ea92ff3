import { payrollSystems, personnelNumberRules, planTypes, taxTreatments } from '../../domain/enums.ts';
import { type CommandGroup, command } from '../../platform/cli/define.ts';
import { argument, cents, companyId, oneOf, required, text } from '../../platform/cli/options.ts';
import { buyerSetting, numberSetting, textSetting } from './command-options.ts';

const thisCompany = () => argument('The id of the company', companyId());

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
        id: thisCompany(),
        name: textSetting('name', 'name', 'Name of the company'),
        plan: oneOf('plan', planTypes, 'Who pays for the ticket'),
        employeeContribution: numberSetting(
          'contributionCents',
          'cents',
          'Contribution of the employee per ticket under the split-pay plan',
        ),
        cutOffDay: numberSetting(
          'cutOffDay',
          'day',
          'Last day of a month for pauses and cancellations from the first of the next month',
        ),
        guardMinimum: numberSetting(
          'guardMinimumLinked',
          'number',
          'The removal guard applies from this number of linked employees on',
        ),
        guardPercent: numberSetting(
          'guardMaximumAbsentPercent',
          'percent',
          'A sync that would remove a larger share of them needs approval',
        ),
        retentionDays: numberSetting('retentionDays', 'days', 'Removed employees are erased after this time'),
        auditRetentionDays: numberSetting(
          'auditRetentionDays',
          'days',
          'Audit log entries are deleted after this time',
        ),
        timeZone: textSetting('timeZone', 'zone', 'Time zone of the company, such as Europe/Berlin'),
        locale: textSetting('locale', 'locale', 'Language and country of its documents, such as de-DE'),
        payrollSystem: oneOf('system', payrollSystems, 'System for which payroll files are written'),
        personnelNumberRule: oneOf(
          'rule',
          personnelNumberRules,
          'What payroll uses without a personnel number in the roster: the HR id itself, or its digits',
        ),
        payrollConsultant: numberSetting('payrollConsultant', 'number', 'Number of the tax adviser (Beraternummer)'),
        payrollClient: numberSetting(
          'payrollClient',
          'number',
          'Number of the company at the tax adviser (Mandantennummer)',
        ),
        wageTypeTaxFree: numberSetting(
          'wageTypeTaxFree',
          'number',
          'Wage type (Lohnart) of the tax-free benefit, § 3 Nr. 15 EStG',
        ),
        wageTypeFlatTax: numberSetting(
          'wageTypeFlatTax',
          'number',
          'Wage type of the flat-taxed benefit, § 40 Abs. 2 EStG',
        ),
        wageTypeDeduction: numberSetting(
          'wageTypeDeduction',
          'number',
          "Wage type of the employee's share, a net deduction",
        ),
        taxTreatment: oneOf('treatment', taxTreatments, 'How the benefit is taxed'),
        benefitValuation: numberSetting('benefitValuation', 'percent', 'Value the benefit at 100 or 96 % of the price'),
        legalName: buyerSetting('legalName', 'name', 'Legal name on invoices (default: the name of the company)'),
        street: buyerSetting('street', 'street', 'Street and number on invoices'),
        postCode: buyerSetting('postCode', 'code', 'Post code on invoices'),
        city: buyerSetting('city', 'city', 'City on invoices'),
        country: buyerSetting('country', 'code', 'Country on invoices, such as DE (default: DE)'),
        vatId: buyerSetting('vatId', 'id', 'VAT id of the company, such as DE123456789'),
        invoiceEmail: buyerSetting('invoiceEmail', 'address', 'Email address that receives invoices'),
        buyerReference: buyerSetting(
          'buyerReference',
          'text',
          'Reference on invoices, such as the Leitweg-ID of a public authority',
        ),
      },
      examples: [
        'company set 1 --cut-off-day 15',
        'company set 1 --time-zone Europe/Vienna --locale de-AT',
        'company set 1 --payroll-system datev-lodas --payroll-consultant 1234567 --payroll-client 12345',
        'company set 1 --wage-type-tax-free 700 --wage-type-deduction 9100 --benefit-valuation 96',
        'company set 1 --legal-name "Example GmbH" --street "Hauptstr. 1" --post-code 10115 --city Berlin --country DE',
      ],
      load: async () => (await import('./operate.ts')).updateCompany,
    }),
    show: command({
      description: 'Show the settings of a company.',
      options: { id: thisCompany() },
      examples: ['company show 1'],
      load: async () => (await import('./operate.ts')).showCompany,
    }),
    list: command({
      description: 'List all companies.',
      examples: ['company list'],
      load: async () => (await import('./operate.ts')).listAllCompanies,
    }),
  },
};
