import {
  integrationStatuses,
  integrationTypes,
  onboardingStatuses,
  payrollSystems,
  personnelNumberRules,
  planTypes,
  providers,
  taxTreatments,
} from '../../domain/enums.ts';
import { buyerSetting, numberSetting, textSetting } from '../../features/companies/command-options.ts';
import { nightlyTime } from '../../features/connectors/command-options.ts';
import { type CommandGroup, command } from '../../platform/cli/define.ts';
import { argument, cents, companyId, flag, id, oneOf, required, text } from '../../platform/cli/options.ts';

const thisCompany = () => argument('The id of the company', companyId());

const company: CommandGroup = {
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
      load: async () => (await import('../../features/companies/commands.ts')).createCompany,
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
      load: async () => (await import('../../features/companies/commands.ts')).updateCompany,
    }),
    show: command({
      description: 'Show the settings of a company.',
      options: { id: thisCompany() },
      examples: ['company show 1'],
      load: async () => (await import('../../features/companies/commands.ts')).showCompany,
    }),
    list: command({
      description: 'List all companies.',
      examples: ['company list'],
      load: async () => (await import('../../features/companies/commands.ts')).listAllCompanies,
    }),
  },
};

const thisIntegration = () => argument('The id of the integration', id('Id of the integration'));

const integration: CommandGroup = {
  description: 'Create HR integrations, connect HR systems and pull from them',
  commands: {
    create: command({
      description: 'Create an HR integration.',
      options: {
        company: required(companyId()),
        name: required(text('name', 'Name of the integration')),
        type: required(oneOf('type', integrationTypes, 'Type of the integration')),
      },
      examples: ['integration create --company 1 --name "HR system" --type api-integration'],
      load: async () => (await import('../../features/connectors/commands.ts')).createIntegration,
    }),
    set: command({
      description: 'Change the status of an HR integration.',
      options: {
        id: thisIntegration(),
        company: required(companyId()),
        status: oneOf('status', integrationStatuses, 'Whether it may be used'),
        onboarding: oneOf('status', onboardingStatuses, 'How far its first connection is'),
      },
      examples: ['integration set 1 --company 1 --status inactive'],
      load: async () => (await import('../../features/connectors/commands.ts')).updateIntegration,
    }),
    rename: command({
      description: 'Rename an HR integration.',
      options: {
        id: thisIntegration(),
        company: required(companyId()),
        name: required(text('name', 'New name of the integration')),
      },
      examples: ['integration rename 1 --company 1 --name "HR system"'],
      load: async () => (await import('../../features/connectors/commands.ts')).renameIntegration,
    }),
    delete: command({
      description: 'Delete an HR integration and its links.',
      options: {
        id: thisIntegration(),
        company: required(companyId()),
        employees: required(
          oneOf('choice', ['keep', 'offboard'], 'What becomes of employees whom no other integration links'),
        ),
      },
      examples: ['integration delete 1 --company 1 --employees keep'],
      load: async () => (await import('../../features/connectors/commands.ts')).deleteIntegration,
    }),
    connect: command({
      description: 'Connect an HR system, or connect it again. Keeps ids and links.',
      options: {
        id: thisIntegration(),
        company: required(companyId()),
        provider: required(oneOf('provider', providers, 'The HR system')),
        credentials: required(text('file', 'JSON file with the credentials')),
        mapping: text('file', 'JSON file with the rules (default: those known, else those of the HR system)'),
        nightlyTime: nightlyTime(),
      },
      examples: ['integration connect 1 --company 1 --provider personio --credentials personio.json'],
      load: async () => (await import('../../features/connectors/pull/commands.ts')).connectHrSystem,
    }),
    check: command({
      description: 'Test the connection to the HR system, and print every missing permission and attribute.',
      options: { id: thisIntegration(), company: required(companyId()) },
      examples: ['integration check 1 --company 1'],
      load: async () => (await import('../../features/connectors/pull/commands.ts')).checkHrSystem,
    }),
    sync: command({
      description: 'Pull the roster from the HR system now, apply it and print the outcome.',
      options: {
        id: thisIntegration(),
        company: required(companyId()),
        dryRun: flag('Only print what the sync would do'),
      },
      examples: ['integration sync 1 --company 1', 'integration sync 1 --company 1 --dry-run'],
      load: async () => (await import('../../features/connectors/pull/commands.ts')).syncHrSystem,
    }),
  },
};

const pendingRemovals = {
  company: required(companyId()),
  integration: required(id('Id of the integration')),
  sync: required(text('sync-id', 'Id of the sync, as given when the roster was pushed')),
};

const sync: CommandGroup = {
  description: 'Decide removals that the removal guard stopped',
  commands: {
    approve: command({
      description: 'Apply the pending removals of a sync.',
      options: pendingRemovals,
      examples: ['sync approve --company 1 --integration 1 --sync 2026-11-14T02:00'],
      load: async () => (await import('../../features/roster/commands.ts')).approveRemovals,
    }),
    reject: command({
      description: 'Discard the pending removals of a sync.',
      options: pendingRemovals,
      examples: ['sync reject --company 1 --integration 1 --sync 2026-11-14T02:00'],
      load: async () => (await import('../../features/roster/commands.ts')).rejectRemovals,
    }),
  },
};

export const companyCommands = { company, integration, sync };
