import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { NoAnswerRule } from '../../domain/enums.ts';
import type { Plan, PolicyHolder, Terms } from '../../domain/policies.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { Subscriber } from './rules/change.ts';

const unsubscribed = ['no-subscription', 'cancelled'];

/** Inserts a policy behind all others, or returns undefined if the name is taken. Requires the company lock. */
export async function insertPolicy(
  tx: Tx,
  companyId: CompanyId,
  { name, groups, at }: { name: string; groups: readonly string[]; at: Temporal.Instant },
): Promise<number | undefined> {
  const { rows: last } = await sql<{ position: number }>`
    select coalesce(max(p.position), 0) as position from policies p where ${ofCompany(companyId, 'p')}`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    insert into policies (company_id, name, groups, position, created_at)
    values (${companyId}, ${name}, ${groups}, ${(last[0]?.position ?? 0) + 1}, ${at.toString()})
    on conflict do nothing returning id`.execute(tx);
  return rows[0]?.id;
}

/** Inserts the default policy of a company that an earlier release has created. */
export async function insertDefaultPolicy(tx: Tx, companyId: CompanyId): Promise<void> {
  await sql`insert into policies (company_id, name, is_default) values (${companyId}, 'Standard', true)
    on conflict do nothing`.execute(tx);
}

/** Inserts a version. Returns whether there was none from that month. */
export async function insertVersion(
  tx: Tx,
  companyId: CompanyId,
  { policyId, from, terms }: { policyId: number; from: Day; terms: Terms },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('policy_versions')
    .values({
      ...{ company_id: companyId, policy_id: policyId, from_on: from.toString(), plan_type: terms.planType },
      ...{ employee_cents: terms.employeeCents, employer_cents: terms.employerCents },
      ...{ employer_percent: terms.employerPercent, minimum_cents: terms.minimumCents },
      ...{ maximum_cents: terms.maximumCents, waiting_months: terms.waitingMonths },
      tax_treatment: terms.taxTreatment,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Returns the subscriptions of the company, without those whose plan is changing already. */
export async function listSubscribers(db: Db | Tx, companyId: CompanyId): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    select e.id as "employeeId", e.policy_id as "policyId", e.roster_group as "group",
      e.plan_type as "planType", e.contribution_cents as "contributionCents",
      coalesce(e.contract_status = 'pending', false) as "awaitsContract"
    from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null and e.plan_change is null
      and e.subscription_status <> all(${unsubscribed}) order by e.id`.execute(db);
  return rows;
}

export interface PlanChange {
  id: number;
  policyId: number;
  from: string;
  deadline: string | null;
  noAnswer: NoAnswerRule;
  isSettled: boolean;
  isOver: boolean;
  createdAt: string;
}

const changeColumns = sql`c.id, c.policy_id as "policyId", c.from_on as from, c.deadline_on as deadline,
  c.no_answer as "noAnswer", c.settled_at is not null as "isSettled", c.finished_at is not null as "isOver",
  c.created_at as "createdAt"`;

