import { sql } from 'kysely';
import type { Actor } from '../../domain/actor.ts';
import { describeSubscription, type EmployeePlan, type EmployeeState } from '../../domain/employee.ts';
import { emailKey, searchText } from '../../domain/search.ts';
import { requestedPauses } from '../../domain/subscription/requested.ts';
import { assertTransition } from '../../domain/subscription/transitions.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type SentColumn, unnest } from '../../platform/db/sent-rows.ts';
import { SharedRows } from '../../platform/db/shared-rows.ts';
import type { Company } from '../companies/companies.ts';
import type { AgreementContext } from '../documents/content-of.ts';
import { hideDocumentsOf, insertDocuments } from '../documents/insert.ts';
import { endAccess } from '../employee-access/end-access.ts';
import { appendEvents, shareEvents } from '../events/append.ts';
import { writeRequested } from './rules/requested-column.ts';

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
  /** The retention period begins with the day of the removal, which may be processed late. */
  removedAt: Temporal.Instant;
  /** What contribution agreements say about how they were accepted. */
  agreement?: AgreementContext;
}

type Moment = Pick<ChangeContext, 'now' | 'removedAt'>;

/** The columns that the rules decide: the type of each, and its value. */
type Columns = Record<string, readonly [type: string, value: (employee: EmployeeState, moment: Moment) => unknown]>;

const profileColumns = {
  first_name: ['text', ({ profile }) => profile.firstName],
  last_name: ['text', ({ profile }) => profile.lastName],
  email: ['text', ({ profile }) => profile.email],
  email_key: ['text', ({ profile }) => emailKey(profile.email)],
  search_text: ['text', ({ profile: { firstName, lastName, email } }) => searchText(firstName, lastName, email)],
  date_of_birth: ['date', ({ profile }) => profile.dateOfBirth],
  profile_image: ['text', ({ profile }) => profile.profileImage],
  personnel_number: ['text', ({ profile }) => profile.personnelNumber],
  roster_group: ['text', ({ profile }) => profile.group],
  employed_from: ['date', ({ facts }) => facts.employedFrom],
  terminated_on: ['date', ({ facts }) => facts.terminationDate],
  auto_subscribe: ['boolean', ({ facts }) => facts.autoSubscribe],
  set_by_hand: ['text[]', ({ setByHand }) => setByHand],
} satisfies Columns;

/** The profile columns that decide about a subscription. */
export const factColumns = [
  'employed_from',
  'terminated_on',
  'auto_subscribe',
] as const satisfies (keyof typeof profileColumns)[];

export const subscriptionColumns = {
  subscription_status: ['text', ({ subscription }) => subscription.status],
  start_on: ['date', ({ subscription }) => subscription.startOn],
  next_ticket_on: ['date', ({ nextTicketOn }) => nextTicketOn],
  paused_on: ['date', ({ subscription }) => subscription.pausedOn],
  resumes_on: ['date', ({ subscription }) => subscription.resumesOn],
  cancelled_on: ['date', ({ subscription }) => subscription.cancelledOn],
  reactivated_on: ['date', ({ subscription }) => subscription.reactivatedOn],
  past_start_on: ['date', ({ subscription }) => subscription.past.startOn],
  past_paused_on: ['date', ({ subscription }) => subscription.past.pausedOn],
  past_cancelled_on: ['date', ({ subscription }) => subscription.past.cancelledOn],
  past_reactivated_on: ['date', ({ subscription }) => subscription.past.reactivatedOn],
  plan_type: ['text', ({ subscription }) => subscription.planType],
  contract_status: ['text', ({ subscription }) => subscription.contractStatus],
  plan_change: ['jsonb', ({ subscription }) => subscription.nextPlan],
  contribution_cents: ['integer', ({ subscription }) => subscription.contributionCents],
  cancel_causes: ['text[]', ({ subscription }) => subscription.cancelCauses],
  requested: ['jsonb', ({ subscription }) => writeRequested(subscription)],
  // Earlier releases read it while both run.
  pause_requested: ['boolean', ({ subscription }) => requestedPauses(subscription).length > 0],
  not_subscribed_because: ['text', ({ subscription }) => subscription.notSubscribedBecause],
  is_leaving: ['boolean', ({ facts, isRemoved }) => facts.offboarded && !isRemoved],
  removes_on: ['date', ({ removesOn }) => removesOn],
  due_on: ['date', ({ dueOn }) => dueOn],
  removed_at: ['timestamptz', ({ isRemoved }, { removedAt }) => (isRemoved ? removedAt : null)],
} satisfies Columns;

export const allColumns = { ...profileColumns, ...subscriptionColumns };

