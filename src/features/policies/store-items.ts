import { type RawBuilder, sql } from 'kysely';
import type { Day } from '../../domain/calendar.ts';
import type { PlanChangeState } from '../../domain/choices.ts';
import type { PlanChangeOutcome } from '../../domain/enums.ts';
import type { Plan } from '../../domain/policies.ts';
import { searchWords } from '../../domain/search.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { matchesWords, offsetOf, type PageRow, pageOf, toPage, wordForms } from '../../platform/db/page.ts';
import type { AffectedQuery } from './contract.ts';
import type { PlannedItem } from './rules/change.ts';

/** The statements about the employees of a change. */

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

/** Where the employee `e` of item `i` stands. */
const stateOfItem = sql<PlanChangeState>`coalesce(i.outcome, case
  when not i.needs_agreement then 'announced'
  when (e.plan_change ->> 'changeId')::bigint is distinct from i.change_id then 'rejected'
  when e.contract_status = 'pending' then 'pending' else 'accepted' end)`;

/** Selects item `i` and its employee `e`. */
const itemsOf = (companyId: CompanyId) =>
  sql`plan_change_items i join employees e on ${ofCompany(companyId, 'e')} and e.id = i.employee_id`;

/** Counts what has become of the employees of each change. */
export async function countItems(db: Db | Tx, companyId: CompanyId) {
  const { rows } = await sql<{ changeId: number; state: PlanChangeState; employees: number; mustAgree: number }>`
    select i.change_id as "changeId", count(*) as employees, ${stateOfItem} as state,
      count(*) filter (where i.needs_agreement) as "mustAgree"
    from ${itemsOf(companyId)} where ${ofCompany(companyId, 'i')} group by 1, 3 order by 1, 3`.execute(db);
  return rows;
}

interface AffectedRow extends PageRow {
  firstName: string;
  lastName: string;
  email: string;
  state: PlanChangeState;
  beforeCents: number;
  afterCents: number;
  remindedOn: string | null;
}

/** Lists the employees of a change, with what became of each. */
export async function listAffected(
  tx: Tx,
  companyId: CompanyId,
  changeId: number,
  { search = '', states = [], ...query }: AffectedQuery,
) {
  const words = matchesWords('e', wordForms(searchWords(search)));
  const conditions: RawBuilder<unknown>[] = [
    ...[ofCompany(companyId, 'i'), sql`i.change_id = ${changeId}`, ...words],
    ...(states.length === 0 ? [] : [sql`${stateOfItem} = any(${states})`]),
  ];
  const rows = sql`select e.id, ((e.last_name || ', ' || e.first_name) collate "und-x-icu") as sorted
    from ${itemsOf(companyId)} where ${sql.join(conditions, sql` and `)}`;
  const page = pageOf({ rows, storedTotal: undefined }, query, offsetOf(query));
  const { rows: found } = await sql<AffectedRow>`
    ${page.found} select n.total, e.id, e.first_name as "firstName", e.last_name as "lastName", e.email,
      ${stateOfItem} as state, i.old_share_cents as "beforeCents", i.new_share_cents as "afterCents",
      i.reminded_on as "remindedOn"
    from ${page.source}
    left join employees e on ${ofCompany(companyId, 'e')} and e.id = p.id
    left join plan_change_items i on ${ofCompany(companyId, 'i')} and i.change_id = ${changeId} and i.employee_id = p.id
    ${page.order}`.execute(tx);
  return toPage(found);
}

interface Reminded {
  employeeId: number;
  beforeCents: number;
  afterCents: number;
}

/**
 * Notes that those who have not decided about a change are reminded today, each at most once a day, and returns them. With
 * `count`: only those who have had fewer of the reminders that the service sends by itself, which are that many now.
 */
export async function takeReminders(
  tx: Tx,
  companyId: CompanyId,
  { changeId, today, count }: { changeId: number; today: Day; count?: number },
): Promise<Reminded[]> {
  const day = today.toString();
  const isLess = count === undefined ? sql`true` : sql`i.reminders < ${count}`;
  const { rows } = await sql<Reminded>`
    update plan_change_items i set reminded_on = ${day}::date, reminders = ${count ?? sql`i.reminders`}
    from employees e where ${ofCompany(companyId, 'i')} and i.change_id = ${changeId} and ${isLess}
      and ${ofCompany(companyId, 'e')} and e.id = i.employee_id and e.removed_at is null
      and ${stateOfItem} = 'pending' and (i.reminded_on is null or i.reminded_on < ${day}::date)
    returning i.employee_id as "employeeId", i.old_share_cents as "beforeCents", i.new_share_cents as "afterCents"`.execute(
    tx,
  );
  if (count !== undefined) {
    await sql`update plan_change_items i set reminders = ${count}
      where ${ofCompany(companyId, 'i')} and i.change_id = ${changeId} and i.reminders < ${count}`.execute(tx);
  }
  return rows;
}

/** Returns the names of employees. */
export async function listNames(
  tx: Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select e.id, e.first_name || ' ' || e.last_name as name from employees e
    where ${ofCompany(companyId, 'e')} and e.id = any(${employeeIds})`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
