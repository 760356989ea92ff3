import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../db/company-scope.ts';
import type { Tx } from '../../db/database.ts';
import type { Person, PersonPlan } from '../../domain/roster.ts';
import { emailKey, searchText } from '../../domain/search.ts';
import type { SyncTarget } from './accept.ts';
import type { PlannedRecord, PlannedSlice } from './plan.ts';

/**
 * Writes a slice of a plan, a few statements for all of its people. Rows travel as one JSON parameter: the statement's
 * text stays the same for any number of them.
 */

const employeeColumns = sql.raw(`first_name text, last_name text, email text, email_key text, search_text text,
  date_of_birth date, profile_image text, employed_from date, terminated_on date, auto_subscribe boolean,
  subscription_status text, start_on date, next_ticket_on date, paused_on date, resumes_on date, cancelled_on date,
  reactivated_on date, plan_type text, contract_status text, contribution_cents integer, cancel_causes text[],
  pause_requested boolean, is_leaving boolean, removes_on date, is_removed boolean`);

const writtenColumns = sql.raw(`first_name, last_name, email, email_key, search_text, date_of_birth, profile_image,
  employed_from, terminated_on, auto_subscribe, subscription_status, start_on, next_ticket_on, paused_on, resumes_on,
  cancelled_on, reactivated_on, plan_type, contract_status, contribution_cents, cancel_causes, pause_requested,
  is_leaving, removes_on, removed_at`);

const writtenValues = sql.raw(`r.first_name, r.last_name, r.email, r.email_key, r.search_text, r.date_of_birth,
  r.profile_image, r.employed_from, r.terminated_on, r.auto_subscribe, r.subscription_status, r.start_on,
  r.next_ticket_on, r.paused_on, r.resumes_on, r.cancelled_on, r.reactivated_on, r.plan_type, r.contract_status,
  r.contribution_cents, r.cancel_causes, r.pause_requested, r.is_leaving, r.removes_on,
  case when r.is_removed then now() end`);

function toRow(id: number, { profile, facts, subscription, nextTicketOn, removesOn, isRemoved }: Person) {
  return {
    id,
    first_name: profile.firstName,
    last_name: profile.lastName,
    email: profile.email,
    email_key: emailKey(profile.email),
    search_text: searchText(profile.firstName, profile.lastName, profile.email),
    date_of_birth: profile.dateOfBirth,
    profile_image: profile.profileImage,
    employed_from: facts.employedFrom,
    terminated_on: facts.terminatedOn,
    auto_subscribe: facts.autoSubscribe,
    subscription_status: subscription.status,
    start_on: subscription.startOn,
    next_ticket_on: nextTicketOn,
    paused_on: subscription.pausedOn,
    resumes_on: subscription.resumesOn,
    cancelled_on: subscription.cancelledOn,
    reactivated_on: subscription.reactivatedOn,
    plan_type: subscription.planType,
    contract_status: subscription.contractStatus,
    contribution_cents: subscription.contributionCents,
    cancel_causes: subscription.cancelCauses,
    pause_requested: subscription.pauseRequested,
    is_leaving: facts.offboarded && !isRemoved,
    removes_on: removesOn,
    is_removed: isRemoved,
  };
}

