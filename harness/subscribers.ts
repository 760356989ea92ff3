import assert from 'node:assert/strict';
import { type RawBuilder, sql } from 'kysely';
import { type Day, firstOfNextMonth } from '../src/domain/calendar.ts';
import type { IntegrationType } from '../src/domain/enums.ts';
import { type CompanyId, ofCompany } from '../src/platform/db/company-scope.ts';
import type { Db } from '../src/platform/db/database.ts';
import { makeCompany, makeIntegration } from '../test/support/factories.ts';
import { until } from '../test/support/until.ts';

interface Subscribers {
  count: number;
  /** When the next of the subscriptions begin, pause, continue and end. */
  startOn: Day;
  /** A status, or an expression for it with the number `n` of the employee. */
  status: 'scheduled' | 'active' | RawBuilder<unknown>;
  processedThrough: Day;
}

/** Creates a company with subscribers, half with a plan that the company pays. One integration that pulls links all of them. */
export async function makeSubscribers(
  db: Db,
  { count, startOn, status, processedThrough }: Subscribers,
): Promise<CompanyId> {
  const companyId = await makeCompany(db);
  const integrationId = await makeIntegration(db, companyId);
  await sql`update hr_integrations set type = ${'hr-integration' satisfies IntegrationType}
    where company_id = ${companyId} and id = ${integrationId}`.execute(db);
  const start = sql`${startOn.toString()}::date`;
  const earlier = sql`${startOn.subtract({ months: 2 }).toString()}::date`;
  const later = sql`${startOn.add({ months: 3 }).toString()}::date`;
  await sql`update companies set processed_through = ${processedThrough.toString()}::date, created_at = now() - interval '1 year'
    where id = ${companyId}`.execute(db);
  await sql`
    insert into employees (company_id, first_name, last_name, email, email_key, search_text, employed_from, plan_type,
      contribution_cents, contract_status, subscription_status, start_on, paused_on, resumes_on, cancelled_on, next_ticket_on, due_on)
    select ${companyId}, 'Anna', 'Muster ' || n, m.email, m.email, 'anna muster ' || n || ' ' || m.email,
      ${startOn.toString()}::date - 150 - n % 5000,
      case when n % 2 = 0 then 'split-pay-plan' else 'fully-subsidized-plan' end, case when n % 2 = 0 then 2000 end,
      case when n % 2 = 0 then 'accepted' end, m.status,
      case when m.status in ('scheduled', 'active') then ${start} else ${earlier} end,
      case m.status when 'scheduled-pause' then ${start} when 'paused' then ${earlier} end,
      case m.status when 'scheduled-pause' then ${later} when 'paused' then ${start} end,
      case m.status when 'scheduled-cancellation' then ${start} end, ${start},
      case when m.status <> 'active' then ${start} end
    from generate_series(1, ${count}::integer) n
    cross join lateral (select 'person' || n || '@example.com' as email, ${status}::text as status) m`.execute(db);
  await sql`
    insert into hr_links (company_id, employee_id, hr_integration_id, hr_id)
    select company_id, id, ${integrationId}, 'E-' || id from employees where company_id = ${companyId}`.execute(db);
  await sql`analyze employees, hr_links`.execute(db);
  return companyId;
}

export async function issueUnbilledTickets(db: Db, companyId: CompanyId, month: Day): Promise<void> {
  const first = month.toString();
  await sql`
    insert into tickets (company_id, employee_id, month, ticket_id, valid_from, valid_until, wallet_token, plan_type,
      contribution_cents)
    select company_id, id, ${first}::date, 'DT-' || id, ${first}::date, ${firstOfNextMonth(month).toString()}::date - 1,
      md5(id::text) || md5(id::text || 'x'), plan_type, contribution_cents
    from employees where company_id = ${companyId}`.execute(db);
  await sql`analyze tickets`.execute(db);
}

