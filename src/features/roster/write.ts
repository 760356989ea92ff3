import { sql } from 'kysely';
import { formatMessage } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { unnest } from '../../platform/db/sent-rows.ts';
import { SharedRows } from '../../platform/db/shared-rows.ts';
import { proposeCorrections } from '../billing/proposals.ts';
import type { Company, Integration } from '../companies/companies.ts';
import {
  allocateIds,
  type ChangeContext,
  insertPlannedEmployees,
  type PlannedEmployee,
  updateEmployees,
  writeHistoryAndDocuments,
} from '../employees/write.ts';
import type { RecordReason } from './explanations.ts';
import type { PlannedRecord, PlannedSlice } from './plan.ts';

/**
 * Clears the entry hashes that other integrations have of changed employees. Their hashes no longer describe the
 * employee, so their next entry must be applied again.
 */
async function clearEntryHashes(tx: Tx, { companyId, hrIntegrationId }: Integration, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`update hr_links l set entry_hash = null where ${ofCompany(companyId, 'l')} and l.employee_id = any(${ids})
    and l.hr_integration_id <> ${hrIntegrationId} and l.entry_hash is not null`.execute(tx);
}

/** Writes the absences of employees whose absences change. */
export async function replaceAbsences(
  tx: Tx,
  companyId: CompanyId,
  plans: PlannedEmployee[],
  isNew: boolean,
): Promise<void> {
  const changed = plans.filter(({ plan }) => plan.changes.some(({ field }) => field === 'absences'));
  if (changed.length === 0) return;
  const rows = changed.flatMap(({ id, plan }) =>
    plan.employee.facts.absences.map(({ byHand = false, ...absence }) => ({ id, byHand, ...absence })),
  );
  if (!isNew) {
    await sql`delete from absences a where ${ofCompany(companyId, 'a')}
      and a.employee_id = any(${changed.map(({ id }) => id)})`.execute(tx);
  }
  await sql`
    insert into absences (company_id, employee_id, starts_on, ends_on, approved, by_hand)
    select ${companyId}, r.id, r."startDate", r."endDate", r.approved, r."byHand"
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(id bigint, "startDate" date, "endDate" date, approved boolean, "byHand" boolean)`.execute(tx);
}

/**
 * Writes email keys that differ although the address is the same: an older version folded them, or they were released
 * so that other employees could move.
 */
async function refreshEmailKeys(tx: Tx, companyId: CompanyId, reworded: PlannedSlice['reworded']): Promise<void> {
  const rows = reworded
    .filter(({ known, emailKey }) => known.emailKey !== emailKey)
    .map(({ known, emailKey }) => ({ id: known.id, emailKey }));
  if (rows.length === 0) return;
  await sql`update employees e set email_key = r."emailKey"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, "emailKey" text)
    where ${ofCompany(companyId, 'e')} and e.id = r.id`.execute(tx);
}

interface LinkRow {
  employeeId: number;
  linkId: number | null;
  hrId: string;
  entryHash: string;
}

async function writeLinks(tx: Tx, { companyId, hrIntegrationId }: Integration, rows: LinkRow[]): Promise<void> {
  const [known, added] = [rows.filter(({ linkId }) => linkId !== null), rows.filter(({ linkId }) => linkId === null)];
  if (known.length > 0) {
    await sql`update hr_links l set hr_id = r."hrId", entry_hash = r."entryHash", is_current = true
      from json_to_recordset(${JSON.stringify(known)}::json) as r("linkId" bigint, "hrId" text, "entryHash" text)
      where ${ofCompany(companyId, 'l')} and l.id = r."linkId"`.execute(tx);
  }
  if (added.length > 0) {
    const sent = unnest([
      { name: 'employeeId', type: 'bigint', values: added.map(({ employeeId }) => employeeId) },
      { name: 'hrId', type: 'text', values: added.map(({ hrId }) => hrId) },
      { name: 'entryHash', type: 'text', values: added.map(({ entryHash }) => entryHash) },
    ]);
    await sql`
      insert into hr_links (company_id, employee_id, hr_integration_id, hr_id, entry_hash, is_current)
      select ${companyId}, r."employeeId", ${hrIntegrationId}, r."hrId", r."entryHash", true
      from ${sent}`.execute(tx);
  }
}

async function insertRecords(
  tx: Tx,
  { target: { companyId }, syncKey, explain }: SyncWriteContext,
  records: PlannedRecord[],
  ids: Map<PlannedRecord, number>,
): Promise<void> {
  const rows = new SharedRows({ hrId: 'text', employeeId: 'bigint', changes: 'jsonb' });
  for (const record of records) {
    const { hrId, employeeId, changes, ...described } = describeRecord(record, explain);
    rows.add({ hrId, employeeId: employeeId ?? ids.get(record), changes }, described);
  }
  await sql`
    insert into sync_records (company_id, sync_key, hr_id, employee_id, outcome, code, detail, message, changes, reasons)
    select ${companyId}, ${syncKey}, r."hrId", r."employeeId", s.outcome, s.code, s.detail, s.message, r.changes, s.reasons
    from ${rows.join(sql`outcome text, code text, detail text, message jsonb, reasons jsonb`)}`.execute(tx);
}

