import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { View } from '../../platform/http/view.ts';
import { findSettings } from '../companies/change-settings.ts';
import type { Invoice, Invoices } from './contract.ts';
import { presentInvoice } from './present.ts';
import { findSeller, listMissing } from './seller.ts';
import { listInvoices } from './store.ts';

/** Returns what is missing before invoices of the company can be issued. */
export async function listMissingData(db: Db, companyId: CompanyId): Promise<Invoices['missing']> {
  const settings = await findSettings(db, companyId);
  return settings === undefined ? [] : listMissing(await findSeller(db), settings);
}

/** Returns the invoice of a month and the credit notes that were issued in it. */
export async function listInvoicesOfMonth(
  db: Db,
  companyId: CompanyId,
  period: string,
  view: View,
): Promise<Invoice[]> {
  const query = { page: 1, perPage: 100, sortField: 'id', sortOrder: 'asc', period } as const;
  const { rows } = await listInvoices(db, companyId, query);
  return rows.map((row) => presentInvoice(row, view));
}
