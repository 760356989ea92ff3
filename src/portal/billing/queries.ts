import { type RawBuilder, type Selectable, sql } from 'kysely';
import { billedLink } from '../../billing/run.ts';
import { type CompanyId, ofCompany } from '../../db/company-scope.ts';
import type { Db, RowSource } from '../../db/database.ts';
import type { BillingTotalsTable } from '../../db/types.gen.ts';
import type { PayrollLine } from '../../domain/payroll.ts';

/** What is kept of each period and charge type, newest period first. */
export async function listBillingTotals(
  db: Db,
  companyId: CompanyId,
): Promise<Omit<Selectable<BillingTotalsTable>, 'company_id'>[]> {
  return db
    .selectFrom('billing_totals as t')
    .select(['t.period', 't.charge_type', 't.items', 't.net_cents', 't.tax_cents', 't.gross_cents'])
    .where(ofCompany(companyId, 't'))
    .orderBy('t.period', 'desc')
    .execute();
}

/**
 * A line for everybody with a ticket of the month. His charge and its correction are one line: a correction names what it
 * corrects, also when the employee is erased, and repeats his names and his id. Who was removed is told by the id he was
 * billed under alone. One who was billed before he had an id is told by the one he has now.
 *
 * Employees are looked up one by one: as a join, PostgreSQL compared 100,000 of them with as many charges that its
 * statistics did not know of yet, and did not end within minutes.
 */
const payroll = (companyId: CompanyId, period: string): RawBuilder<unknown> => sql`
  with charged as (
    select coalesce(b.corrects_id, b.id) as id, max(b.employee_id) as employee_id, max(b.hr_id) as hr_id,
      max(b.first_name) as first_name, max(b.last_name) as last_name,
      sum(b.company_share_cents)::bigint as "companyShareCents",
      sum(b.employee_share_cents)::bigint as "employeeShareCents", sum(b.net_cents)::bigint as "netCents",
      sum(b.tax_cents)::bigint as "taxCents", sum(b.gross_cents)::bigint as "grossCents"
    from billing_items b where ${ofCompany(companyId, 'b')} and b.period = ${period}::date
      and b.charge_type = 'ticket-charge'
    group by 1
  ), lines as (
    select c.id, e.id as "employeeId", coalesce(c.hr_id, l.hr_id) as "hrId",
      case when e.id is not null then c.first_name end as "firstName",
      case when e.id is not null then c.last_name end as "lastName",
      c."companyShareCents", c."employeeShareCents", c."netCents", c."taxCents", c."grossCents"
    from charged c
    left join lateral (
      select e.id from employees e where ${ofCompany(companyId, 'e')} and e.id = c.employee_id and e.removed_at is null
      limit 1
    ) e on true
    left join lateral (${billedLink(companyId, sql`case when c.hr_id is null then e.id end`)}) l on true
  )`;

export function streamPayroll(
  { db, stream }: RowSource,
  companyId: CompanyId,
  period: string,
): AsyncGenerator<PayrollLine[]> {
  const query = sql<PayrollLine>`${payroll(companyId, period)} select "hrId", "firstName", "lastName",
    "companyShareCents", "employeeShareCents", "netCents", "taxCents", "grossCents" from lines order by id`;
  return stream(query.compile(db));
}

export interface PayrollTotals {
  employees: number;
  grossCents: number;
}

export async function findPayrollTotals(db: Db, companyId: CompanyId, period: string): Promise<PayrollTotals> {
  const { rows } = await sql<PayrollTotals>`${payroll(companyId, period)}
    select count(*) as employees, coalesce(sum("grossCents"), 0)::bigint as "grossCents" from lines`.execute(db);
  return rows[0] ?? { employees: 0, grossCents: 0 };
}

export type UnnamedLine = Pick<PayrollLine, 'firstName' | 'lastName'> & { employeeId: number | null };

export async function listLinesWithoutHrId(
  db: Db,
  companyId: CompanyId,
  period: string,
  limit: number,
): Promise<UnnamedLine[]> {
  const { rows } = await sql<UnnamedLine>`${payroll(companyId, period)}
    select "employeeId", "firstName", "lastName" from lines where "hrId" is null order by id limit ${limit}`.execute(
    db,
  );
  return rows;
}