async function allocateIds(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('employees', 'id')) as id from generate_series(1, ${count})`.execute(tx);
  return rows.map((row) => row.id);
}

async function insertPeople(tx: Tx, companyId: CompanyId, rows: object[]): Promise<void> {
  await sql`
    insert into employees (company_id, id, ${writtenColumns}) overriding system value
    select ${companyId}, r.id, ${writtenValues}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, ${employeeColumns})`.execute(tx);
}

async function updatePeople(tx: Tx, companyId: CompanyId, rows: object[]): Promise<void> {
  await sql`
    update employees e set (${writtenColumns}, updated_at) = (select ${writtenValues}, now())
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, ${employeeColumns})
    where ${ofCompany(companyId, 'e')} and e.id = r.id`.execute(tx);
}

/** What another integration last said of people who change now is no longer how they are: its next word counts anew. */
async function forgetEntries(tx: Tx, { companyId, hrIntegrationId }: SyncTarget, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`update hr_links l set entry_hash = null where ${ofCompany(companyId, 'l')} and l.employee_id = any(${ids})
    and l.hr_integration_id <> ${hrIntegrationId} and l.entry_hash is not null`.execute(tx);
}

async function replaceAbsences(
  tx: Tx,
  companyId: CompanyId,
  plans: { id: number; plan: PersonPlan }[],
  isNew: boolean,
): Promise<void> {
  const changed = plans.filter(({ plan }) => plan.changes.some(({ field }) => field === 'absences'));
  if (changed.length === 0) return;
  const rows = changed.flatMap(({ id, plan }) =>
    plan.person.facts.absences.map(({ startsOn, endsOn, approved }) => ({ id, startsOn, endsOn, approved })),
  );
  if (!isNew) {
    await sql`delete from absences a where ${ofCompany(companyId, 'a')}
      and a.employee_id = any(${changed.map(({ id }) => id)})`.execute(tx);
  }
  await sql`
    insert into absences (company_id, employee_id, starts_on, ends_on, approved)
    select ${companyId}, r.id, r."startsOn", r."endsOn", r.approved from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(id bigint, "startsOn" date, "endsOn" date, approved boolean)`.execute(tx);
}

async function insertSubscriptionChanges(
  tx: Tx,
  companyId: CompanyId,
  plans: { id: number; plan: PersonPlan }[],
): Promise<void> {
  const rows = plans.flatMap(({ id, plan }) =>
    plan.subscriptionChanges.map(({ rule, ...change }) => ({ ...change, id, rule: rule.id, detail: rule.sentence })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into subscription_changes (company_id, employee_id, known_on, effective_on, cause, rule, detail, from_status,
      to_status, fields)
    select ${companyId}, r.id, r."knownOn", r."effectiveOn", r.cause, r.rule, r.detail, r."from", r."to", r.fields
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, "knownOn" date, "effectiveOn" date, cause text,
      rule text, detail text, "from" text, "to" text, fields jsonb)`.execute(tx);
}

/** Documents are hidden and shown again with their owner. */
async function hideDocuments(tx: Tx, companyId: CompanyId, plans: { id: number; plan: PersonPlan }[]): Promise<void> {
  const turned = plans.filter(({ plan }) => plan.changes.some(({ field }) => field === 'removed'));
  if (turned.length === 0) return;
  const gone = turned.filter(({ plan }) => plan.person.isRemoved).map(({ id }) => id);
  await sql`update documents d set removed_at = case when d.employee_id = any(${gone}) then now() end
    where ${ofCompany(companyId, 'd')} and d.employee_id = any(${turned.map(({ id }) => id)})`.execute(tx);
  await sql`
    insert into document_counts (company_id, documents)
    select ${companyId}, count(*) from documents d where ${ofCompany(companyId, 'd')} and d.removed_at is null
    on conflict (company_id) do update set documents = excluded.documents`.execute(tx);
}

interface LinkRow {
  employeeId: number;
  linkId: number | null;
  hrId: string;
  entryHash: string;
}

async function writeLinks(tx: Tx, { companyId, hrIntegrationId }: SyncTarget, rows: LinkRow[]): Promise<void> {
  const known = rows.filter((row) => row.linkId !== null);
  if (known.length > 0) {
    await sql`update hr_links l set hr_id = r."hrId", entry_hash = r."entryHash", is_current = true
      from json_to_recordset(${JSON.stringify(known)}::json) as r("linkId" bigint, "hrId" text, "entryHash" text)
      where ${ofCompany(companyId, 'l')} and l.id = r."linkId"`.execute(tx);
  }
  await sql`
    insert into hr_links (company_id, employee_id, hr_integration_id, hr_id, entry_hash, is_current)
    select ${companyId}, r."employeeId", ${hrIntegrationId}, r."hrId", r."entryHash", true
    from json_to_recordset(${JSON.stringify(rows.filter((row) => row.linkId === null))}::json)
      as r("employeeId" bigint, "hrId" text, "entryHash" text)`.execute(tx);
}

