import { sql } from 'kysely';
import type { EmployeePlan, EmployeeState } from '../../domain/employee.ts';
import { emailKey, searchText } from '../../domain/search.ts';
import { assertTransition } from '../../domain/subscription/transitions.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Actor } from '../activity/record.ts';
import type { Company } from '../companies/companies.ts';
import type { AgreementContext } from '../documents/content-of.ts';
import { hideDocumentsOf, insertDocuments } from '../documents/insert.ts';
import { appendCreated, appendRemoved, appendSubscriptionChanges } from './events.ts';

/**
 * Writes the plans of employees with a few statements for all of them. Rows are passed as one JSON parameter, so the
 * text of a statement is the same for any number of rows.
 */

export interface PlannedEmployee {
  id: number;
  plan: EmployeePlan;
}

/** Who or what caused the changes, and when. */
export interface ChangeContext {
  actor: Actor;
  syncKey: number | null;
  /** The integration whose roster caused the changes. Null if none did. */
  hrIntegrationId: number | null;
  now: Temporal.Instant;
  /**
   * The time of removal for employees who are removed. A day that is processed late is not today, and the retention
   * period begins with that day.
   */
  removedAt: Temporal.Instant;
  /** What contribution agreements say about how they were accepted. */
  agreement?: AgreementContext;
}

type Moment = Pick<ChangeContext, 'now' | 'removedAt'>;

type Columns = readonly (readonly [name: string, type: string])[];

const profileColumns: Columns = [
  ['first_name', 'text'],
  ['last_name', 'text'],
  ['email', 'text'],
  ['email_key', 'text'],
  ['search_text', 'text'],
  ['date_of_birth', 'date'],
  ['profile_image', 'text'],
  ['personnel_number', 'text'],
  ['employed_from', 'date'],
  ['terminated_on', 'date'],
  ['auto_subscribe', 'boolean'],
];

const subscriptionColumns: Columns = [
  ['subscription_status', 'text'],
  ['start_on', 'date'],
  ['next_ticket_on', 'date'],
  ['paused_on', 'date'],
  ['resumes_on', 'date'],
  ['cancelled_on', 'date'],
  ['reactivated_on', 'date'],
  ['past_start_on', 'date'],
  ['past_paused_on', 'date'],
  ['past_cancelled_on', 'date'],
  ['past_reactivated_on', 'date'],
  ['plan_type', 'text'],
  ['contract_status', 'text'],
  ['contribution_cents', 'integer'],
  ['cancel_causes', 'text[]'],
  ['pause_requested', 'boolean'],
  ['not_subscribed_because', 'text'],
  ['is_leaving', 'boolean'],
  ['removes_on', 'date'],
  ['due_on', 'date'],
  ['removed_at', 'timestamptz'],
];

const list = (columns: Columns, write: (name: string, type: string) => string) =>
  sql.raw(columns.map(([name, type]) => write(name, type)).join(', '));
const names = (columns: Columns) => list(columns, (name) => name);
const values = (columns: Columns) => list(columns, (name) => `r.${name}`);
const recordset = (rows: object[], columns: Columns) =>
  sql`json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, ${list(columns, (name, type) => `${name} ${type}`)})`;

const allColumns = [...profileColumns, ...subscriptionColumns];

const toProfileRow = ({ profile, facts }: EmployeeState) => ({
  first_name: profile.firstName,
  last_name: profile.lastName,
  email: profile.email,
  email_key: emailKey(profile.email),
  search_text: searchText(profile.firstName, profile.lastName, profile.email),
  date_of_birth: profile.dateOfBirth,
  profile_image: profile.profileImage,
  personnel_number: profile.personnelNumber,
  employed_from: facts.employedFrom,
  terminated_on: facts.terminationDate,
  auto_subscribe: facts.autoSubscribe,
});

const toSubscriptionRow = (employee: EmployeeState, { removedAt }: Moment) => {
  const { facts, subscription, isRemoved } = employee;
  const { past } = subscription;
  return {
    subscription_status: subscription.status,
    start_on: subscription.startOn,
    next_ticket_on: employee.nextTicketOn,
    paused_on: subscription.pausedOn,
    resumes_on: subscription.resumesOn,
    cancelled_on: subscription.cancelledOn,
    reactivated_on: subscription.reactivatedOn,
    past_start_on: past.startOn,
    past_paused_on: past.pausedOn,
    past_cancelled_on: past.cancelledOn,
    past_reactivated_on: past.reactivatedOn,
    plan_type: subscription.planType,
    contract_status: subscription.contractStatus,
    contribution_cents: subscription.contributionCents,
    cancel_causes: subscription.cancelCauses,
    pause_requested: subscription.pauseRequested,
    not_subscribed_because: subscription.notSubscribedBecause,
    is_leaving: facts.offboarded && !isRemoved,
    removes_on: employee.removesOn,
    due_on: employee.dueOn,
    removed_at: isRemoved ? removedAt : null,
  };
};

