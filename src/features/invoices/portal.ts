import { FileOf, NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, IdParams } from '../../platform/http/schemas.ts';
import { type View, viewFor } from '../../platform/http/view.ts';
import { userOf } from '../accounts/guard.ts';
import { findSettings } from '../companies/change-settings.ts';
import type { Routes } from '../context.ts';
import type { DocumentStore } from '../documents/files.ts';
import { InvoiceFileQuery, type Invoices, InvoicesSchema } from './contract.ts';
import { sendInvoice } from './download.ts';
import { presentInvoice } from './present.ts';
import { findSeller, listMissing } from './seller.ts';
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

export const invoiceRoutes: Routes<{ documents: DocumentStore }> = (app, { db, documents, links }) => {
  app.get(
    '/invoices',
    portalOperation({
      summary: 'List invoices',
      description: 'All invoices and credit notes, the totals of each year, and what is missing for the next invoice.',
      access: 'read',
      response: { 200: DataOf(InvoicesSchema) },
    }),
    async (request) => {
      const user = userOf(request);
      const view = viewFor(user, links);
      const rows = await listAllInvoices(db, user.companyId);
      const settings = await findSettings(db, user.companyId);
      const missing = settings === undefined ? [] : listMissing(await findSeller(db), settings);
      return {
        data: {
          invoices: rows.map((row) => presentInvoice(row, view)),
          years: presentYears(rows, view),
          latest: presentLatest(rows, view),
          missing,
        },
      };
    },
  );

  app.get(
    '/invoices/:id/download',
    portalOperation({
      summary: 'Download a file of an invoice',
      access: 'invoice-files',
      params: IdParams('invoice'),
      querystring: InvoiceFileQuery,
      response: { 200: FileOf('application/pdf', 'application/xml'), 304: NoContent },
      problems: ['not-found', 'document-not-downloadable'],
    }),
    async (request, reply) => {
      const { companyId } = userOf(request);
      const { format, inline = false } = request.query;
      const { id } = request.params;
      return sendInvoice(request, reply, { db, documents, companyId, id, format, isInline: inline });
    },
  );
};
