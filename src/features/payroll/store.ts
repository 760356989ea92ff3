import { type Selectable, sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { offsetOf, type Page, type PageRow, pageOf, toPage } from '../../platform/db/page.ts';
import type { PayrollFilesTable } from '../../platform/db/types.gen.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { PayrollExportsQuery } from './contract.ts';
import type { PayrollPeriod } from './load.ts';

export type PayrollExportRow = Omit<
  Selectable<PayrollFilesTable>,
  'company_id' | 'content' | 'exported_by_user' | 'voided_by_user'
> & {
  /** Null: the file has not been handed over to payroll. */
  handed_over_at: string | null;
  handed_over_by: string | null;
};

const columns = sql`f.id, f.number, f.period, f.system, f.lines, f.employees, f.tax_free_cents, f.flat_tax_cents,
  f.deduction_cents, f.size_bytes, f.sha256, f.exported_at, f.exported_by, f.voided_at, f.voided_by, f.void_reason,
  h.handed_over_at, h.handed_over_by`;

const handover = (companyId: CompanyId) => sql`
  left join payroll_handovers h on ${ofCompany(companyId, 'h')} and h.file_id = f.id`;

const sortColumns = { id: 'id', period: 'period', exportedAt: 'exported_at' } as const;

export async function listPayrollExports(
  db: Db,
  companyId: CompanyId,
  query: PayrollExportsQuery,
): Promise<Page<PayrollExportRow>> {
  const { sortField, period } = query;
  const matching = sql`select f.id, ${sql.ref(`f.${sortColumns[sortField]}`)} as sorted from payroll_files f
    where ${ofCompany(companyId, 'f')} ${period === undefined ? sql`` : sql`and f.period = ${period}::date`}`;
  const page = pageOf({ rows: matching, storedTotal: undefined }, query, offsetOf(query));
  const { rows } = await sql<PayrollExportRow & PageRow>`
    ${page.found} select n.total, ${columns} from ${page.source}
    left join payroll_files f on ${ofCompany(companyId, 'f')} and f.id = p.id ${handover(companyId)} ${page.order}`.execute(
    db,
  );
  return toPage(rows);
}

export async function findPayrollExport(
  db: Db,
  companyId: CompanyId,
  id: number,
): Promise<PayrollExportRow | undefined> {
  const { rows } = await sql<PayrollExportRow>`
    select ${columns} from payroll_files f ${handover(companyId)}
    where ${ofCompany(companyId, 'f')} and f.id = ${id}`.execute(db);
  return rows[0];
}

/** Returns the newest export of a period that is not voided. */
export async function findLatestExport(
  tx: Tx,
  { companyId, period }: PayrollPeriod,
): Promise<PayrollExportRow | undefined> {
  const { rows } = await sql<PayrollExportRow>`
    select ${columns} from payroll_files f ${handover(companyId)}
    where ${ofCompany(companyId, 'f')} and f.period = ${period}::date and f.voided_at is null order by f.id desc limit 1`.execute(
    tx,
  );
  return rows[0];
}

/** Returns an export with the bytes of its file. */
export async function getPayrollFile(db: Db, companyId: CompanyId, id: number) {
  const { rows } = await sql<PayrollExportRow & { content: Buffer }>`
    select ${columns}, f.content from payroll_files f ${handover(companyId)}
    where ${ofCompany(companyId, 'f')} and f.id = ${id}`.execute(db);
  if (rows[0] === undefined) throw notFound('payroll export');
  return rows[0];
}
