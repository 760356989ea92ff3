import { sql } from 'kysely';
import { type Day, firstOfMonth, firstOfNextMonth, isSameDay, nextCutOff } from '../../domain/calendar.ts';
import { type SubscriptionStatus, subscriptionStatuses } from '../../domain/enums.ts';
import { nextTicketSeenOn } from '../../domain/subscription/tickets.ts';
import { getCompany } from '../../features/companies/companies.ts';
import { signableStatuses } from '../../features/contracts/links.ts';
import { type HrIntegrationRow, listIntegrations } from '../../features/integrations/change-integration.ts';
import { presentHrIntegration } from '../../features/integrations/present.ts';
import { healthIssue } from '../../features/integrations/rules/status.ts';
import { portalRoutes } from '../../features/portal-route.ts';
import { listEndpoints } from '../../features/webhooks/list-endpoints.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { Reference } from '../../platform/http/schemas.ts';
import { presentOptionalTimestamp, presentTimestamp, type View, viewFor } from '../../platform/http/view.ts';
import { type Overview, OverviewSchema } from '../contract.ts';

type Waiting = Overview['waiting'];

async function listPendingRemovals(db: Db, companyId: CompanyId): Promise<Waiting> {
  const { rows } = await sql<Omit<Extract<Waiting[number], { kind: 'pending-removals' }>, 'kind'>>`
    select s.hr_integration_id as "integrationId", i.name as "integrationName", s.sync_id as "syncId",
      s.held_count as removals
    from syncs s join hr_integrations i on ${ofCompany(companyId, 'i')} and i.id = s.hr_integration_id
    where ${ofCompany(companyId, 's')} and s.held_state = 'pending' order by s.accepted_at, s.id`.execute(db);
  return rows.map((held) => ({ kind: 'pending-removals', ...held }));
}

async function countPendingContracts(db: Db, companyId: CompanyId): Promise<Waiting> {
  const { rows } = await sql<{ employees: number }>`
    select count(*) as employees from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
      and e.contract_status = 'pending' and e.subscription_status = any(${signableStatuses})`.execute(db);
  const employees = rows[0]?.employees ?? 0;
  return employees === 0 ? [] : [{ kind: 'pending-contracts', employees, statuses: signableStatuses }];
}

const listUnhealthy = (integrations: HrIntegrationRow[]): Waiting =>
  integrations.flatMap(({ id, name, status, last_sync_status: lastOutcome }) => {
    const issue = healthIssue(status, lastOutcome);
    if (issue === null) return [];
    return [{ kind: 'integration-unhealthy', integrationId: id, integrationName: name, status: issue }];
  });

/** Returns the integrations whose roster has not arrived when it usually does. */
async function listOverdue(db: Db, companyId: CompanyId): Promise<Waiting> {
  const { rows } = await sql<{ id: number; name: string; since: string; lastSynced: string | null }>`
    select i.id, i.name, i.overdue_since as since, i.last_synced_at as "lastSynced" from hr_integrations i
    where ${ofCompany(companyId, 'i')} and i.status = 'active' and i.overdue_since is not null order by i.id`.execute(
    db,
  );
  return rows.map(({ id, name, since, lastSynced }) => ({
    kind: 'roster-overdue',
    integrationId: id,
    integrationName: name,
    since: presentTimestamp(since),
    lastSynced: presentOptionalTimestamp(lastSynced),
  }));
}

/** After the third attempt, a failure is no hiccup any more. */
const failingMinutes = 6;

/**
 * Returns the endpoints that have been failing for some minutes, and those that the service has disabled. A user who
 * disabled an endpoint knows that nothing is sent to it.
 */
async function listUnhealthyEndpoints(db: Db, companyId: CompanyId): Promise<Waiting> {
  const unhealthySince = Temporal.Now.instant().subtract({ minutes: failingMinutes });
  return (await listEndpoints({ db, companyId })).flatMap(({ id, url, state, ...endpoint }): Waiting => {
    const isDisabled = state === 'disabled';
    if (isDisabled && endpoint.disabledReason === 'manual') return [];
    const since = isDisabled ? endpoint.disabledAt : endpoint.failingSince;
    if (since === null || (!isDisabled && Temporal.Instant.compare(since, unhealthySince) > 0)) return [];
    const status = isDisabled ? 'disabled' : 'failing';
    return [{ kind: 'endpoint-unhealthy', endpointId: id, host: new URL(url).host, status, since }];
  });
}

