import { notFound } from '../../platform/http/errors.ts';
import { fileResponses, operation, pageResponse, recordResponse } from '../../platform/http/operation.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { principalOf } from '../caller.ts';
import type { Routes } from '../context.ts';
import { PayrollExportSchema, PayrollExportsQuery, payrollExportExample } from './contract.ts';
import { sendPayrollFile } from './download.ts';
import { presentPayrollExport } from './present.ts';
import { findPayrollExport, listPayrollExports } from './store.ts';

export const payrollRoutes: Routes = (app, { db, links }) => {
  app.get(
    '/billing/payroll-exports',
    operation({
      id: 'listPayrollExports',
      tag: 'Billing',
      summary: 'List payroll exports',
      description:
        'The payroll files that were exported in the portal or by the operator. A period has several if something was corrected after the first: each later one contains only the differences.',
      permissions: ['view-billing'],
      isKept: true,
      querystring: PayrollExportsQuery,
      response: pageResponse(PayrollExportSchema, 'payroll exports', payrollExportExample),
    }),
    async function listPayrollExportsHandler(request) {
      const page = await listPayrollExports(db, principalOf(request).companyId, request.query);
      const view = viewFor(principalOf(request), links);
      return presentPage(page, request.query, (row) => presentPayrollExport(row, view));
    },
  );

  app.get(
    '/billing/payroll-exports/:id',
    operation({
      id: 'getPayrollExport',
      tag: 'Billing',
      summary: 'Get payroll export',
      description: 'One payroll export by id. Use the download for the file itself.',
      permissions: ['view-billing'],
      isKept: true,
      params: IdParams('payroll export'),
      response: recordResponse(PayrollExportSchema, 'payroll export', payrollExportExample),
      problems: ['not-found'],
    }),
    async function getPayrollExportHandler(request) {
      const row = await findPayrollExport(db, principalOf(request).companyId, request.params.id);
      if (row === undefined) throw notFound('payroll export');
      return { data: presentPayrollExport(row, viewFor(principalOf(request), links)) };
    },
  );

  app.get(
    '/billing/payroll-exports/:id/download',
    operation({
      id: 'downloadPayrollExport',
      tag: 'Billing',
      summary: 'Download payroll export',
      description:
        'The file as it was exported, byte for byte: for DATEV as text in Windows-1252, else as CSV in UTF-8. Its `ETag` is the SHA-256 of the file.',
      permissions: ['view-billing'],
      params: IdParams('payroll export'),
      responses: fileResponses(['text/plain', 'text/csv'], {
        etag: 'The SHA-256 of the file.',
        fileName: 'The file name.',
        notModified: 'The file has the `ETag` in `If-None-Match`.',
      }),
      problems: ['not-found'],
    }),
    async function downloadPayrollExportHandler(request, reply) {
      const { companyId } = principalOf(request);
      return sendPayrollFile(request, reply, { db, companyId, id: request.params.id });
    },
  );
};
