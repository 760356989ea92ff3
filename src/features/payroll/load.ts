import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { linkOrder } from '../billing/run.ts';
import type { PayrollPreview } from './contract.ts';
import type { PayrollItem } from './rules/plan.ts';

/** A month whose ticket charges payroll takes. */
export interface PayrollPeriod {
  companyId: CompanyId;
  /** The first day of the month. */
  period: string;
}

/** How many items are in memory at once, with everything that is looked up for them. */
const itemsPerBatch = 2_000;

/**
 * Holds if no file contains item `b`: neither an export, nor a file of the releases before exports, which counts as
 * handed over. `offset 0` makes PostgreSQL look up one item after the other (see loadWaitingItems).
 */
const isWaiting = (companyId: CompanyId) => sql`
  not exists (select from payroll_file_items x where ${ofCompany(companyId, 'x')} and x.item_id = b.id offset 0)
  and not exists (select from payroll_lines p where ${ofCompany(companyId, 'p')} and p.item_id = b.id offset 0)`;

/**
 * Selects the ids of the items of the period that no export contains, and of corrections and late tickets of earlier
 * periods that were exported without them. Such an item is in whichever file comes first: the next one of its own period, or that of
 * a later one.
 */
const waitingItems = ({ companyId, period }: PayrollPeriod) => {
  const ofExported = sql`b.period < ${period}::date and b.charge_type = 'ticket-charge' and ${isWaiting(companyId)}
    and (exists (select from payroll_files f
        where ${ofCompany(companyId, 'f')} and f.period = b.period and f.voided_at is null)
      or exists (select from payroll_exports o where ${ofCompany(companyId, 'o')} and o.period = b.period))`;
  return sql`
  select b.id from billing_items b where ${ofCompany(companyId, 'b')} and b.period = ${period}::date
    and b.charge_type = 'ticket-charge' and ${isWaiting(companyId)}
  union all
  select b.id from billing_items b where ${ofCompany(companyId, 'b')} and b.corrects_id is not null and ${ofExported}
  union all
  select b.id from billing_items b where ${ofCompany(companyId, 'b')} and b.ticket_month is not null and ${ofExported}`;
};

/** Returns the ids as one value: 100,000 rows would need far more memory. */
async function listWaitingIds(db: Db | Tx, file: PayrollPeriod): Promise<number[]> {
  const { rows } = await sql<{ ids: string | null }>`
    select string_agg(b.id::text, ',' order by b.id) as ids from (${waitingItems(file)}) b`.execute(db);
  return rows[0]?.ids?.split(',').map(Number) ?? [];
}

const maxLeavers = 1_000;

/** Returns at most 1,000 of those whose employment ended before the period, and whose charges an export would contain now. */
export async function listLeavers(db: Db | Tx, file: PayrollPeriod): Promise<PayrollPreview['leavers']> {
  const { companyId, period } = file;
  const ids = await listWaitingIds(db, file);
  const { rows } = await sql<PayrollPreview['leavers'][number]>`
    select case when e.removed_at is null then e.id end as "employeeId",
      case when e.removed_at is null then e.first_name || ' ' || e.last_name end as name,
      e.terminated_on as "terminationDate"
    from employees e where ${ofCompany(companyId, 'e')} and e.terminated_on < ${period}::date
      and exists (select from billing_items b where ${ofCompany(companyId, 'b')} and b.employee_id = e.id
        and b.id = any(${ids}::bigint[]) offset 0)
    order by e.terminated_on, e.id limit ${maxLeavers}`.execute(db);
  return rows;
}

/**
 * Yields everything that an export of the period would contain now, oldest first. Employees, links and counterparts are
 * looked up one by one. With a join, PostgreSQL compared 100,000 employees with as many charges that its statistics did
 * not include yet, and did not finish within minutes. For the same reason, no lookup by id has a condition that lets
 * PostgreSQL choose an index for another purpose, in which it would read all employees of the company.
 */
export async function* loadWaitingItems(db: Db | Tx, file: PayrollPeriod): AsyncGenerator<PayrollItem[]> {
  const ids = await listWaitingIds(db, file);
  for (let start = 0; start < ids.length; start += itemsPerBatch) {
    yield await loadItems(db, file.companyId, ids.slice(start, start + itemsPerBatch));
  }
}

/** Returns the months among these that have ticket charges, and no export. */
export async function listUnexportedMonths(db: Db | Tx, companyId: CompanyId, months: readonly string[]) {
  const { rows } = await sql<{ period: string }>`
    select t.period from billing_totals t where ${ofCompany(companyId, 't')} and t.charge_type = 'ticket-charge'
      and t.period = any(${months}::date[]) and t.items > 0
      and not exists (select from payroll_files f
        where ${ofCompany(companyId, 'f')} and f.period = t.period and f.voided_at is null)
      and not exists (select from payroll_exports o where ${ofCompany(companyId, 'o')} and o.period = t.period)
    order by t.period`.execute(db);
  return rows.map(({ period }) => period);
}

/** Returns the first charges of a month. */
export async function loadFirstItems(
  db: Db | Tx,
  { companyId, period }: PayrollPeriod,
  limit: number,
): Promise<PayrollItem[]> {
  const { rows } = await sql<{ id: number }>`
    select b.id from billing_items b where ${ofCompany(companyId, 'b')} and b.period = ${period}::date
      and b.charge_type = 'ticket-charge' order by b.id limit ${limit}`.execute(db);
  return loadItems(
    db,
    companyId,
    rows.map(({ id }) => id),
  );
}

async function loadItems(db: Db | Tx, companyId: CompanyId, ids: number[]): Promise<PayrollItem[]> {
  const { rows } = await sql<PayrollItem>`
    select b.id, b.employee_id as "employeeId", e.name, e.personnel_number as "personnelNumber", b.hr_id as "billedHrId",
      e.policy_id as "policyId", e.roster_group as "group", coalesce(b.ticket_month, b.corrects_period, b.period) as month,
      b.gross_cents as "grossCents", b.employee_share_cents as "employeeShareCents",
      x.personnel_number as "exportedNumber", case when x.tax_treatment is not null then json_build_object(
        'taxTreatment', x.tax_treatment, 'benefitCents', x.benefit_cents, 'deductionCents', x.deduction_cents
      ) end as counterpart,
      array(
        select l.hr_id from hr_links l
        left join hr_integrations i on ${ofCompany(companyId, 'i')} and i.id = l.hr_integration_id
        where ${ofCompany(companyId, 'l')} and l.employee_id = b.employee_id order by ${linkOrder}
      ) as "hrIds"
    from billing_items b
    left join lateral (
      select case when e.removed_at is null then e.first_name || ' ' || e.last_name end as name, e.personnel_number, e.policy_id,
        e.roster_group from employees e
      where ${ofCompany(companyId, 'e')} and e.id = b.employee_id limit 1
    ) e on true
    left join lateral (
      select c.id from billing_items c where ${ofCompany(companyId, 'c')} and c.corrects_id = b.id limit 1
    ) c on true
    left join lateral (
      select x.tax_treatment, x.benefit_cents, x.deduction_cents, x.personnel_number from payroll_file_items x
      where ${ofCompany(companyId, 'x')} and x.item_id = coalesce(b.corrects_id, c.id) limit 1
    ) x on true
    where ${ofCompany(companyId, 'b')} and b.id = any(${ids}::bigint[])
    order by b.id`.execute(db);
  return rows;
}