async function countByStatus(db: Db, companyId: CompanyId): Promise<Overview['employeesByStatus']> {
  const { rows } = await sql<{ status: SubscriptionStatus; employees: number }>`
    select c.subscription_status as status, sum(c.employees)::bigint as employees from employee_counts c
    where ${ofCompany(companyId, 'c')} group by c.subscription_status`.execute(db);
  const counts = new Map(rows.map(({ status, employees }) => [status, employees]));
  return subscriptionStatuses.map((status) => ({ status, employees: counts.get(status) ?? 0 }));
}

const monthsShown = 12;

/**
 * Returns tickets and gross amounts per month. Every ticket is charged once, and a correction does not charge another
 * ticket. Reads the stored totals and subtracts the few corrections.
 */
async function listMonths(db: Db, companyId: CompanyId, today: Day, view: View): Promise<Overview['months']> {
  const first = firstOfMonth(today).subtract({ months: monthsShown - 1 });
  const { rows } = await sql<{ period: string; tickets: number; gross: number }>`
    with corrections as (
      select b.period, count(*) as tickets from billing_items b where ${ofCompany(companyId, 'b')}
        and b.corrects_id is not null and b.charge_type = 'ticket-charge' group by b.period
    )
    select t.period, sum(t.gross_cents)::bigint as gross,
      (coalesce(sum(t.items) filter (where t.charge_type = 'ticket-charge'), 0) - coalesce(max(c.tickets), 0))::bigint
        as tickets
    from billing_totals t left join corrections c on c.period = t.period
    where ${ofCompany(companyId, 't')} and t.period >= ${first.toString()}::date group by t.period`.execute(db);
  const known = new Map(rows.map((row) => [row.period, row]));
  return Array.from({ length: monthsShown }, (_, index) => {
    const month = first.add({ months: index }).toString();
    const { tickets, gross } = known.get(month) ?? { tickets: 0, gross: 0 };
    return { month: month.slice(0, 7), tickets, gross: view.money(gross) };
  });
}

/**
 * Returns how many tickets are expected on a day. Employees share few next-ticket days, so this counts employees per
 * day and applies the rule once per day.
 */
async function countExpectedTickets(db: Db, companyId: CompanyId, today: Day, on: Day): Promise<number> {
  const { rows } = await sql<{ nextTicketOn: string; employees: number }>`
    select e.next_ticket_on as "nextTicketOn", count(*) as employees from employees e where ${ofCompany(companyId, 'e')}
      and e.removed_at is null and e.next_ticket_on is not null group by e.next_ticket_on`.execute(db);
  return rows
    .filter(({ nextTicketOn }) => isSameDay(nextTicketSeenOn(Temporal.PlainDate.from(nextTicketOn), today), on))
    .reduce((sum, { employees }) => sum + employees, 0);
}

async function loadOverview(db: Db, companyId: CompanyId, today: Day, view: View): Promise<Overview> {
  const { cutOffDay } = await getCompany(db, companyId);
  const integrations = await listIntegrations(db, companyId);
  const nextMonth = firstOfNextMonth(today);
  return {
    waiting: [
      ...(await listPendingRemovals(db, companyId)),
      ...listUnhealthy(integrations),
      ...(await listOverdue(db, companyId)),
      ...(await listUnhealthyEndpoints(db, companyId)),
      ...(await countPendingContracts(db, companyId)),
    ],
    employeesByStatus: await countByStatus(db, companyId),
    months: await listMonths(db, companyId, today, view),
    integrations: integrations.map((row) => presentHrIntegration(row, view.links)),
    next: {
      cutOffOn: nextCutOff(today, cutOffDay).toString(),
      ticketsOn: nextMonth.toString(),
      // A period is billed on its first day, right after its tickets are issued.
      billingOn: nextMonth.toString(),
      ticketsExpected: await countExpectedTickets(db, companyId, today, nextMonth),
    },
  };
}

export const overviewRoutes = portalRoutes((route, { db, clock, links }) => {
  route('GET /overview', {
    summary: 'Get the overview of the company',
    access: 'read',
    data: Reference(OverviewSchema),
    async handle({ user }) {
      const today = todayIn(clock, user.company.timeZone);
      const view = viewFor(user, links);
      return await inSnapshot(db, (tx) => loadOverview(tx, user.companyId, today, view));
    },
  });
});
