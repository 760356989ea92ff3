import { insertAudit } from '../features/activity/record.ts';
import { billingTotals } from '../features/billing/totals.ts';
import { lockCompany } from '../features/companies/companies.ts';
import { documentCounts } from '../features/documents/counts.ts';
import { employeeCounts } from '../features/employees/counts.ts';
import type { CompanyId } from '../platform/db/company-scope.ts';
import type { CountDifference } from '../platform/db/compare-counts.ts';
import type { Db, Tx } from '../platform/db/database.ts';

const storedCounts = [employeeCounts, documentCounts, billingTotals];

export interface Difference extends CountDifference {
  table: string;
}

export async function findCountDifferences(db: Db, companyId: CompanyId): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const { table, compare } of storedCounts) {
    const { rows } = await compare(companyId).execute(db);
    found.push(...rows.map((row) => ({ table, ...row })));
  }
  return found;
}

/** Recounts what differs, while the company is locked. The audit log records it: a count that drifts is a bug. */
export async function repairCounts(tx: Tx, companyId: CompanyId, now: Temporal.Instant): Promise<Difference[]> {
  await lockCompany(tx, companyId);
  const found = await findCountDifferences(tx, companyId);
  for (const { table, repair } of storedCounts) {
    if (found.some((difference) => difference.table === table)) await repair(tx, companyId);
  }
  if (found.length > 0) {
    const tables = [...new Set(found.map(({ table }) => table))];
    await insertAudit(tx, companyId, {
      action: 'company.repair-counts',
      target: tables.join(', '),
      detail: { found },
      at: now,
    });
  }
  return found;
}
