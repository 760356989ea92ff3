import { isTestIn } from '../../domain/test-mark.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { FileOf } from '../../platform/http/portal/operation.ts';
import { IdParams, PageOf, Reference } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import { PeriodParams } from '../billing/contract.ts';
import { contextOf } from '../caller.ts';
import type { Routes } from '../context.ts';
import { portalRoutes } from '../portal-route.ts';
import {
  CoverSheetQuery,
  PayrollExportSchema,
  PayrollExportsQuery,
  PayrollPreviewSchema,
  PayrollYearSchema,
  ReasonBody,
  RequestedStatementsSchema,
  YearParams,
  YearQuery,
} from './contract.ts';
import { coverSheetName } from './cover-sheet/compose.ts';
import { loadCoverSheet } from './cover-sheet/load.ts';
import { sendPayrollFile } from './download.ts';
import { exportPayroll } from './export.ts';
import { recordHandover, withdrawHandover } from './handover.ts';
import { presentPayrollExport, presentPreview } from './present.ts';
import { previewPayroll } from './preview.ts';
import { sendRendered, startRenderer } from './rendered.ts';
import { listPayrollExports } from './store.ts';
import type { RenderTask } from './thread.ts';
import { voidPayrollExport } from './void.ts';
import { yearFileName } from './year/render.ts';
import { requestStatements } from './year/statements.ts';
import { loadYearFile, presentYear } from './year/year.ts';

interface Rendering {
  render(task: RenderTask): Promise<Uint8Array>;
}

