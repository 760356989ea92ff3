import { sql } from 'kysely';
import { type Day, firstOfMonth, isDue } from '../../domain/calendar.ts';
import type { Plan } from '../../domain/policies.ts';
import { runningStatuses, startingPlan } from '../../domain/subscription/subscription.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { FeeQuantity } from '../billing/rules/charges.ts';
import { feeTaxCategory } from '../billing/rules/tax.ts';
import { countLinks, countUse, findLinksOf } from '../billing/run.ts';
import { findSettings } from '../companies/change-settings.ts';
import type { Company } from '../companies/companies.ts';
import { listDue } from '../daily-run/advance.ts';
import { loadEmployees } from '../employees/load.ts';
import { loadDeadlines } from '../policies/settle.ts';
import { addTickets, type Known, type Segment, type Tickets } from './rules/outlook.ts';
import { simulate } from './rules/simulate.ts';

/** How many employees are simulated at once, so that other requests wait for some milliseconds only. */
const sliceSize = 250;

/** An employee of whom something changes in the months, with a ticket in the last one. */
export interface Changing {
  id: number;
  /** In the last month. */
  segment: Segment;
  /** The plan of today. */
  present: Plan;
}

/** Those who are asked to agree to one of these changes, whose deadline is in the months. */
const isAsked = (changes: readonly number[]) =>
  sql<boolean>`coalesce((e.plan_change ->> 'changeId')::bigint = any(${changes}::bigint[]), false)`;

/** Those who have a ticket now and of whom nothing is known to change by the last month. */
const isStable = (companyId: CompanyId, last: Day, changes: readonly number[]) => sql<boolean>`
  ${ofCompany(companyId, 'e')} and e.removed_at is null and (e.due_on is null or e.due_on > ${last.toString()}::date)
  and e.subscription_status = any(${runningStatuses}) and not (${isAsked(changes)})`;

const segmentColumns = sql`e.plan_type as "planType", e.contribution_cents as "contributionCents",
  e.policy_id as "policyId", e.roster_group as "group"`;

async function listStable(
  tx: Tx,
  companyId: CompanyId,
  last: Day,
  changes: readonly number[],
): Promise<(Segment & { tickets: number })[]> {
  const { rows } = await sql<Segment & { tickets: number }>`
    select ${segmentColumns}, count(*) as tickets from employees e where ${isStable(companyId, last, changes)}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(tx);
  return rows;
}

/** Returns the ids of employees of these segments of whom nothing changes. */
export async function listStableIds(
  tx: Tx,
  companyId: CompanyId,
  { last, segments, changes }: { last: Day; segments: readonly Segment[]; changes: readonly number[] },
): Promise<number[]> {
  if (segments.length === 0) return [];
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e
    join json_to_recordset(${JSON.stringify(segments)}::json)
      as s("planType" text, "contributionCents" integer, "policyId" bigint, "group" text)
      on s."planType" = e.plan_type and s."contributionCents" is not distinct from e.contribution_cents
      and s."policyId" is not distinct from e.policy_id and s."group" is not distinct from e.roster_group
    where ${isStable(companyId, last, changes)} order by e.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Returns the next employees of whom something changes by the last month. */
async function listChanging(
  tx: Tx,
  companyId: CompanyId,
  { last, changes, afterId }: { last: Day; changes: readonly number[]; afterId: number },
): Promise<number[]> {
  // The index of due days finds them alone.
  if (changes.length === 0) return listDue(tx, companyId, last, afterId);
  const { rows } = await sql<{ id: number }>`
    select e.id from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null and e.id > ${afterId}
      and (e.due_on <= ${last.toString()}::date or ${isAsked(changes)})
    order by e.id limit ${8 * sliceSize}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Returns the fees that follow use: those of this month or the last one are assumed to continue. */
async function loadUse(tx: Tx, companyId: CompanyId, [next]: readonly Day[]): Promise<FeeQuantity[]> {
  if (next === undefined) return [];
  const present = await countUse(tx, companyId, next);
  const past = await countUse(tx, companyId, next.subtract({ months: 1 }));
  return present.map((fee, index) => ({ ...fee, quantity: Math.max(fee.quantity, past[index]?.quantity ?? 0) }));
}

export interface Loaded {
  known: Known;
  stable: Segment[];
  changing: Changing[];
  /** The changes whose deadline is in the months. */
  changes: readonly number[];
}

/** Returns what is known about the coming months. Only employees of whom something changes are loaded, slice by slice. */
export async function loadKnown(tx: Tx, company: Company, today: Day, months: readonly Day[]): Promise<Loaded> {
  const { id: companyId } = company;
  const last = months.at(-1) ?? firstOfMonth(today);
  const deadlines = await loadDeadlines(tx, companyId);
  const changes = [...deadlines].flatMap(([id, { appliesOn }]) => (isDue(appliesOn, last) ? id : []));
  const stable = await listStable(tx, companyId, last, changes);
  const tickets = months.map((): Tickets => new Map());
  for (const { tickets: count, ...segment } of stable) {
    for (const counts of tickets) addTickets(counts, segment, count);
  }
  const changing: Changing[] = [];
  const removed = new Map<number, number>();
  for (
    let ids = await listChanging(tx, companyId, { last, changes, afterId: 0 });
    ids.length > 0;
    ids = await listChanging(tx, companyId, { last, changes, afterId: ids.at(-1) ?? 0 })
  ) {
    for (let start = 0; start < ids.length; start += sliceSize) {
      for (const [id, employee] of await loadEmployees(tx, companyId, ids.slice(start, start + sliceSize), today)) {
        const { policyId, profile, subscription } = employee;
        const { plans, removedIn } = simulate(employee, months, { deadlines, company });
        const holder = { policyId, group: profile.group };
        plans.forEach((plan, index) => {
          const counts = tickets[index];
          if (plan !== null && counts !== undefined) addTickets(counts, { ...plan, ...holder }, 1);
        });
        const plan = plans.at(-1);
        if (plan) changing.push({ id, segment: { ...plan, ...holder }, present: subscription });
        if (removedIn !== null) removed.set(id, removedIn);
      }
    }
  }
  const linked = await countLinks(tx, companyId);
  const links = await findLinksOf(tx, companyId, [...removed.keys()]);
  const goneBy = (hrIntegrationId: number | null, index: number) =>
    [...links].filter(([id, by]) => by === hrIntegrationId && (removed.get(id) ?? index + 1) <= index).length;
  const buyer = await findSettings(tx, companyId);
  return {
    known: {
      months,
      tickets,
      links: months.map((_, index) =>
        linked.flatMap(({ hrIntegrationId, quantity }) =>
          hrIntegrationId === null ? [] : [{ hrIntegrationId, employees: quantity - goneBy(hrIntegrationId, index) }],
        ),
      ),
      use: await loadUse(tx, companyId, months),
      category: buyer && feeTaxCategory(buyer),
      joiners: months.map((month) => ({ ...startingPlan(company, month), policyId: null, group: null })),
    },
    stable: stable.map(({ tickets: _, ...segment }) => segment),
    changing,
    changes,
  };
}