/** Returns why the subscription changes, and what came too late, as readable sentences. */
const reasonsOf = ({ plan, late = [] }: PlannedRecord): RecordReason[] => [
  ...(plan?.subscriptionChanges ?? []).map(({ cause, rule, effectiveOn }) => ({
    cause,
    rule: rule.id,
    detail: rule.sentence,
    message: rule.message,
    effectiveAt: effectiveOn.toString(),
  })),
  ...late.map(({ itemIds: _, ...charges }) => ({ ...charges, detail: formatMessage(charges.message) })),
];

/** Returns a record as users see it. `explain` returns what the HR system said. */
export const describeRecord = (record: PlannedRecord, explain?: (record: PlannedRecord) => RecordReason[]) => ({
  hrId: record.hrId,
  employeeId: record.employeeId,
  outcome: record.outcome,
  code: record.code,
  detail: record.detail,
  message: record.message,
  changes: record.plan?.changes ?? [],
  reasons: [...reasonsOf(record), ...(explain?.(record) ?? [])],
  resource: 'sync-record' as const,
});

export interface SyncWriteContext {
  target: Integration;
  company: Company;
  syncKey: number;
  changeContext: ChangeContext;
  /** Returns what the HR system said. Absent: the roster was not pulled. */
  explain?: (record: PlannedRecord) => RecordReason[];
}

/**
 * Writes a slice of a plan, with a few statements for all of its employees. Returns how many documents are to be
 * written.
 */
export async function writeSlice(tx: Tx, context: SyncWriteContext, slice: PlannedSlice): Promise<number> {
  const { target, company, changeContext } = context;
  const { companyId } = target;
  const planned = slice.records.flatMap((record) => (record.plan === null ? [] : [{ record, plan: record.plan }]));
  const fresh = planned.filter(({ record }) => record.employeeId === null);
  const freshIds = await allocateIds(tx, fresh.length);
  const ids = new Map(fresh.map(({ record }, index) => [record, freshIds[index] as number]));
  const created = fresh.map(({ record, plan }) => ({ id: ids.get(record) as number, plan }));
  const changed = planned.flatMap(({ record: { employeeId }, plan }) =>
    employeeId === null ? [] : [{ id: employeeId, plan }],
  );
  await insertPlannedEmployees(tx, companyId, created, changeContext);
  await updateEmployees(tx, companyId, changed, changeContext);
  await refreshEmailKeys(tx, companyId, slice.reworded);
  const changedIds = changed.map(({ id }) => id);
  await clearEntryHashes(tx, target, changedIds);
  await replaceAbsences(tx, companyId, created, true);
  await replaceAbsences(tx, companyId, changed, false);
  const documents = await writeHistoryAndDocuments(tx, company, [...created, ...changed], changeContext);
  await proposeCorrections(tx, companyId, { employees: lateOf(slice), now: changeContext.now });
  await writeLinks(tx, target, linksOf(slice, ids));
  const unlinked = slice.records.filter(({ code }) => code === 'unlinked').flatMap(({ known }) => known?.linkId ?? []);
  await deleteLinks(tx, companyId, unlinked);
  if (slice.records.length > 0) await insertRecords(tx, context, slice.records, ids);
  return documents;
}

/** Returns the employees whose termination or absences have changed, with the charges that this makes late. */
const lateOf = ({ records }: PlannedSlice) =>
  records.flatMap(({ employeeId, late }) => (employeeId !== null && late ? [{ id: employeeId, late }] : []));

function linksOf({ records, unchanged, reworded }: PlannedSlice, ids: Map<PlannedRecord, number>): LinkRow[] {
  // A failed entry still counts as the employee's presence in the roster.
  const failed = records
    .flatMap(({ outcome, known }) => (outcome === 'failed' && known !== undefined ? [known] : []))
    .filter((known) => !known.isRemoved && !known.isLeaving);
  const returned = [...unchanged, ...failed]
    .filter((known) => !known.isCurrent)
    .map((known) => ({ known, entryHash: known.entryHash ?? '' }));
  const repeated = [...reworded, ...returned].map(({ known: { id: employeeId, linkId, hrId }, entryHash }) => ({
    employeeId,
    linkId,
    hrId: hrId ?? '',
    entryHash,
  }));
  const present = records.flatMap((record) => {
    const employeeId = record.employeeId ?? ids.get(record);
    if (record.entryHash === null || employeeId === undefined) return [];
    return [{ employeeId, linkId: record.known?.linkId ?? null, hrId: record.hrId, entryHash: record.entryHash }];
  });
  return [...repeated, ...present];
}

export async function deleteLinks(tx: Tx, companyId: CompanyId, linkIds: number[]): Promise<void> {
  if (linkIds.length === 0) return;
  await sql`delete from hr_links l where ${ofCompany(companyId, 'l')} and l.id = any(${linkIds})`.execute(tx);
}