const payroll = portalRoutes<Rendering>((route, context) => {
  const { db, streaming, slots, clock, queue, links, render } = context;
  const isTest = isTestIn(context.config.environment);
  route('GET /payroll/exports', {
    summary: 'List payroll exports',
    access: 'read',
    query: PayrollExportsQuery,
    returns: PageOf(Reference(PayrollExportSchema)),
    async handle({ user, query }) {
      const view = viewFor(user, links);
      const page = await listPayrollExports(db, user.companyId, query);
      return presentPage(page, query, (row) => presentPayrollExport(row, view));
    },
  });

  route('GET /payroll/exports/:id/download', {
    summary: 'Download the file of a payroll export',
    access: 'payroll-files',
    params: IdParams('payroll export'),
    isConditional: true,
    returns: FileOf('text/plain', 'text/csv'),
    problems: ['not-found'],
    async handle({ request, reply, companyId, params, by, write }) {
      const { id } = params;
      const onDownload = (number: number) =>
        write((tx) =>
          insertAudit(tx, companyId, { action: 'payroll.download', target: String(id), detail: { number }, ...by }),
        );
      return sendPayrollFile(request, reply, { db, companyId, id, onDownload });
    },
  });

  route('POST /payroll/exports/:id/void', {
    summary: 'Void the latest payroll export',
    description: 'The next export contains its lines again. Its file stays, marked as voided, with the reason.',
    access: 'payroll-voids',
    params: IdParams('payroll export'),
    body: ReasonBody,
    data: Reference(PayrollExportSchema),
    problems: ['not-found', 'payroll-not-voidable'],
    async handle(call) {
      const voided = await voidPayrollExport(call, { ...call.params, ...call.body });
      return presentPayrollExport(voided, viewFor(call.user, links));
    },
  });

  route('GET /payroll/exports/:id/cover-sheet', {
    summary: 'Download the cover sheet of a payroll export',
    description: 'Everybody in the file by name, with amounts and totals.',
    access: 'payroll-files',
    params: IdParams('payroll export'),
    query: CoverSheetQuery,
    isConditional: true,
    returns: FileOf('application/pdf', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
    problems: ['not-found', 'payroll-export-voided'],
    options: { exposeHeadRoute: false },
    async handle({ request, reply, companyId, user, params: { id }, query: { format }, by, write }) {
      return slots.longRunning.run({ companyId, name: user.id }, async () => {
        const sheet = await inSnapshot(streaming.db, (tx) => loadCoverSheet(tx, companyId, id));
        const detail = { number: sheet.number, format };
        const onDownload = () =>
          write((tx) =>
            insertAudit(tx, companyId, { action: 'payroll.cover-sheet', target: String(id), detail, ...by }),
          );
        const task = { sheet, format, isTest };
        return sendRendered(request, reply, {
          task,
          fileName: `${coverSheetName(sheet)}.${format}`,
          render,
          onDownload,
        });
      });
    },
  });

  route('POST /payroll/exports/:id/handover', {
    summary: 'Record that a payroll file was handed over',
    description: 'Doing it again has no effect. The result says who recorded it first.',
    access: 'payroll-files',
    params: IdParams('payroll export'),
    data: Reference(PayrollExportSchema),
    problems: ['not-found', 'payroll-export-voided'],
    async handle(call) {
      return presentPayrollExport(await recordHandover(call, call.params), viewFor(call.user, links));
    },
  });

  route('POST /payroll/exports/:id/handover/withdraw', {
    summary: 'Withdraw that a payroll file was handed over',
    access: 'payroll-files',
    params: IdParams('payroll export'),
    body: ReasonBody,
    data: Reference(PayrollExportSchema),
    problems: ['not-found'],
    async handle(call) {
      const withdrawn = await withdrawHandover(call, { ...call.params, ...call.body });
      return presentPayrollExport(withdrawn, viewFor(call.user, links));
    },
  });

  route('GET /payroll/years/:year', {
    summary: 'Get a year of payroll',
    description: 'What was billed for the tickets of a year, and whose exported months contain something else.',
    access: 'read',
    params: YearParams,
    data: PayrollYearSchema,
    options: { exposeHeadRoute: false },
    handle: ({ user, companyId, params: { year } }) =>
      slots.longRunning.run({ companyId, name: user.id }, () =>
        presentYear(streaming.db, { companyId, year, now: clock.now() }, viewFor(user, links)),
      ),
  });

  route('GET /payroll/years/:year/download', {
    summary: 'Download a year of payroll',
    description: 'Everybody with a ticket in the year: months, shares, tax treatment, and what was exported.',
    access: 'payroll-files',
    params: YearParams,
    query: YearQuery,
    isConditional: true,
    returns: FileOf('text/csv', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
    options: { exposeHeadRoute: false },
    async handle({ request, reply, companyId, user, params: { year }, query: { format }, by, write }) {
      return slots.longRunning.run({ companyId, name: user.id }, async () => {
        const wanted = { companyId, year, now: clock.now() };
        const file = await inSnapshot(streaming.db, (tx) => loadYearFile(tx, wanted));
        const audit = { action: 'payroll.year', target: String(year), detail: { year, format }, ...by };
        const onDownload = () => write((tx) => insertAudit(tx, companyId, audit));
        const task = { file, format };
        return sendRendered(request, reply, { task, fileName: yearFileName(file, format), render, onDownload });
      });
    },
  });

  route('POST /payroll/years/:year/statements', {
    summary: 'Make the yearly statements of the employees',
    description:
      'In the background. Only those that do not exist yet are made, and new versions of those that corrections have changed.',
    access: 'payroll-files',
    params: YearParams,
    data: RequestedStatementsSchema,
    problems: ['payroll-not-exportable'],
    async handle({ companyId, params: { year }, by, write }) {
      await write((tx) => requestStatements(tx, queue, { companyId, year, ...by }));
      return { year };
    },
  });

  route('GET /payroll/:period', {
    summary: 'Preview the payroll export of a period',
    description: 'What no export contains yet, and everybody who cannot be exported.',
    access: 'read',
    params: PeriodParams,
    data: PayrollPreviewSchema,
    problems: ['not-found'],
    options: { exposeHeadRoute: false },
    async handle({ user, params }) {
      const { companyId } = user;
      const preview = await slots.longRunning.run({ companyId, name: user.id }, () =>
        inSnapshot(streaming.db, (tx) => previewPayroll(tx, { companyId, ...params }, clock.now())),
      );
      return presentPreview(preview, viewFor(user, links));
    },
  });

  route('POST /payroll/:period', {
    summary: 'Export the payroll file of a period',
    description:
      'Exports what no export contains yet. If there is nothing new, returns the latest export of the period. A file contains everything or is refused.',
    access: 'payroll-files',
    params: PeriodParams,
    data: Reference(PayrollExportSchema),
    problems: ['not-found', 'payroll-not-exportable'],
    async handle({ request, user, params }) {
      const made = await slots.longRunning.run({ companyId: user.companyId, name: user.id }, () =>
        exportPayroll(contextOf(request, { ...context, db: streaming.db }, 'payroll-files'), params),
      );
      return presentPayrollExport(made, viewFor(user, links));
    },
  });
});

export const payrollRoutes: Routes = (app, context) => {
  const renderer = startRenderer();
  app.addHook('onClose', () => renderer.stop());
  payroll(app, { ...context, render: renderer.run });
};
