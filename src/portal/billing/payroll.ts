import { type RawBuilder, sql } from 'kysely';
import { billedLink } from '../../billing/run.ts';
import { type CompanyId, ofCompany } from '../../db/company-scope.ts';
import type { Db, RowSource, Tx } from '../../db/database.ts';
import { writeCompany } from '../../db/write.ts';
import type { PayrollLine } from '../../domain/billing/payroll.ts';

/**
 * The payroll file of a period: one line per ticket charge and per correction. A file is exported once, when each of
 * its lines has an HR id, and does not change after that. A correction that comes too late for the file of its own
 * period goes into the next file that is exported. Removed employees are identified by their HR id alone.
 */
interface File {
  companyId: CompanyId;
  period: string;
}

const amounts = sql`b.company_share_cents as "companyShareCents", b.employee_share_cents as "employeeShareCents",
  b.net_cents as "netCents", b.tax_cents as "taxCents", b.gross_cents as "grossCents", b.corrects_id as "correctsItem",
  case when b.corrects_id is not null then coalesce(b.corrects_period, b.period) end as "correctsPeriod", b.reason`;

const columns = sql`b.id, b.employee_id, b.first_name, b.last_name, b.hr_id, b.company_share_cents, b.employee_share_cents,
  b.net_cents, b.tax_cents, b.gross_cents, b.period, b.corrects_id, b.corrects_period, b.reason`;

/**
 * Selects the items of the period itself, and corrections of earlier periods whose files were exported without them.
 */
const items = (companyId: CompanyId, period: string) => sql`
  select ${columns} from billing_items b where ${ofCompany(companyId, 'b')} and b.period = ${period}::date
    and b.charge_type = 'ticket-charge' and not exists (
      select from payroll_lines p where ${ofCompany(companyId, 'p')} and p.item_id = b.id)
  union all
  select ${columns} from billing_items b
  join payroll_exports x on ${ofCompany(companyId, 'x')} and x.period = b.period
  where ${ofCompany(companyId, 'b')} and b.corrects_id is not null and b.period < ${period}::date
    and b.charge_type = 'ticket-charge' and not exists (
      select from payroll_lines p where ${ofCompany(companyId, 'p')} and p.item_id = b.id)`;

/**
 * Selects the lines of a file that is not exported yet. An employee who was billed before they had an HR id is
 * identified by their current one.
 *
 * Employees are looked up one by one. With a join, PostgreSQL compared 100,000 of them with as many charges that its
 * statistics did not include yet, and did not finish within minutes.
 */
const draftLines = (companyId: CompanyId, period: string) => sql`
  select b.id, e.id as "employeeId", coalesce(b.hr_id, l.hr_id) as "hrId", e.id is not null as "isNamed",
    case when e.id is not null then b.first_name end as "firstName",
    case when e.id is not null then b.last_name end as "lastName", ${amounts}
  from (${items(companyId, period)}) b
  left join lateral (
    select e.id from employees e where ${ofCompany(companyId, 'e')} and e.id = b.employee_id and e.removed_at is null
    limit 1
  ) e on true
  left join lateral (${billedLink(companyId, sql`case when b.hr_id is null then e.id end`)}) l on true`;

/** Selects the lines of a file as it was exported. */
const exportedLines = (companyId: CompanyId, period: string) => sql`
  select b.id, b.employee_id as "employeeId", p.hr_id as "hrId", p.is_named as "isNamed",
    case when p.is_named then b.first_name end as "firstName",
    case when p.is_named then b.last_name end as "lastName", ${amounts}
  from payroll_lines p join billing_items b on ${ofCompany(companyId, 'b')} and b.id = p.item_id
  where ${ofCompany(companyId, 'p')} and p.period = ${period}::date`;

/**
 * Selects the lines of a file: as exported, or as they would be exported now. Which of the two is decided within the
 * statement, because another request may export the file at any moment.
 */
const linesOf = ({ companyId, period }: File): RawBuilder<unknown> => sql`
  ${exportedLines(companyId, period)} union all ${draftLines(companyId, period)} where not exists (
    select from payroll_exports x where ${ofCompany(companyId, 'x')} and x.period = ${period}::date)`;

async function isComplete(tx: Tx, file: File): Promise<boolean> {
  const { rows } = await sql<{ lines: number; named: number }>`
    select count(*) as lines, count(l."hrId") as named from (${linesOf(file)}) l`.execute(tx);
  const [{ lines, named } = { lines: 0, named: 0 }] = rows;
  return lines > 0 && lines === named;
}

/**
 * Exports the file of a period. Changes nothing if it was exported before, or if lines have no HR id yet; in that case it
 * can still change. Exports of the same file wait for each other, so that the second finds the file of the first.
 */
export const exportPayroll = (db: Db, file: File, now: Temporal.Instant): Promise<void> =>
  writeCompany(db, file.companyId, async (tx) => {
    const { companyId, period } = file;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`payroll ${companyId} ${period}`}, 0))`.execute(tx);
    if (!(await isComplete(tx, file))) return;
    const { numAffectedRows } = await sql`
      insert into payroll_exports (company_id, period, exported_at)
      values (${companyId}, ${period}::date, ${now.toString()}::timestamptz) on conflict do nothing`.execute(tx);
    if (numAffectedRows !== 1n) return;
    await sql`
      insert into payroll_lines (company_id, period, item_id, hr_id, is_named)
      select ${companyId}, ${period}::date, l.id, l."hrId", l."isNamed" from (${draftLines(companyId, period)}) l
      where l."hrId" is not null order by l.id on conflict do nothing`.execute(tx);
  });

export function streamPayroll({ db, stream }: RowSource, file: File): AsyncGenerator<PayrollLine[]> {
  const query = sql<PayrollLine>`
    select l."hrId", l."firstName", l."lastName", l."companyShareCents", l."employeeShareCents", l."netCents", l."taxCents",
      l."grossCents", l."correctsItem", l."correctsPeriod", l.reason
    from (${linesOf(file)}) l order by l.id`;
  return stream(query.compile(db));
}

export interface PayrollTotals {
  lines: number;
  grossCents: number;
}

export async function findPayrollTotals(db: Db, file: File): Promise<PayrollTotals> {
  const { rows } = await sql<PayrollTotals>`
    select count(*) as lines, coalesce(sum(l."grossCents"), 0)::bigint as "grossCents"
    from (${linesOf(file)}) l`.execute(db);
  return rows[0] ?? { lines: 0, grossCents: 0 };
}

export type UnnamedLine = Pick<PayrollLine, 'firstName' | 'lastName'> & { employeeId: number | null };

export async function listLinesWithoutHrId(db: Db, file: File, limit: number): Promise<UnnamedLine[]> {
  const { rows } = await sql<UnnamedLine>`
    select l."employeeId", l."firstName", l."lastName" from (${linesOf(file)}) l where l."hrId" is null
    order by l.id limit ${limit}`.execute(db);
  return rows;
}
