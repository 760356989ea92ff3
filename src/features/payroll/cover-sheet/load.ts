import { sql } from 'kysely';
import type { PayrollSystem } from '../../../domain/enums.ts';
import { createMessage } from '../../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db } from '../../../platform/db/database.ts';
import { ApiError, notFound } from '../../../platform/http/errors.ts';
import { findSettings } from '../../companies/change-settings.ts';
import { getCompany } from '../../companies/companies.ts';
import { fileNameOf } from '../rules/file.ts';
import { lineKinds, type PayrollTotals, sortKeyOf } from '../rules/plan.ts';
import { findPayrollExport } from '../store.ts';

/** One employee of an export. */
export interface CoverSheetRow extends PayrollTotals {
  personnelNumber: string;
  /** Null if the employee was removed or erased. */
  name: string | null;
}

/** What the cover sheet of an export says. It names employees, which the file itself does not. */
export interface CoverSheet {
  company: { name: string; address: string[]; locale: string; currency: string; timeZone: string };
  number: number;
  period: string;
  system: PayrollSystem;
  fileName: string;
  sha256: string;
  lines: number;
  employees: number;
  totals: PayrollTotals;
  exported: { at: string; by: string };
  handedOver: { at: string; by: string } | null;
  /** In the order of the file. */
  rows: CoverSheetRow[];
}

/** Sums up the items of the export by employee. Looks up names one by one, like `loadWaitingItems`. */
async function listRows(db: Db, companyId: CompanyId, fileId: number): Promise<CoverSheetRow[]> {
  const { rows } = await sql<CoverSheetRow>`
    select x.personnel_number as "personnelNumber", max(e.name) as name,
      coalesce(sum(x.benefit_cents) filter (where x.tax_treatment = 'tax-free'), 0)::bigint as "tax-free",
      coalesce(sum(x.benefit_cents) filter (where x.tax_treatment = 'flat-tax'), 0)::bigint as "flat-tax",
      sum(x.deduction_cents)::bigint as deduction
    from payroll_file_items x
    left join lateral (
      select b.employee_id from billing_items b where ${ofCompany(companyId, 'b')} and b.id = x.item_id limit 1
    ) b on true
    left join lateral (
      select case when e.removed_at is null then e.last_name || ', ' || e.first_name end as name from employees e
      where ${ofCompany(companyId, 'e')} and e.id = b.employee_id limit 1
    ) e on true
    where ${ofCompany(companyId, 'x')} and x.file_id = ${fileId} group by x.personnel_number`.execute(db);
  return rows
    .filter((row) => lineKinds.some((kind) => row[kind] !== 0))
    .map((row) => ({ row, sortKey: sortKeyOf(row.personnelNumber) }))
    .sort((a, b) => (a.sortKey < b.sortKey ? -1 : 1))
    .map(({ row }) => row);
}

/** Returns the cover sheet of an export. Throws if it was voided, because nothing is known about its employees then. */
export async function loadCoverSheet(db: Db, companyId: CompanyId, id: number): Promise<CoverSheet> {
  const row = await findPayrollExport(db, companyId, id);
  const settings = await findSettings(db, companyId);
  if (row === undefined || settings === undefined) throw notFound('payroll export');
  if (row.voided_at !== null) throw new ApiError('payroll-export-voided', createMessage('payroll-export-voided'));
  const { name, legalName, locale, timeZone } = settings;
  const { currency, address } = await getCompany(db, companyId);
  const { number, period, system, lines, employees } = row;
  return {
    company: {
      name: legalName ?? name,
      ...{ address, locale, currency, timeZone },
    },
    ...{ number, period, system, lines, employees },
    fileName: fileNameOf(system, period, number),
    sha256: row.sha256.toString('hex'),
    totals: { 'tax-free': row.tax_free_cents, 'flat-tax': row.flat_tax_cents, deduction: row.deduction_cents },
    exported: { at: row.exported_at, by: row.exported_by },
    handedOver: row.handed_over_at === null ? null : { at: row.handed_over_at, by: row.handed_over_by ?? '' },
    rows: await listRows(db, companyId, id),
  };
}
