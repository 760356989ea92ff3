import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { notFound } from '../../../platform/http/errors.ts';
import { findSettings } from '../../companies/change-settings.ts';
import { getCompany } from '../../companies/companies.ts';
import type { CompanySettings } from '../../companies/contract.ts';
import { findPolicies } from '../../companies/policy-book.ts';
import { type PayrollRules, taxTreatmentOf } from '../rules/plan.ts';
import { summarizeYear, type YearSummary } from '../rules/year.ts';
import type { YearRow } from './load.ts';

export interface YearSettings {
  settings: CompanySettings;
  summarize(row: Pick<YearRow, 'policyId' | 'group' | 'items'>, year: number): YearSummary;
}

/** Returns how payroll values and taxes the tickets of a company's employees. */
export async function loadYearSettings(db: Db | Tx, companyId: CompanyId): Promise<YearSettings> {
  const settings = await findSettings(db, companyId);
  if (settings === undefined) throw notFound('company');
  const { policies } = await findPolicies(db, await getCompany(db, companyId));
  const rules: PayrollRules = { ...settings, policies };
  return {
    settings,
    summarize: ({ policyId, group, items }, year) =>
      summarizeYear(items, {
        ...{ year, benefitValuation: settings.benefitValuation },
        treatmentOf: (month) => taxTreatmentOf({ policyId, group, month }, rules),
      }),
  };
}
