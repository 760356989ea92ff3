import { sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { NoAnswerRule, PlanChangeOutcome } from '../../domain/enums.ts';
import type { Plan, Terms } from '../../domain/policies.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { PlannedItem, Subscriber } from './rules/change.ts';

const unsubscribed = ['no-subscription', 'cancelled'];

export async function insertPolicy(
  tx: Tx,
  companyId: CompanyId,
  { name, groups, at }: { name: string; groups: readonly string[]; at: Temporal.Instant },
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into policies (company_id, name, groups, position, created_at)
    select ${companyId}, ${name}, ${groups}, coalesce(max(p.position), 0) + 1, ${at.toString()}::timestamptz
    from policies p where ${ofCompany(companyId, 'p')}
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
      e.plan_type as "planType", e.contribution_cents as "contributionCents"
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
}

const changeColumns = sql`c.id, c.policy_id as "policyId", c.from_on as from, c.deadline_on as deadline,
  c.no_answer as "noAnswer", c.settled_at is not null as "isSettled"`;

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

/** Inserts what a change means for employees. Whoever is part of it already stays so. Returns those who were not. */
export async function insertItems(
  tx: Tx,
  companyId: CompanyId,
  changeId: number,
  items: readonly PlannedItem[],
): Promise<Set<number>> {
  if (items.length === 0) return new Set();
  const rows = items.map(({ employeeId, before, after, beforeCents, afterCents, needsAgreement }) => ({
    ...{ id: employeeId, old_type: before.planType, old_cents: before.contributionCents, old_share: beforeCents },
    ...{ new_type: after.planType, new_cents: after.contributionCents, new_share: afterCents, agree: needsAgreement },
  }));
  const { rows: inserted } = await sql<{ id: number }>`
    insert into plan_change_items (company_id, change_id, employee_id, old_plan_type, old_contribution_cents, new_plan_type,
      new_contribution_cents, old_share_cents, new_share_cents, needs_agreement)
    select ${companyId}, ${changeId}, r.id, r.old_type, r.old_cents, r.new_type, r.new_cents, r.old_share, r.new_share, r.agree
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, old_type text, old_cents integer, old_share integer,
      new_type text, new_cents integer, new_share integer, agree boolean)
    on conflict do nothing returning employee_id as id`.execute(tx);
  return new Set(inserted.map(({ id }) => id));
}

interface OpenItem extends Plan {
  employeeId: number;
  needsAgreement: boolean;
}

/** Returns the items of a change of which nothing has become yet, with the new plan. */
export async function listOpenItems(tx: Tx, companyId: CompanyId, changeId: number): Promise<OpenItem[]> {
  const { rows } = await sql<OpenItem>`
    select i.employee_id as "employeeId", i.new_plan_type as "planType", i.new_contribution_cents as "contributionCents",
      i.needs_agreement as "needsAgreement"
    from plan_change_items i where ${ofCompany(companyId, 'i')} and i.change_id = ${changeId} and i.outcome is null
    order by i.employee_id`.execute(tx);
  return rows;
}

export async function setOutcomes(
  tx: Tx,
  companyId: CompanyId,
  changeId: number,
  outcomes: ReadonlyMap<number, PlanChangeOutcome>,
): Promise<void> {
  const rows = Array.from(outcomes, ([id, outcome]) => ({ id, outcome }));
  await sql`update plan_change_items i set outcome = r.outcome
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, outcome text)
    where ${ofCompany(companyId, 'i')} and i.change_id = ${changeId} and i.employee_id = r.id`.execute(tx);
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

/** Counts what has become of the employees of each change. */
export async function countItems(db: Db | Tx, companyId: CompanyId) {
  const { rows } = await sql<{ changeId: number; state: string; employees: number }>`
    select i.change_id as "changeId", count(*) as employees, coalesce(i.outcome, case
      when not i.needs_agreement then 'announced'
      when (e.plan_change ->> 'changeId')::bigint is distinct from i.change_id then 'rejected'
      when e.contract_status = 'pending' then 'pending' else 'accepted' end) as state
    from plan_change_items i join employees e on ${ofCompany(companyId, 'e')} and e.id = i.employee_id
    where ${ofCompany(companyId, 'i')} group by 1, 3 order by 1, 3`.execute(db);
  return rows;
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
