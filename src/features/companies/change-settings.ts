import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { announceAccessChange, lockCompany } from './companies.ts';
import { type CompanySettings, listChanges, type SettingChange } from './rules/settings.ts';

const columns = {
  name: 'name',
  locale: 'locale',
  timeZone: 'time_zone',
  planType: 'plan_type',
  contributionCents: 'contribution_cents',
  cutOffDay: 'cut_off_day',
  guardMinimumLinked: 'guard_minimum_linked',
  guardMaximumAbsentPercent: 'guard_maximum_absent_percent',
  retentionDays: 'retention_days',
  auditRetentionDays: 'audit_retention_days',
  payrollSystem: 'payroll_system',
  personnelNumberRule: 'personnel_number_rule',
  payrollConsultant: 'payroll_consultant',
  payrollClient: 'payroll_client',
  wageTypeTaxFree: 'wage_type_tax_free',
  wageTypeFlatTax: 'wage_type_flat_tax',
  wageTypeDeduction: 'wage_type_deduction',
  taxTreatment: 'tax_treatment',
  benefitValuation: 'benefit_valuation',
  legalName: 'legal_name',
  street: 'street',
  postCode: 'post_code',
  city: 'city',
  country: 'country',
  vatId: 'vat_id',
  invoiceEmail: 'invoice_email',
  buyerReference: 'buyer_reference',
} as const satisfies Record<keyof CompanySettings, string>;

const selectSettings = (db: Db | Tx) =>
  db
    .selectFrom('companies')
    .select([
      'name',
      'locale',
      'time_zone as timeZone',
      'plan_type as planType',
      'contribution_cents as contributionCents',
      'cut_off_day as cutOffDay',
      'guard_minimum_linked as guardMinimumLinked',
      'guard_maximum_absent_percent as guardMaximumAbsentPercent',
      'retention_days as retentionDays',
      'audit_retention_days as auditRetentionDays',
      'payroll_system as payrollSystem',
      'personnel_number_rule as personnelNumberRule',
      'payroll_consultant as payrollConsultant',
      'payroll_client as payrollClient',
      'wage_type_tax_free as wageTypeTaxFree',
      'wage_type_flat_tax as wageTypeFlatTax',
      'wage_type_deduction as wageTypeDeduction',
      'tax_treatment as taxTreatment',
      'benefit_valuation as benefitValuation',
      'legal_name as legalName',
      'street',
      'post_code as postCode',
      'city',
      'country',
      'vat_id as vatId',
      'invoice_email as invoiceEmail',
      'buyer_reference as buyerReference',
    ]);

/** Returns the settings of a company, or undefined if there is no such company. */
export const findSettings = (db: Db | Tx, companyId: CompanyId): Promise<CompanySettings | undefined> =>
  selectSettings(db).where('id', '=', companyId).executeTakeFirst();

/** Returns every company of the environment, for the operator. */
export const listCompanies = (db: Db | Tx): Promise<({ id: number } & CompanySettings)[]> =>
  selectSettings(db).select('id').orderBy('id').execute();

/**
 * Changes settings that have been validated, with one audit entry per changed setting. Returns the changes, or
 * undefined if there is no such company. Locks the company, so that no plan uses the old settings meanwhile.
 */
export async function updateSettings(
  tx: Tx,
  companyId: CompanyId,
  wanted: Partial<CompanySettings>,
  by: By & { at: Temporal.Instant },
): Promise<SettingChange[] | undefined> {
  await lockCompany(tx, companyId);
  const current = await findSettings(tx, companyId);
  if (current === undefined) return undefined;
  const changes = listChanges(current, wanted);
  if (changes.length === 0) return changes;
  const values = Object.fromEntries(changes.map(({ setting, to }) => [columns[setting], to]));
  await tx
    .updateTable('companies')
    .set({ ...values, updated_at: by.at.toString() })
    .where('id', '=', companyId)
    .execute();
  await announceAccessChange(tx, companyId);
  for (const { setting, from, to } of changes) {
    await insertAudit(tx, companyId, {
      action: 'company.change-setting',
      target: setting,
      detail: { setting, from, to },
      ...by,
    });
  }
  return changes;
}