async function insertRecords(
  tx: Tx,
  companyId: CompanyId,
  syncKey: number,
  records: PlannedRecord[],
  ids: Map<PlannedRecord, number>,
): Promise<void> {
  const rows = records.map((record) => ({
    hrId: record.hrId,
    employeeId: record.employeeId ?? ids.get(record) ?? null,
    outcome: record.outcome,
    code: record.code,
    detail: record.detail,
    changes: record.plan?.changes ?? [],
    reasons: reasonsOf(record),
  }));
  await sql`
    insert into sync_records (company_id, sync_key, hr_id, employee_id, outcome, code, detail, changes, reasons)
    select ${companyId}, ${syncKey}, r."hrId", r."employeeId", r.outcome, r.code, r.detail, r.changes, r.reasons
    from json_to_recordset(${JSON.stringify(rows)}::json) as r("hrId" text, "employeeId" bigint, outcome text, code text,
      detail text, changes jsonb, reasons jsonb)`.execute(tx);
}

/** Why the subscription changes, in words. */
export const reasonsOf = ({ plan }: PlannedRecord) =>
  (plan?.subscriptionChanges ?? []).map(({ cause, rule, effectiveOn }) => ({
    cause,
    rule: rule.id,
    detail: rule.sentence,
    effectiveAt: effectiveOn.toString(),
  }));

export async function writeSlice(tx: Tx, target: SyncTarget, syncKey: number, slice: PlannedSlice): Promise<void> {
  const { companyId } = target;
  const planned = slice.records.flatMap((record) => (record.plan === null ? [] : [{ record, plan: record.plan }]));
  const fresh = planned.filter(({ record }) => record.employeeId === null);
  const freshIds = await allocateIds(tx, fresh.length);
  const ids = new Map(fresh.map(({ record }, index) => [record, freshIds[index] as number]));
  const created = fresh.map(({ record, plan }) => ({ id: ids.get(record) as number, plan }));
  const changed = planned.flatMap(({ record: { employeeId }, plan }) =>
    employeeId === null ? [] : [{ id: employeeId, plan }],
  );
  const rowsOf = (plans: { id: number; plan: PersonPlan }[]) => plans.map(({ id, plan }) => toRow(id, plan.person));
  if (created.length > 0) await insertPeople(tx, companyId, rowsOf(created));
  if (changed.length > 0) await updatePeople(tx, companyId, rowsOf(changed));
  await forgetEntries(
    tx,
    target,
    changed.map(({ id }) => id),
  );
  await replaceAbsences(tx, companyId, created, true);
  await replaceAbsences(tx, companyId, changed, false);
  await insertSubscriptionChanges(tx, companyId, [...created, ...changed]);
  await hideDocuments(tx, companyId, changed);
  await writeLinks(tx, target, linksOf(slice, ids));
  await deleteLinks(
    tx,
    companyId,
    slice.records.filter(({ code }) => code === 'unlinked'),
  );
  if (slice.records.length > 0) await insertRecords(tx, companyId, syncKey, slice.records, ids);
}

function linksOf({ records, unchanged, reworded }: PlannedSlice, ids: Map<PlannedRecord, number>): LinkRow[] {
  const kept = unchanged
    .filter((known) => !known.isCurrent)
    .map((known) => ({ known, entryHash: known.entryHash ?? '' }));
  // An entry that fails contains its person all the same.
  const contained = records
    .flatMap(({ outcome, known }) => (outcome === 'failed' && known !== undefined ? [known] : []))
    .filter((known) => !known.isCurrent && !known.isRemoved && !known.isLeaving)
    .map((known) => ({ known, entryHash: known.entryHash ?? '' }));
  const repeated = [...reworded, ...kept, ...contained].map(({ known, entryHash }) => ({
    employeeId: known.id,
    linkId: known.linkId,
    hrId: known.hrId ?? '',
    entryHash,
  }));
  const present = records.flatMap((record) => {
    const employeeId = record.employeeId ?? ids.get(record);
    if (record.entryHash === null || employeeId === undefined) return [];
    return [{ employeeId, linkId: record.known?.linkId ?? null, hrId: record.hrId, entryHash: record.entryHash }];
  });
  return [...repeated, ...present];
}

async function deleteLinks(tx: Tx, companyId: CompanyId, records: PlannedRecord[]): Promise<void> {
  const linkIds = records.flatMap(({ known }) => known?.linkId ?? []);
  if (linkIds.length === 0) return;
  await sql`delete from hr_links l where ${ofCompany(companyId, 'l')} and l.id = any(${linkIds})`.execute(tx);
}
