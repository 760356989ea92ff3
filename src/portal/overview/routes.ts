import { sql } from 'kysely';
import { type Day, firstOfMonth, firstOfNextMonth, nextCutOff } from '../../domain/calendar.ts';
import { type SubscriptionStatus, subscriptionStatuses } from '../../domain/enums.ts';
import { isAble } from '../../domain/roles.ts';
import { canJoin, isUnsubscribed } from '../../domain/subscription/subscription.ts';
import { forecastNextMonth } from '../../features/billing/forecast.ts';
import { findComingPrice } from '../../features/billing/prices.ts';
import { countProposals } from '../../features/billing/proposals.ts';
import type { MonthCosts } from '../../features/billing/rules/forecast.ts';
import type { PortalUser } from '../../features/caller.ts';
import { findSettings } from '../../features/companies/change-settings.ts';
import type { CompanySettings } from '../../features/companies/contract.ts';
import { countOpenAgreements } from '../../features/contracts/links.ts';
import { type HrIntegrationRow, listIntegrations } from '../../features/integrations/change-integration.ts';
import { acceptsUpload, healthIssue } from '../../features/integrations/rules/status.ts';
import { describePayableInvoice } from '../../features/invoices/present.ts';
import { countMissingTickets } from '../../features/issuers/count-missing.ts';
import { countUninvited } from '../../features/joining/campaign.ts';
import { listDuePayroll } from '../../features/payroll/due.ts';
import { portalRoutes } from '../../features/portal-route.ts';
import { listEndpoints } from '../../features/webhooks/list-endpoints.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { notFound } from '../../platform/http/errors.ts';
import { Reference } from '../../platform/http/schemas.ts';
import { presentOptionalTimestamp, presentTimestamp, type View, viewFor } from '../../platform/http/view.ts';
import { type Overview, OverviewSchema } from '../contract.ts';
import { type Facts, findDeadline, listTasks } from './rules/tasks.ts';

async function listPendingRemovals(db: Db, companyId: CompanyId): Promise<Facts['removals']> {
  const { rows } = await sql<Facts['removals'][number]>`
    select s.hr_integration_id as "integrationId", i.name as "integrationName", s.sync_id as "syncId",
      s.held_count as removals
    from syncs s join hr_integrations i on ${ofCompany(companyId, 'i')} and i.id = s.hr_integration_id
    where ${ofCompany(companyId, 's')} and s.held_state = 'pending' order by s.accepted_at, s.id`.execute(db);
  return rows;
}

const listUnhealthy = (integrations: HrIntegrationRow[]): Facts['unhealthy'] =>
  integrations.flatMap(({ id, name, status, last_sync_status: lastOutcome }) => {
    const issue = healthIssue(status, lastOutcome);
    return issue === null ? [] : [{ integrationId: id, integrationName: name, status: issue }];
  });

