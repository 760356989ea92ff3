import type { Selectable } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { BillingTotalsTable } from '../../platform/db/types.gen.ts';

/** Returns the stored totals per period and charge type, newest period first. */
export async function listBillingTotals(
  db: Db,
  companyId: CompanyId,
): Promise<Omit<Selectable<BillingTotalsTable>, 'company_id'>[]> {
  return db
    .selectFrom('billing_totals as t')
    .select(['t.period', 't.charge_type', 't.items', 't.net_cents', 't.tax_cents', 't.gross_cents'])
    .where(ofCompany(companyId, 't'))
    .orderBy('t.period', 'desc')
    .execute();
}
