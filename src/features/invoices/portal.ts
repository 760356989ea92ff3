import { FileOf } from '../../platform/http/portal/operation.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import { type View, viewFor } from '../../platform/http/view.ts';
import type { DocumentStore } from '../documents/files.ts';
import { portalRoutes } from '../portal-route.ts';
import { InvoiceFileQuery, type Invoices, InvoicesSchema } from './contract.ts';
import { sendInvoice } from './download.ts';
import { listMissingData } from './month.ts';
import { presentInvoice } from './present.ts';
import { type InvoiceRow, listAllInvoices } from './store.ts';

const signOf = ({ kind }: InvoiceRow) => (kind === 'invoice' ? 1 : -1);

function presentYears(rows: readonly InvoiceRow[], { money }: View): Invoices['years'] {
  const byYear = Map.groupBy(rows, ({ issued_on }) => Number(issued_on.slice(0, 4)));
  return [...byYear]
    .sort(([a], [b]) => b - a)
    .map(([year, invoices]) => {
      const sum = (column: 'net_cents' | 'tax_cents' | 'gross_cents') =>
        money(invoices.reduce((cents, row) => cents + signOf(row) * row[column], 0));
      return {
        year,
        invoices: invoices.length,
        net: sum('net_cents'),
        tax: sum('tax_cents'),
        gross: sum('gross_cents'),
      };
    });
}

/** Compares the invoice of the latest month with that of the month before. */
function presentLatest(rows: readonly InvoiceRow[], { money }: View): Invoices['latest'] {
  const grossOf = new Map(rows.filter(({ kind }) => kind === 'invoice').map((row) => [row.period, row.gross_cents]));
  const period = [...grossOf.keys()].sort().at(-1);
  if (period === undefined) return null;
  const before = Temporal.PlainDate.from(period).subtract({ months: 1 }).toString();
  const [gross, previous] = [grossOf.get(period) ?? 0, grossOf.get(before)];
  if (previous === undefined) return null;
  return { period, gross: money(gross), previousGross: money(previous), differenceCents: gross - previous };
}

export const invoiceRoutes = portalRoutes<{ documents: DocumentStore }>((route, { db, documents, links }) => {
  route('GET /invoices', {
    summary: 'List invoices',
    description: 'All invoices and credit notes, the totals of each year, and what is missing for the next invoice.',
    access: 'read',
    data: InvoicesSchema,
    async handle({ user, companyId }) {
      const view = viewFor(user, links);
      const rows = await listAllInvoices(db, companyId);
      return {
        invoices: rows.map((row) => presentInvoice(row, view)),
        years: presentYears(rows, view),
        latest: presentLatest(rows, view),
        missing: await listMissingData(db, companyId),
      };
    },
  });

  route('GET /invoices/:id/download', {
    summary: 'Download a file of an invoice',
    access: 'invoice-files',
    params: IdParams('invoice'),
    query: InvoiceFileQuery,
    returns: FileOf('application/pdf', 'application/xml'),
    problems: ['not-found', 'document-not-downloadable'],
    handle: ({ request, reply, companyId, params: { id }, query: { format, inline = false } }) =>
      sendInvoice(request, reply, { db, documents, companyId, id, format, isInline: inline }),
  });
});
