import { inSnapshot } from '../../platform/db/snapshot.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { FileOf } from '../../platform/http/portal/operation.ts';
import { IdParams, PageOf, Reference } from '../../platform/http/schemas.ts';
import { type View, viewFor } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import { PeriodParams } from '../billing/contract.ts';
import { contextOf } from '../caller.ts';
import { portalRoutes } from '../portal-route.ts';
import {
  PayrollExportSchema,
  PayrollExportsQuery,
  PayrollPreviewSchema,
  type PayrollPreview as PresentedPreview,
  VoidBody,
} from './contract.ts';
import { sendPayrollFile } from './download.ts';
import { exportPayroll } from './export.ts';
import { presentPayrollExport } from './present.ts';
import { type PayrollPreview, previewPayroll } from './preview.ts';
import { listPayrollExports } from './store.ts';
import { voidPayrollExport } from './void.ts';

const maxProblems = 1_000;

const presentPreview = (preview: PayrollPreview, view: View): PresentedPreview => ({
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

export const payrollRoutes = portalRoutes((route, context) => {
  const { db, streaming, slots, clock, links } = context;
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
    body: VoidBody,
    data: Reference(PayrollExportSchema),
    problems: ['not-found', 'payroll-not-voidable'],
    async handle(call) {
      const voided = await voidPayrollExport(call, { ...call.params, ...call.body });
      return presentPayrollExport(voided, viewFor(call.user, links));
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
