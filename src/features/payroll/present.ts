import { presentTimestamp, type View } from '../../platform/http/view.ts';
import type { PayrollExport } from './contract.ts';
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
  resource: 'payroll-export',
  _links: {
    self: view.links.payrollExport(row.id),
    download: view.links.payrollExportDownload(row.id, contentTypeOf(row.system).split(';')[0] ?? ''),
  },
});
