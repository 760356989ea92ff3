import { inSnapshot } from '../../platform/db/snapshot.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { FileOf, NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, IdParams, PageOf, Reference } from '../../platform/http/schemas.ts';
import { type View, viewFor } from '../../platform/http/view.ts';
import { contextOf, userOf } from '../accounts/guard.ts';
import { insertAudit } from '../activity/record.ts';
import { PeriodParams } from '../billing/contract.ts';
import type { Routes } from '../context.ts';
import {
  PayrollExportSchema,
  PayrollExportsQuery,
  type PayrollPreviewRecord,
  PayrollPreviewSchema,
  VoidBody,
} from './contract.ts';
import { sendPayrollFile } from './download.ts';
import { exportPayroll } from './export.ts';
import { presentPayrollExport } from './present.ts';
import { type PayrollPreview, previewPayroll } from './preview.ts';
import { listPayrollExports } from './store.ts';
import { voidPayrollExport } from './void.ts';

const maxProblems = 1_000;

const presentPreview = (preview: PayrollPreview, view: View): PayrollPreviewRecord => ({
  system: preview.settings.payrollSystem,
  taxTreatment: preview.settings.taxTreatment,
  benefitValuation: preview.settings.benefitValuation,
  lines: preview.lines.length,
  employees: preview.employees,
  taxFree: view.money(preview.totals['tax-free']),
  flatTax: view.money(preview.totals['flat-tax']),
  deduction: view.money(preview.totals.deduction),
  periodAge: preview.periodAge,
  missingSettings: preview.missingSettings,
  leavers: preview.leavers,
  problemCount: preview.problems.length,
  problems: preview.problems.slice(0, maxProblems).map(({ code, employeeId, name, hrId }) => ({
    code,
    employeeId: name === null ? null : employeeId,
    name,
    hrId,
  })),
});

export const payrollRoutes: Routes = (app, context) => {
  const { db, streaming, slots, clock, links } = context;
  app.get(
    '/payroll/exports',
    portalOperation({
      summary: 'List payroll exports',
      access: 'read',
      querystring: PayrollExportsQuery,
      response: { 200: PageOf(Reference(PayrollExportSchema)) },
    }),
    async (request) => {
      const user = userOf(request);
      const view = viewFor(user, links);
      const page = await listPayrollExports(db, user.companyId, request.query);
      return presentPage(page, request.query, (row) => presentPayrollExport(row, view));
    },
  );

  app.get(
    '/payroll/exports/:id/download',
    portalOperation({
      summary: 'Download the file of a payroll export',
      access: 'payroll-files',
      params: IdParams('payroll export'),
      response: { 200: FileOf('text/plain', 'text/csv'), 304: NoContent },
      problems: ['not-found'],
    }),
    async (request, reply) => {
      const { companyId, by, write } = contextOf(request, context, 'payroll-files');
      const { id } = request.params;
      const onDownload = (number: number) =>
        write((tx) =>
          insertAudit(tx, companyId, { action: 'payroll.download', target: String(id), detail: { number }, ...by }),
        );
      return sendPayrollFile(request, reply, { db, companyId, id, onDownload });
    },
  );

  app.post(
    '/payroll/exports/:id/void',
    portalOperation({
      summary: 'Void the latest payroll export',
      description: 'The next export contains its lines again. Its file stays, marked as voided, with the reason.',
      access: 'payroll-voids',
      params: IdParams('payroll export'),
      body: VoidBody,
      response: { 200: DataOf(Reference(PayrollExportSchema)) },
      problems: ['not-found', 'payroll-not-voidable'],
    }),
    async (request) => {
      const input = { ...request.params, ...request.body };
      const voided = await voidPayrollExport(contextOf(request, context, 'payroll-voids'), input);
      return { data: presentPayrollExport(voided, viewFor(userOf(request), links)) };
    },
  );

  app.get(
    '/payroll/:period',
    {
      ...portalOperation({
        summary: 'Preview the payroll export of a period',
        description: 'What no export contains yet, and everybody who cannot be exported.',
        access: 'read',
        params: PeriodParams,
        response: { 200: DataOf(PayrollPreviewSchema) },
        problems: ['not-found'],
      }),
      // A HEAD request would plan the whole export and discard it.
      exposeHeadRoute: false,
    },
    async (request) => {
      const user = userOf(request);
      const { companyId } = user;
      const preview = await slots.longRunning.run({ companyId, name: user.id }, () =>
        inSnapshot(streaming.db, (tx) => previewPayroll(tx, { companyId, ...request.params }, clock.now())),
      );
      return { data: presentPreview(preview, viewFor(user, links)) };
    },
  );

  app.post(
    '/payroll/:period',
    portalOperation({
      summary: 'Export the payroll file of a period',
      description:
        'Exports what no export contains yet. If there is nothing new, returns the latest export of the period. A file contains everything or is refused.',
      access: 'payroll-files',
      params: PeriodParams,
      response: { 200: DataOf(Reference(PayrollExportSchema)) },
      problems: ['not-found', 'payroll-not-exportable'],
    }),
    async (request) => {
      const user = userOf(request);
      const made = await slots.longRunning.run({ companyId: user.companyId, name: user.id }, () =>
        exportPayroll(contextOf(request, { ...context, db: streaming.db }, 'payroll-files'), request.params),
      );
      return { data: presentPayrollExport(made, viewFor(user, links)) };
    },
  );
};
