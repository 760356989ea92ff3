import { type Day, firstOfMonth } from '../../domain/calendar.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { getCompany } from '../companies/companies.ts';
import type { CompanySettings } from '../companies/contract.ts';
import { findPolicies } from '../companies/policy-book.ts';
import { listUnexportedMonths, loadFirstItems } from './load.ts';
import { createPlan, listMissingSettings, type PayrollSetting } from './rules/plan.ts';

/** A month that payroll has not received yet, and what prevents its export. */
export interface DuePayroll {
  period: string;
  missingSettings: PayrollSetting[];
  /** How many employees have no usable personnel number. */
  problems: number;
}

/** The preview reads all charges, which takes too long for an overview: 0.1 s for 2,000. */
const mostChecked = 500;

/**
 * Returns which of the present month and the one before has charges and no export. Looks for problems among the first
 * 500 charges of each.
 */
export async function listDuePayroll(
  db: Db | Tx,
  companyId: CompanyId,
  { today, settings }: { today: Day; settings: CompanySettings },
): Promise<DuePayroll[]> {
  const present = firstOfMonth(today);
  const months = [present.subtract({ months: 1 }), present].map(String);
  const periods = await listUnexportedMonths(db, companyId, months);
  if (periods.length === 0) return [];
  const { policies } = await findPolicies(db, await getCompany(db, companyId));
  const due: DuePayroll[] = [];
  for (const period of periods) {
    const planning = createPlan({ ...settings, policies });
    for (const item of await loadFirstItems(db, { companyId, period }, mostChecked)) planning.add(item);
    const { lines, problems } = planning.finish();
    due.push({ period, missingSettings: listMissingSettings(lines, settings), problems: problems.length });
  }
  return due;
}