/** Returns the integrations whose roster has not arrived when it usually does. */
async function listOverdue(db: Db, companyId: CompanyId, timeZone: string): Promise<Facts['overdue']> {
  const { rows } = await sql<{ id: number; name: string; since: string; lastSynced: string | null }>`
    select i.id, i.name, i.overdue_since as since, i.last_synced_at as "lastSynced" from hr_integrations i
    where ${ofCompany(companyId, 'i')} and i.status = 'active' and i.overdue_since is not null order by i.id`.execute(
    db,
  );
  return rows.map(({ id, name, since, lastSynced }) => ({
    integrationId: id,
    integrationName: name,
    on: Temporal.Instant.from(since).toZonedDateTimeISO(timeZone).toPlainDate(),
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
async function listUnhealthyEndpoints(db: Db, companyId: CompanyId): Promise<Facts['endpoints']> {
  const unhealthySince = Temporal.Now.instant().subtract({ minutes: failingMinutes });
  return (await listEndpoints({ db, companyId })).flatMap(({ id, url, state, ...endpoint }): Facts['endpoints'] => {
    const isDisabled = state === 'disabled';
    if (isDisabled && endpoint.disabledReason === 'manual') return [];
    const since = isDisabled ? endpoint.disabledAt : endpoint.failingSince;
    if (since === null || (!isDisabled && Temporal.Instant.compare(since, unhealthySince) > 0)) return [];
    const status = isDisabled ? 'disabled' : 'failing';
    return [{ endpointId: id, host: new URL(url).host, status, since }];
  });
}

async function countByStatus(db: Db, companyId: CompanyId): Promise<Overview['employeesByStatus']> {
  const { rows } = await sql<{ status: SubscriptionStatus; employees: number }>`
    select c.subscription_status as status, sum(c.employees)::bigint as employees from employee_counts c
    where ${ofCompany(companyId, 'c')} group by c.subscription_status`.execute(db);
  const counts = new Map(rows.map(({ status, employees }) => [status, employees]));
  return subscriptionStatuses.map((status) => ({ status, employees: counts.get(status) ?? 0 }));
}

const mostCounted = 10_000;

/**
 * Returns how many employees have no subscription and nobody has decided so, at most 10,000. If employees join by themselves,
 * those who are invited decide.
 */
async function countUndecided(db: Db, companyId: CompanyId, settings: CompanySettings): Promise<number> {
  if (canJoin(settings)) return countUninvited(db, companyId);
  const { rows } = await sql<{ employees: number }>`
    select count(*) as employees from (
      select from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
        and e.subscription_status = 'no-subscription' and e.not_subscribed_because = 'not-requested'
      limit ${mostCounted}
    ) e`.execute(db);
  return rows[0]?.employees ?? 0;
}

type Costs = Pick<MonthCosts, 'tickets' | 'ticketCents' | 'feeCents'>;

const presentCosts = (month: string, { tickets, ticketCents, feeCents }: Costs, view: View) => ({
  month: month.slice(0, 7),
  tickets,
  ticketCharges: view.money(ticketCents),
  fees: view.money(feeCents),
  gross: view.money(ticketCents + feeCents),
});

const monthsShown = 12;

/**
 * Returns tickets and gross amounts per month. Every ticket is charged once, and a correction does not charge another
 * ticket. Reads the stored totals and subtracts the few corrections.
 */
async function listMonths(db: Db, companyId: CompanyId, today: Day, view: View): Promise<Overview['months']> {
  const first = firstOfMonth(today).subtract({ months: monthsShown - 1 });
  const { rows } = await sql<Costs & { period: string }>`
    with corrections as (
      select b.period, count(*) as tickets from billing_items b where ${ofCompany(companyId, 'b')}
        and b.corrects_id is not null and b.charge_type = 'ticket-charge' group by b.period
    )
    select t.period,
      coalesce(sum(t.gross_cents) filter (where t.charge_type = 'ticket-charge'), 0)::bigint as "ticketCents",
      coalesce(sum(t.gross_cents) filter (where t.charge_type <> 'ticket-charge'), 0)::bigint as "feeCents",
      (coalesce(sum(t.items) filter (where t.charge_type = 'ticket-charge'), 0) - coalesce(max(c.tickets), 0))::bigint
        as tickets
    from billing_totals t left join corrections c on c.period = t.period
    where ${ofCompany(companyId, 't')} and t.period >= ${first.toString()}::date group by t.period`.execute(db);
  const known = new Map(rows.map((row) => [row.period, row]));
  return Array.from({ length: monthsShown }, (_, index) => {
    const month = first.add({ months: index }).toString();
    return presentCosts(month, known.get(month) ?? { tickets: 0, ticketCents: 0, feeCents: 0 }, view);
  });
}

const sum = (counts: Overview['employeesByStatus']) => counts.reduce((total, { employees }) => total + employees, 0);

async function loadFacts(
  db: Db,
  { companyId, roles }: PortalUser,
  {
    today,
    now,
    byStatus,
    view,
  }: { today: Day; now: Temporal.Instant; byStatus: Overview['employeesByStatus']; view: View },
): Promise<Facts> {
  const settings = await findSettings(db, companyId);
  if (settings === undefined) throw notFound('company');
  const integrations = await listIntegrations(db, companyId);
  const uploadTo = integrations.find(({ status, type, initial_connection_status: onboarding }) =>
    acceptsUpload({ status, type, onboarding }),
  );
  const comingPrice = await findComingPrice(db, today);
  const invoice = await describePayableInvoice(db, companyId, today);
  const total = sum(byStatus);
  const unsubscribed = sum(byStatus.filter(({ status }) => status === 'no-subscription'));
  return {
    today,
    cutOffDay: settings.cutOffDay,
    employees: {
      total,
      unsubscribed,
      subscribed: sum(byStatus.filter(({ status }) => !isUnsubscribed(status))),
      undecided: unsubscribed === 0 ? 0 : await countUndecided(db, companyId, settings),
    },
    canJoin: canJoin(settings),
    uploadTo: uploadTo?.id ?? null,
    removals: await listPendingRemovals(db, companyId),
    unhealthy: listUnhealthy(integrations),
    overdue: await listOverdue(db, companyId, settings.timeZone),
    tickets: await countMissingTickets(db, companyId, { today, now }),
    agreements: await countOpenAgreements(db, companyId, settings.timeZone),
    // Nobody else sees it, and it reads the most.
    payroll: isAble(roles, 'payroll-files') ? await listDuePayroll(db, companyId, { today, settings }) : [],
    comingPrice: comingPrice && { from: comingPrice.validFrom, price: view.money(comingPrice.listCents) },
    lateCharges: isAble(roles, 'corrections') ? await countProposals(db, companyId) : 0,
    invoice: invoice && { number: invoice.number, gross: view.money(invoice.grossCents), dueOn: invoice.dueOn },
    endpoints: await listUnhealthyEndpoints(db, companyId),
  };
}

async function loadOverview(
  db: Db,
  user: PortalUser,
  { today, now, view }: { today: Day; now: Temporal.Instant; view: View },
): Promise<Overview> {
  const { companyId } = user;
  const byStatus = await countByStatus(db, companyId);
  const facts = await loadFacts(db, user, { today, now, byStatus, view });
  const { cutOffDay, removals, overdue } = facts;
  return {
    tasks: listTasks(facts, user.roles),
    deadline: findDeadline(today, cutOffDay),
    cutOffOn: nextCutOff(today, cutOffDay).toString(),
    rosters: {
      pendingRemovals: removals.map(({ integrationId, syncId }) => ({ integrationId, syncId })),
      overdue: overdue.map(({ integrationId }) => integrationId),
    },
    employeesByStatus: byStatus,
    months: await listMonths(db, companyId, today, view),
    forecast: presentCosts(firstOfNextMonth(today).toString(), await forecastNextMonth(db, companyId, today), view),
  };
}

export const overviewRoutes = portalRoutes((route, { db, clock, links }) => {
  route('GET /overview', {
    summary: 'Get the tasks of the user, and the month at a glance',
    access: 'read',
    data: Reference(OverviewSchema),
    async handle({ user }) {
      const today = todayIn(clock, user.company.timeZone);
      const view = viewFor(user, links);
      return await inSnapshot(db, (tx) => loadOverview(tx, user, { today, now: clock.now(), view }));
    },
  });
});