const toRow = ({ id, plan: { employee } }: PlannedEmployee, moment: Moment) => ({
  id,
  ...toProfileRow(employee),
  ...toSubscriptionRow(employee, moment),
});

/** Returns ids for new employees. */
export async function allocateIds(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('employees', 'id')) as id from generate_series(1, ${count})`.execute(tx);
  return rows.map((row) => row.id);
}

export async function insertPlannedEmployees(
  tx: Tx,
  companyId: CompanyId,
  planned: PlannedEmployee[],
  changeContext: ChangeContext,
): Promise<void> {
  if (planned.length === 0) return;
  const rows = planned.map((one) => toRow(one, changeContext));
  const now = changeContext.now.toString();
  await sql`
    insert into employees (company_id, id, ${names(allColumns)}, created_at, updated_at) overriding system value
    select ${companyId}, r.id, ${values(allColumns)}, ${now}::timestamptz, ${now}::timestamptz
    from ${recordset(rows, allColumns)}`.execute(tx);
  appendCreated(
    tx,
    companyId,
    planned.map(({ id }) => id),
    changeContext,
  );
}

async function update(
  tx: Tx,
  companyId: CompanyId,
  { rows, columns, now }: { rows: object[]; columns: Columns; now: Temporal.Instant },
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update employees e set (${names(columns)}, updated_at) = (select ${values(columns)}, ${now.toString()}::timestamptz)
    from ${recordset(rows, columns)} where ${ofCompany(companyId, 'e')} and e.id = r.id`.execute(tx);
}

export const updateEmployees = (tx: Tx, companyId: CompanyId, planned: PlannedEmployee[], moment: Moment) =>
  update(tx, companyId, { rows: planned.map((one) => toRow(one, moment)), columns: allColumns, now: moment.now });

/** Updates employees if only their subscription has changed: names and addresses need not be folded again. */
export const updateSubscriptions = (tx: Tx, companyId: CompanyId, planned: PlannedEmployee[], moment: Moment) =>
  update(tx, companyId, {
    rows: planned.map(({ id, plan }) => ({ id, ...toSubscriptionRow(plan.employee, moment) })),
    columns: subscriptionColumns,
    now: moment.now,
  });

async function insertSubscriptionChanges(
  tx: Tx,
  companyId: CompanyId,
  planned: PlannedEmployee[],
  { actor, syncKey, now }: ChangeContext,
): Promise<void> {
  for (const { plan } of planned) {
    for (const { cause, from, to } of plan.subscriptionChanges) assertTransition(cause, from, to);
  }
  const rows = planned.flatMap(({ id, plan }) =>
    plan.subscriptionChanges.map(({ rule, ...change }) => ({
      ...change,
      id,
      rule: rule.id,
      detail: rule.sentence,
      message: rule.message,
    })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into subscription_changes (company_id, employee_id, known_on, effective_on, cause, rule, detail, message, from_status,
      to_status, fields, recorded_at, actor_type, actor, sync_key)
    select ${companyId}, r.id, r."knownOn", r."effectiveOn", r.cause, r.rule, r.detail, r.message, r."from", r."to", r.fields,
      ${now.toString()}::timestamptz, ${actor.type}, ${actor.name}, ${syncKey}::bigint
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, "knownOn" date, "effectiveOn" date, cause text,
      rule text, detail text, message jsonb, "from" text, "to" text, fields jsonb)`.execute(tx);
}

/**
 * Writes what results from every change of employees, regardless of its actor: the history, events, new documents, and
 * the visibility of documents of removed and returning employees. Returns the number of documents to create.
 */
export async function writeHistoryAndDocuments(
  tx: Tx,
  company: Company,
  planned: PlannedEmployee[],
  changeContext: ChangeContext,
): Promise<number> {
  await insertSubscriptionChanges(tx, company.id, planned, changeContext);
  const documents = await insertDocuments(tx, company, planned, changeContext);
  const turned = planned.filter(({ plan }) => plan.changes.some(({ field }) => field === 'removed'));
  const [gone = [], back = []] = [true, false].map((isRemoved) =>
    turned.filter(({ plan }) => plan.employee.isRemoved === isRemoved).map(({ id }) => id),
  );
  await hideDocumentsOf(tx, company.id, { gone, back }, changeContext.removedAt);
  appendCreated(tx, company.id, back, changeContext);
  appendSubscriptionChanges(tx, company.id, planned, changeContext.now);
  await appendRemoved(tx, company.id, gone, changeContext);
  return documents;
}