export async function verifyBilled(db: Db, companyId: CompanyId, month: Day, count: number): Promise<void> {
  const { rows: counts } = await sql<{ tickets: number; charges: number; employees: number }>`
    select tickets, charges, count(*) as employees from (
      select (select count(*) from tickets t where ${ofCompany(companyId, 't')} and t.employee_id = e.id) as tickets,
        (select count(*) from billing_items b where ${ofCompany(companyId, 'b')} and b.employee_id = e.id
          and b.period = ${month.toString()}::date and b.charge_type = 'ticket-charge') as charges
      from employees e where ${ofCompany(companyId, 'e')}) c group by 1, 2`.execute(db);
  assert.deepEqual(counts, [{ tickets: 1, charges: 1, employees: count }]);
  const { rows: items } = await sql<{ charge_type: string; items: number }>`
    select b.charge_type, count(*) as items, sum(b.net_cents)::bigint as net_cents, sum(b.tax_cents)::bigint as tax_cents,
      sum(b.gross_cents)::bigint as gross_cents
    from billing_items b where ${ofCompany(companyId, 'b')} and b.period = ${month.toString()}::date
    group by 1 order by 1`.execute(db);
  const numbers = Object.fromEntries(items.map((one) => [one.charge_type, one.items]));
  assert.deepEqual(numbers, { 'hr-integration-charge': 1, 'service-charge': 1, 'ticket-charge': count });
  const { rows: stored } = await sql`
    select b.charge_type, b.items, b.net_cents, b.tax_cents, b.gross_cents from billing_totals b
    where ${ofCompany(companyId, 'b')} and b.period = ${month.toString()}::date order by 1`.execute(db);
  assert.deepEqual(stored, items, 'billing_totals');
  const { rows: periods } = await sql`
    select distinct b.period from billing_items b where ${ofCompany(companyId, 'b')}`.execute(db);
  assert.equal(periods.length, 1, 'nothing is billed for another month');
}

export async function verifyEmployeeCounts(db: Db, companyId: CompanyId): Promise<unknown[]> {
  const { rows: stored } = await sql`
    select c.subscription_status, c.plan_type, c.employees from employee_counts c
    where ${ofCompany(companyId, 'c')} order by 1, 2`.execute(db);
  const { rows: counted } = await sql`
    select e.subscription_status, e.plan_type, count(*) as employees from employees e
    where ${ofCompany(companyId, 'e')} and e.removed_at is null group by 1, 2 order by 1, 2`.execute(db);
  assert.deepEqual(stored, counted, 'employee_counts');
  return stored;
}

export async function verifyStarted(
  db: Db,
  companyId: CompanyId,
  { first, count, today }: { first: Day; count: number; today: Day },
): Promise<void> {
  assert.deepEqual(await verifyEmployeeCounts(db, companyId), [
    { subscription_status: 'active', plan_type: 'fully-subsidized-plan', employees: count / 2 },
    { subscription_status: 'active', plan_type: 'split-pay-plan', employees: count / 2 },
  ]);
  const { rows: changes } = await sql`
    select changes, count(*) as employees from (
      select count(*) as changes from subscription_changes c where ${ofCompany(companyId, 'c')} group by c.employee_id
    ) c group by 1`.execute(db);
  assert.deepEqual(changes, [{ changes: 1, employees: count }], 'each start is recorded once');
  const { rows: days } = await sql`
    select a.target, a.detail from audit_log a
    where ${ofCompany(companyId, 'a')} and a.action = 'daily-run.finish' order by a.id`.execute(db);
  const detail = { moved: count, removed: 0, tickets: count, charges: count + 2, erased: 0 };
  assert.deepEqual(days, [{ target: first.toString(), detail }]);
  const { rows: result } = await sql`select processed_through from companies where id = ${companyId}`.execute(db);
  assert.deepEqual(result, [{ processed_through: today.toString() }]);
}

/** Waits until the server has detected that the connections of a killed process are gone, and released their locks. */
export const untilNoLockIsLeft = (db: Db): Promise<void> =>
  until('no lock is left', async () => {
    const { rows } = await sql<{ locks: number }>`
      select count(*) as locks from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database()`.execute(db);
    return rows[0]?.locks === 0;
  });
