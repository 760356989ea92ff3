import type { Day } from '../../domain/calendar.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import type { View } from '../../platform/http/view.ts';
import type { CompanyContext } from '../context.ts';
import type { Invoice } from './contract.ts';
import { formatInvoiceNumber } from './rules/invoice.ts';
import { findPayableInvoice, type InvoiceRow, listAllInvoices } from './store.ts';

export function presentInvoice(row: InvoiceRow, { links, money }: View): Invoice {
  const download = links.invoiceDownload(row.id);
  return {
    id: row.id,
    number: formatInvoiceNumber(row.number),
    type: row.kind,
    period: row.period,
    issuedOn: row.issued_on,
    dueOn: row.due_on,
    total: money(row.net_cents),
    tax: money(row.tax_cents),
    overall: money(row.gross_cents),
    lines: row.lines.map(
      ({ chargeType, quantity, unitCents, taxCategory, taxPercent, netCents, taxCents, grossCents }) => ({
        type: chargeType,
        quantity,
        unitPrice: unitCents === undefined ? null : money(unitCents),
        taxCategory: taxCategory ?? 'standard',
        taxPercent,
        total: money(netCents),
        tax: money(taxCents),
        overall: money(grossCents),
      }),
    ),
    downloadable: row.files !== null,
    resource: 'invoice',
    _links: {
      self: links.invoice(row.id),
      download,
      xrechnung: { href: `${download.href}?format=xrechnung`, type: 'application/xml' },
    },
  };
}

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

/** Returns the newest invoice that is not past its due date. */
export async function describePayableInvoice(db: Db, companyId: CompanyId, today: Day) {
  const row = await findPayableInvoice(db, companyId, today.toString());
  return row && { number: formatInvoiceNumber(row.number), grossCents: row.gross_cents, dueOn: row.due_on };
}
