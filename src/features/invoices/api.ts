import { notFound } from '../../platform/http/errors.ts';
import { fileResponses, operation, pageResponse, recordResponse } from '../../platform/http/operation.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { principalOf } from '../caller.ts';
import type { Routes } from '../context.ts';
import type { DocumentStore } from '../documents/files.ts';
import { DownloadQuery, InvoiceSchema, InvoicesQuery, invoiceExample } from './contract.ts';
import { sendInvoice } from './download.ts';
import { presentInvoice } from './present.ts';
import { findInvoice, listInvoices } from './store.ts';

export const invoiceRoutes: Routes<{ documents: DocumentStore }> = (app, { db, documents, links }) => {
  app.get(
    '/billing/invoices',
    operation({
      id: 'listInvoices',
      tag: 'Billing',
      summary: 'List invoices',
      description:
        'Invoices and credit notes. A month is invoiced on its first day, when it is billed; corrections are credited on the first of the next month.',
      permissions: ['view-billing'],
      isKept: true,
      querystring: InvoicesQuery,
      response: pageResponse(InvoiceSchema, 'invoices', invoiceExample),
    }),
    async function listInvoicesHandler(request) {
      const page = await listInvoices(db, principalOf(request).companyId, request.query);
      const view = viewFor(principalOf(request), links);
      return presentPage(page, request.query, (row) => presentInvoice(row, view));
    },
  );

  app.get(
    '/billing/invoices/:id',
    operation({
      id: 'getInvoice',
      tag: 'Billing',
      summary: 'Get invoice',
      description: 'One invoice or credit note by id.',
      permissions: ['view-billing'],
      isKept: true,
      params: IdParams('invoice'),
      response: recordResponse(InvoiceSchema, 'invoice', invoiceExample),
      problems: ['not-found'],
    }),
    async function getInvoiceHandler(request) {
      const row = await findInvoice(db, principalOf(request).companyId, request.params.id);
      if (row === undefined) throw notFound('invoice');
      return { data: presentInvoice(row, viewFor(principalOf(request), links)) };
    },
  );

  app.get(
    '/billing/invoices/:id/download',
    operation({
      id: 'downloadInvoice',
      tag: 'Billing',
      summary: 'Download invoice',
      description:
        'The file of an invoice: a PDF with embedded XML (ZUGFeRD, Factur-X), or XRechnung. Files never change.',
      permissions: ['view-billing'],
      params: IdParams('invoice'),
      querystring: DownloadQuery,
      responses: fileResponses(['application/pdf', 'application/xml'], {
        etag: 'Identifies the content of the file.',
        fileName: 'A file name for saving.',
        notModified: 'You already have the file with the `ETag` in `If-None-Match`.',
      }),
      problems: ['not-found', 'document-not-downloadable'],
    }),
    async function downloadInvoiceHandler(request, reply) {
      const { companyId } = principalOf(request);
      const { format } = request.query;
      return sendInvoice(request, reply, { db, documents, companyId, id: request.params.id, format });
    },
  );
};
