import type { CompanyContext } from '../context.ts';
import { formatInvoiceNumber } from './rules/invoice.ts';
import { listAllInvoices } from './store.ts';

/** Returns every invoice and credit note, oldest first, as the command line and the search show them. */
export const describeInvoices = async ({ db, companyId }: Pick<CompanyContext, 'db' | 'companyId'>) =>
  (await listAllInvoices(db, companyId)).toReversed().map((row) => ({
    id: row.id,
    number: formatInvoiceNumber(row.number),
    type: row.kind,
    period: row.period,
    issuedOn: row.issued_on,
    dueOn: row.due_on,
    netCents: row.net_cents,
    taxCents: row.tax_cents,
    grossCents: row.gross_cents,
    downloadable: row.files !== null,
  }));