/** Inserts a change. Undefined: the policy has one from that month. */
export async function insertChange(
  tx: Tx,
  companyId: CompanyId,
  change: { policyId: number; from: Day; deadline: Day | null; noAnswer: NoAnswerRule; at: Temporal.Instant },
): Promise<number | undefined> {
  const row = await tx
    .insertInto('plan_changes')
    .values({
      ...{ company_id: companyId, policy_id: change.policyId, from_on: change.from.toString() },
      ...{ deadline_on: change.deadline?.toString() ?? null, no_answer: change.noAnswer },
      created_at: change.at.toString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Returns the changes that are not over, oldest first. */
export async function listOpenChanges(db: Db | Tx, companyId: CompanyId): Promise<PlanChange[]> {
  const { rows } = await sql<PlanChange>`
    select ${changeColumns} from plan_changes c where ${ofCompany(companyId, 'c')} and c.finished_at is null
    order by c.from_on, c.id`.execute(db);
  return rows;
}

export async function findChange(
  db: Db | Tx,
  companyId: CompanyId,
  { policyId, from }: { policyId: number; from: Day },
): Promise<PlanChange | undefined> {
  const { rows } = await sql<PlanChange>`
    select ${changeColumns} from plan_changes c where ${ofCompany(companyId, 'c')} and c.policy_id = ${policyId}
      and c.from_on = ${from.toString()}::date`.execute(db);
  return rows[0];
}

export async function findChangeById(db: Db | Tx, companyId: CompanyId, id: number): Promise<PlanChange | undefined> {
  const { rows } = await sql<PlanChange>`
    select ${changeColumns} from plan_changes c where ${ofCompany(companyId, 'c')} and c.id = ${id}`.execute(db);
  return rows[0];
}

export async function markChange(
  tx: Tx,
  companyId: CompanyId,
  { id, column, at }: { id: number; column: 'settled_at' | 'finished_at'; at: Temporal.Instant },
): Promise<void> {
  await tx
    .updateTable('plan_changes as c')
    .set({ [column]: at.toString() })
    .where(ofCompany(companyId, 'c'))
    .where('c.id', '=', id)
    .execute();
}

interface GroupSize extends PolicyHolder {
  employees: number;
  subscribed: number;
}

/** Counts the employees of each combination of what decides about the policy. */
export async function countHolders(db: Db | Tx, companyId: CompanyId): Promise<GroupSize[]> {
  const { rows } = await sql<GroupSize>`
    select e.policy_id as "policyId", e.roster_group as "group", count(*) as employees,
      count(*) filter (where e.subscription_status <> all(${unsubscribed})) as subscribed
    from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null group by 1, 2`.execute(db);
  return rows;
}

/** Changes the name and the groups of a policy. Returns whether the name was free. */
export async function updatePolicy(
  tx: Tx,
  companyId: CompanyId,
  { policyId, name, groups }: { policyId: number; name: string; groups: readonly string[] },
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update policies p set name = ${name}, groups = ${groups} where ${ofCompany(companyId, 'p')} and p.id = ${policyId}
      and not exists (select from policies o where ${ofCompany(companyId, 'o')} and o.id <> ${policyId}
        and lower(o.name) = lower(${name}))`.execute(tx);
  return numAffectedRows > 0n;
}

export async function updateOrder(tx: Tx, companyId: CompanyId, ids: readonly number[]): Promise<void> {
  await sql`update policies p set position = r.position from unnest(${ids}::bigint[]) with ordinality as r(id, position)
    where ${ofCompany(companyId, 'p')} and p.id = r.id`.execute(tx);
}

export async function listChanges(db: Db | Tx, companyId: CompanyId): Promise<PlanChange[]> {
  const { rows } = await sql<PlanChange>`
    select ${changeColumns} from plan_changes c where ${ofCompany(companyId, 'c')} order by c.from_on, c.id`.execute(
    db,
  );
  return rows;
}

/** Assigns a policy by hand. Null: by group or the default again. Returns whether there is such an employee. */
export async function assignPolicy(
  tx: Tx,
  companyId: CompanyId,
  { employeeId, policyId, at }: { employeeId: number; policyId: number | null; at: Temporal.Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('employees as e')
    .set({ policy_id: policyId, updated_at: at.toString() })
    .where(ofCompany(companyId, 'e'))
    .where('e.id', '=', employeeId)
    .where('e.removed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface ShownPlan extends Plan {
  policyId: number | null;
  group: string | null;
}

/** Returns the different plans that employees without a subscription show, and what decides about them. */
export async function listShownPlans(db: Db | Tx, companyId: CompanyId): Promise<ShownPlan[]> {
  const { rows } = await sql<ShownPlan>`
    select distinct e.policy_id as "policyId", e.roster_group as "group", e.plan_type as "planType",
      e.contribution_cents as "contributionCents"
    from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
      and e.subscription_status = any(${unsubscribed})`.execute(db);
  return rows;
}

/** Sets the plan that employees without a subscription show, where it differs. */
export async function updateShownPlans(tx: Tx, companyId: CompanyId, plans: readonly ShownPlan[]): Promise<void> {
  await sql`
    update employees e set plan_type = r."planType", contribution_cents = r."contributionCents"
    from json_to_recordset(${JSON.stringify(plans)}::json) as r("policyId" bigint, "group" text, "planType" text,
      "contributionCents" integer)
    where ${ofCompany(companyId, 'e')} and e.removed_at is null and e.subscription_status = any(${unsubscribed})
      and e.policy_id is not distinct from r."policyId" and e.roster_group is not distinct from r."group"
      and (e.plan_type, e.contribution_cents) is distinct from (r."planType", r."contributionCents")`.execute(tx);
}

/** Shows in the settings of the company what its default policy says now. */
export async function updateCompanyPlan(tx: Tx, companyId: CompanyId, plan: Plan): Promise<void> {
  await sql`update companies set plan_type = ${plan.planType}, contribution_cents = ${plan.contributionCents ?? 0}
    where id = ${companyId} and (plan_type, contribution_cents) is distinct from
      (${plan.planType}::text, ${plan.contributionCents ?? 0}::integer)`.execute(tx);
}
