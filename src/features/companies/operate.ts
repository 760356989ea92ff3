import type { PlanType } from '../../domain/enums.ts';
import type { CommandContext } from '../../platform/cli/define.ts';
import { toFlag } from '../../platform/cli/options.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import { writeCompany, writeShared } from '../../platform/db/write.ts';
import { createNoCompanyError, inTransaction, withEngine } from '../command-context.ts';
import { findSettings, listCompanies, updateSettings } from './change-settings.ts';
import { insertCompany } from './companies.ts';
import type { CompanySettings } from './rules/settings.ts';

interface CreateOptions {
  name: string;
  plan: PlanType | undefined;
  employeeContribution: number | undefined;
}

export function createCompany({ name, plan, employeeContribution }: CreateOptions, { config }: CommandContext) {
  const settings = {
    name,
    planType: plan ?? 'fully-subsidized-plan',
    contributionCents: employeeContribution ?? 0,
  } as const;
  return withEngine(config, ({ db, clock }) =>
    writeShared(db, async (tx) => ({ id: await insertCompany(tx, settings, clock.now()) })),
  );
}

/** The settings by the name of their option. */
const settingOfOption = {
  name: 'name',
  plan: 'planType',
  employeeContribution: 'contributionCents',
  cutOffDay: 'cutOffDay',
  guardMinimum: 'guardMinimumLinked',
  guardPercent: 'guardMaximumAbsentPercent',
  retentionDays: 'retentionDays',
  auditRetentionDays: 'auditRetentionDays',
  timeZone: 'timeZone',
  locale: 'locale',
  payrollSystem: 'payrollSystem',
  payrollConsultant: 'payrollConsultant',
  payrollClient: 'payrollClient',
  wageTypeTaxFree: 'wageTypeTaxFree',
  wageTypeFlatTax: 'wageTypeFlatTax',
  wageTypeDeduction: 'wageTypeDeduction',
  taxTreatment: 'taxTreatment',
  benefitValuation: 'benefitValuation',
  legalName: 'legalName',
  street: 'street',
  postCode: 'postCode',
  city: 'city',
  country: 'country',
  vatId: 'vatId',
  invoiceEmail: 'invoiceEmail',
  buyerReference: 'buyerReference',
} as const satisfies Record<string, keyof CompanySettings>;
type SettingOptions = {
  [Name in keyof typeof settingOfOption]: CompanySettings[(typeof settingOfOption)[Name]] | undefined;
};

function readSettings(options: SettingOptions): Partial<CompanySettings> {
  const names = Object.keys(settingOfOption) as (keyof SettingOptions)[];
  const given = names.filter((name) => options[name] !== undefined);
  return Object.fromEntries(given.map((name) => [settingOfOption[name], options[name]]));
}

export async function updateCompany(
  { id, ...options }: SettingOptions & { id: CompanyId },
  { config }: CommandContext,
) {
  const settings = readSettings(options);
  if (Object.keys(settings).length === 0) {
    throw new OperatorError(`Nothing to set: give ${Object.keys(settingOfOption).map(toFlag).join(', ')}.`);
  }
  return withEngine(config, ({ db, clock }) =>
    writeCompany(db, id, async (tx) => {
      const changes = await updateSettings(tx, id, settings, { at: clock.now() });
      if (changes === undefined) throw createNoCompanyError(id);
      return { id, changes };
    }),
  );
}

export const showCompany = ({ id }: { id: CompanyId }, { config }: CommandContext) =>
  inTransaction(config, async (tx) => {
    const settings = await findSettings(tx, id);
    if (settings === undefined) throw createNoCompanyError(id);
    return { id, ...settings };
  });

export const listAllCompanies = (_options: unknown, { config }: CommandContext) =>
  inTransaction(config, (tx) => listCompanies(tx));