const list = (columns: Columns, write: (name: string, type: string) => string) =>
  sql.raw(
    Object.entries(columns)
      .map(([name, [type]]) => write(name, type))
      .join(', '),
  );
const names = (columns: Columns) => list(columns, (name) => name);
const values = (columns: Columns) => list(columns, (name, type) => `r.${name}::${type}`);

/** Returns the rows `r` of the plans, for an insert. */
function rowsOf(planned: PlannedEmployee[], columns: Columns, moment: Moment) {
  const written = Object.entries(columns).map(([name, [type, read]]): SentColumn => {
    const values = planned.map(({ plan: { employee } }) => read(employee, moment));
    // An array of arrays would be one array of their elements, so each is sent as text. Their words need no quotes.
    if (type === 'text[]') return { name, type: 'text', values: values.map((list) => `{${list}}`) };
    return { name, type, values };
  });
  return unnest([{ name: 'id', type: 'bigint', values: planned.map(({ id }) => id) }, ...written]);
}

function toRow(written: [string, Columns[string]][], { employee }: EmployeePlan, moment: Moment) {
  const row: Record<string, unknown> = {};
  for (const [name, [, read]] of written) {
    const value = read(employee, moment);
    // A missing member is null, and most members are: writing and reading their names takes as long as the others.
    if (value !== null) row[name] = value;
  }
  return row;
}

/**
 * Returns the rows `r` of the plans, and `n` with the id of each employee, for an update. Several may have the same plan: it
 * is sent once. Not as arrays: PostgreSQL expects few elements in a parameter, and then looks each of them up in the list
 * of all ids, for minutes.
 */
function recordset(planned: readonly PlannedEmployee[], columns: Columns, moment: Moment) {
  const written = Object.entries(columns);
  const rows = [...Map.groupBy(planned, ({ plan }) => plan)].map(([plan, same]) => ({
    ids: same.map(({ id }) => id),
    ...toRow(written, plan, moment),
  }));
  const types = list(columns, (name, type) => `${name} ${type}`);
  return sql`json_to_recordset(${JSON.stringify(rows)}::json) as r(ids bigint[], ${types})
    cross join lateral unnest(r.ids) as n(id)`;
}

function appendCreated(tx: Tx, companyId: CompanyId, ids: number[], { hrIntegrationId, now }: ChangeContext): void {
  const payloads = ids.map((id) => ({ id, resource: 'employee' as const, hrIntegrationId }));
  appendEvents(
    tx,
    companyId,
    payloads.map((payload) => ({ type: 'employee-created', occurredAt: now, payload })),
  );
}

/** Returns the integration that linked each of the employees last. Employees without one are missing. */
async function listLastIntegrations(tx: Tx, companyId: CompanyId, ids: number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; hrIntegrationId: number }>`
    select distinct on (l.employee_id) l.employee_id as id, l.hr_integration_id as "hrIntegrationId" from hr_links l
    where ${ofCompany(companyId, 'l')} and l.employee_id = any(${ids}) and l.hr_integration_id is not null
    order by l.employee_id, l.last_synced_at desc nulls last, l.id desc`.execute(tx);
  return new Map(rows.map((row) => [row.id, row.hrIntegrationId]));
}

/**
 * Reports employees who were removed. If the daily run removes them, the integration is the one that linked them last:
 * they were missing from its roster when their removal was planned.
 */
async function appendRemoved(
  tx: Tx,
  companyId: CompanyId,
  ids: number[],
  { hrIntegrationId, now }: ChangeContext,
): Promise<void> {
  if (ids.length === 0) return;
  const last = hrIntegrationId === null ? await listLastIntegrations(tx, companyId, ids) : undefined;
  appendEvents(
    tx,
    companyId,
    ids.map((id) => ({
      type: 'employee-removed',
      occurredAt: now,
      payload: { id, resource: 'employee', hrIntegrationId: hrIntegrationId ?? last?.get(id) ?? null },
    })),
  );
}

/** One event per entry of the history, unless it only records why there is no subscription. */
function subscriptionEvents({ employee, subscriptionChanges }: EmployeePlan, now: Temporal.Instant) {
  const changes = subscriptionChanges.filter(({ cause }) => cause !== 'not-subscribed');
  if (changes.length === 0) return [];
  const subscription = describeSubscription(employee.subscription, employee.nextTicketOn);
  return changes.map(({ from, cause, rule }) => ({
    type: 'employee-subscription-changed' as const,
    occurredAt: now,
    payload: { resource: 'employee' as const, subscription, previousStatus: from, cause, rule: rule.id },
  }));
}

