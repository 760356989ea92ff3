import type { Db } from '../../platform/db/database.ts';
import type { View } from '../../platform/http/view.ts';
import type { PayrollExport, PayrollPreview } from './contract.ts';
import type { PayrollPeriod } from './load.ts';
import { presentPayrollExport, presentPreview } from './present.ts';
import { previewPayroll } from './preview.ts';
import { listPayrollExports } from './store.ts';

/** A month has one export, and few more if something was corrected or voided. */
const maxExports = 100;

interface PayrollMonth {
  /** What the next export would contain, and what prevents it. */
  preview: PayrollPreview;
  /** Newest first. */
  exports: PayrollExport[];
}

/** Returns what payroll has of a month, and what it still needs. */
export async function loadPayrollMonth(
  db: Db,
  file: PayrollPeriod,
  now: Temporal.Instant,
  view: View,
): Promise<PayrollMonth> {
  const query = { page: 1, perPage: maxExports, sortField: 'id', sortOrder: 'desc', period: file.period } as const;
  const { rows } = await listPayrollExports(db, file.companyId, query);
  return {
    preview: presentPreview(await previewPayroll(db, file, now), view),
    exports: rows.map((row) => presentPayrollExport(row, view)),
  };
}
