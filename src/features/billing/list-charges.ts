import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { View } from '../../platform/http/view.ts';
import { presentExplainedItem } from './present.ts';
import { listBillingItemsOf } from './store.ts';

/** Returns the newest charges of one employee for pages in any language. */
export async function listChargesOf(db: Db, employee: { companyId: CompanyId; id: number }, limit: number, view: View) {
  const rows = await listBillingItemsOf(db, employee.companyId, employee.id, limit);
  return rows.map((row) => presentExplainedItem(row, view));
}
