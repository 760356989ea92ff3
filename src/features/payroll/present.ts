import { presentTimestamp, type View } from '../../platform/http/view.ts';
import type { PayrollExport, PayrollPreview as PresentedPreview } from './contract.ts';
import type { PayrollPreview } from './preview.ts';
import { contentTypeOf, fileNameOf } from './rules/file.ts';
import type { PayrollExportRow } from './store.ts';

export const presentPayrollExport = (row: PayrollExportRow, view: View): PayrollExport => ({
  id: row.id,
  number: row.number,
  period: row.period,
  system: row.system,
  lines: row.lines,
  employees: row.employees,
  taxFree: view.money(row.tax_free_cents),
  flatTax: view.money(row.flat_tax_cents),
  deduction: view.money(row.deduction_cents),
  fileName: fileNameOf(row.system, row.period, row.number),
  sizeBytes: row.size_bytes,
  sha256: row.sha256.toString('hex'),
  exportedAt: presentTimestamp(row.exported_at),
  exportedBy: row.exported_by,
  voided:
    row.voided_at === null
      ? null
      : { at: presentTimestamp(row.voided_at), by: row.voided_by ?? '', reason: row.void_reason ?? '' },
  handedOver:
    row.handed_over_at === null ? null : { at: presentTimestamp(row.handed_over_at), by: row.handed_over_by ?? '' },
  resource: 'payroll-export',
  _links: {
    self: view.links.payrollExport(row.id),
    download: view.links.payrollExportDownload(row.id, contentTypeOf(row.system).split(';')[0] ?? ''),
  },
});

const maxProblems = 1_000;

export const presentPreview = (preview: PayrollPreview, view: View): PresentedPreview => ({
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