function appendSubscriptionChanges(
  tx: Tx,
  companyId: CompanyId,
  planned: readonly PlannedEmployee[],
  now: Temporal.Instant,
): void {
  const appendOf = new Map<EmployeePlan, (id: number) => void>();
  for (const { id, plan } of planned) {
    appendOf.getOrInsertComputed(plan, () => shareEvents(tx, companyId, subscriptionEvents(plan, now)))(id);
  }
}

/** Returns ids for new employees. Looks up their sequence once: for each row it would take most of the time. */
export async function allocateIds(tx: Tx, count: number): Promise<number[]> {
  if (count === 0) return [];
  const { rows } = await sql<{ ids: number[] }>`
    select json_agg(nextval(s.name)) as ids
    from (select pg_get_serial_sequence('employees', 'id')::regclass as name offset 0) s
    cross join generate_series(1, ${count})`.execute(tx);
  return rows[0]?.ids ?? [];
}

export async function insertPlannedEmployees(
  tx: Tx,
  companyId: CompanyId,
  planned: PlannedEmployee[],
  changeContext: ChangeContext,
): Promise<void> {
  if (planned.length === 0) return;
  const now = changeContext.now.toString();
  await sql`
    insert into employees (company_id, id, ${names(allColumns)}, created_at, updated_at) overriding system value
    select ${companyId}, r.id, ${values(allColumns)}, ${now}::timestamptz, ${now}::timestamptz
    from ${rowsOf(planned, allColumns, changeContext)}`.execute(tx);
  const ids = planned.map(({ id }) => id);
  appendCreated(tx, companyId, ids, changeContext);
}

const createUpdate =
  (columns: Columns) => async (tx: Tx, companyId: CompanyId, planned: PlannedEmployee[], moment: Moment) => {
    if (planned.length === 0) return;
    const now = moment.now.toString();
    // Without the ids, all employees of a company that has just grown are read for each statement.
    const ids = planned.map(({ id }) => id);
    await sql`
      update employees e set (${names(columns)}, updated_at) = (select ${values(columns)}, ${now}::timestamptz)
      from ${recordset(planned, columns, moment)}
      where ${ofCompany(companyId, 'e')} and e.id = any(${ids}) and e.id = n.id`.execute(tx);
  };

export const updateEmployees = createUpdate(allColumns);

/** Updates employees if only their subscription has changed: names and addresses need not be folded again. */
export const updateSubscriptions = createUpdate(subscriptionColumns);

/** Returns what the entries of the history say besides the employee. */
const describeChanges = ({ subscriptionChanges }: EmployeePlan) =>
  subscriptionChanges.map(({ rule, ...change }) => {
    assertTransition(change.cause, change.from, change.to);
    return { ...change, rule: rule.id, detail: rule.sentence, message: rule.message };
  });

async function insertSubscriptionChanges(
  tx: Tx,
  companyId: CompanyId,
  planned: PlannedEmployee[],
  { actor, syncKey, now }: ChangeContext,
): Promise<void> {
  const changes = new SharedRows({ id: 'bigint' });
  const entriesOf = new Map<EmployeePlan, object[]>();
  for (const { id, plan } of planned) {
    for (const entry of entriesOf.getOrInsertComputed(plan, describeChanges)) changes.add({ id }, entry);
  }
  if (changes.isEmpty) return;
  await sql`
    insert into subscription_changes (company_id, employee_id, known_on, effective_on, cause, rule, detail, message, from_status,
      to_status, fields, recorded_at, actor_type, actor, sync_key)
    select ${companyId}, r.id, s."knownOn", s."effectiveOn", s.cause, s.rule, s.detail, s.message, s."from", s."to", s.fields,
      ${now.toString()}::timestamptz, ${actor.type}, ${actor.name}, ${syncKey}::bigint
    from ${changes.join(
      sql`"knownOn" date, "effectiveOn" date, cause text, rule text, detail text, message jsonb, "from" text, "to" text,
        fields jsonb`,
    )}`.execute(tx);
}

/** Returns whether an employee has another address than before, by which they got into their page. */
const hasMoved = ({ plan: { changes } }: PlannedEmployee) =>
  changes.some(
    ({ field, from, to }) => field === 'email' && from !== '' && emailKey(String(from)) !== emailKey(String(to)),
  );

/**
 * Writes what results from every change of employees, regardless of its actor: the history, events, new documents,
 * the visibility of documents of removed and returning employees, and the end of access that has lost its ground. Returns the number of documents to create.
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
  await endAccess(tx, company.id, { removed: gone, moved: planned.filter(hasMoved).map(({ id }) => id) });
  appendCreated(tx, company.id, back, changeContext);
  appendSubscriptionChanges(tx, company.id, planned, changeContext.now);
  await appendRemoved(tx, company.id, gone, changeContext);
  return documents;
}
