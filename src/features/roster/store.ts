import { sql } from 'kysely';
import type { RecordOutcome } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { offsetOf, type Page, type PageRequest, type PageRow, pageOf, toPage } from '../../platform/db/page.ts';
import { type Integration, ofIntegration } from '../companies/companies.ts';
import type { ExplainedRecord, ExplainedSync, Sync } from './contract.ts';
import type { Roster } from './read-roster.ts';
import type { RosterPart } from './roster-parts.ts';
import type { LeftOut } from './rules/match.ts';
import type { RosterWarning } from './rules/warnings.ts';

type Stored =
  | 'syncId'
  | 'state'
  | 'reason'
  | 'pushedBy'
  | 'acceptedAt'
  | 'startedAt'
  | 'finishedAt'
  | 'entries'
  | 'counts';

export interface SyncRow
  extends Pick<Sync, Stored | 'heldRemovals'>,
    Pick<ExplainedSync, 'message' | 'fileName' | 'effects'> {
  id: number;
  decidedBy: string | null;
  decidedAt: string | null;
  warnings: RosterWarning[];
  contentHash: Buffer;
}

const columns = sql`s.id, s.sync_id as "syncId", s.state, s.reason, s.pushed_by as "pushedBy", s.accepted_at as "acceptedAt",
  s.started_at as "startedAt", s.finished_at as "finishedAt", s.entry_count as entries, json_build_object('created',
    s.created_count, 'updated', s.updated_count, 'unchanged', s.unchanged_count, 'offboarded', s.offboarded_count, 'held',
    s.held_count, 'failed', s.failed_count) as counts, s.held_state as "heldRemovals", s.decided_by as "decidedBy",
  s.decided_at as "decidedAt", s.warnings, s.message, s.file_name as "fileName", s.content_hash as "contentHash", s.effects`;

/** Returns the newest syncs first. A failed sync that was pushed again is sorted by the time of the new push. */
export async function listSyncs(db: Db, target: Integration, request: PageRequest): Promise<Page<SyncRow>> {
  const all = sql`select s.id, s.accepted_at as sorted from syncs s where ${ofIntegration(target, 's')}`;
  const page = pageOf({ rows: all, storedTotal: undefined }, { ...request, sortOrder: 'desc' }, offsetOf(request));
  const { rows } = await sql<SyncRow & PageRow>`
    ${page.found} select n.total, ${columns} from ${page.source}
    left join syncs s on ${ofCompany(target.companyId, 's')} and s.id = p.id ${page.order}`.execute(db);
  return toPage(rows);
}

export async function findSync(db: Db, target: Integration, syncId: string): Promise<SyncRow | undefined> {
  const { rows } = await sql<SyncRow>`
    select ${columns} from syncs s where ${ofIntegration(target, 's')} and s.sync_id = ${syncId}`.execute(db);
  return rows[0];
}

export type SyncRecordRow = Omit<ExplainedRecord, 'resource'> & { id: number; employeeExists: boolean };

/**
 * Looks up each record of the page, and its employee, by primary key. Right after a large sync, the statistics of
 * PostgreSQL know nothing of its records: a join would compare each record of the page with all of them, and every index
 * that contains the id somewhere would seem as good as the primary key. Only the primary key has the records in the
 * order of their ids, and only the primary key contains removed employees.
 */
const recordOfEach = (companyId: CompanyId, syncKey: number) => sql`
  left join lateral (
    select r.id, r.hr_id, r.employee_id, r.outcome, r.code, r.detail, r.message, r.changes, r.reasons from sync_records r
    where ${ofCompany(companyId, 'r')} and r.sync_key = ${syncKey} and r.id between p.id and p.id order by r.id limit 1
  ) r on true
  left join lateral (
    select case when e.removed_at is null then e.id end as id from employees e
    where ${ofCompany(companyId, 'e')} and e.id = r.employee_id limit 1
  ) e on true`;

interface RecordsRequest extends PageRequest {
  outcomes?: readonly RecordOutcome[] | undefined;
  hrId?: string | undefined;
  /** Lists employees who leave or return before the others. */
  notableFirst?: boolean;
}

export async function listSyncRecords(
  db: Db,
  { companyId }: Integration,
  syncKey: number,
  request: RecordsRequest,
): Promise<Page<SyncRecordRow>> {
  const { outcomes, hrId, notableFirst = false } = request;
  const filter = sql`${outcomes ? sql`and r.outcome = any(${outcomes})` : sql``}
    ${hrId === undefined ? sql`` : sql`and r.hr_id = ${hrId}`}`;
  const matching = sql`${ofCompany(companyId, 'r')} and r.sync_key = ${syncKey} ${filter}`;
  const sorted = notableFirst ? sql`(r.outcome <> 'offboarded' and r.code <> 'returned')` : sql`r.id`;
  const all = sql`select r.id, ${sorted} as sorted from sync_records r where ${matching}`;
  const page = pageOf({ rows: all, storedTotal: undefined }, { ...request, sortOrder: 'asc' }, offsetOf(request));
  const { rows } = await sql<SyncRecordRow & PageRow>`
    ${page.found} select n.total, r.id, r.hr_id as "hrId", r.employee_id as "employeeId", r.outcome, r.code, r.detail,
      r.message, r.changes, r.reasons, e.id is not null as "employeeExists"
    from ${page.source} ${recordOfEach(companyId, syncKey)} ${page.order}`.execute(db);
  return toPage(rows);
}

/** Stores a roster until it is applied. A failed one stays for a week, or until the next one (`expireRecords`). */
export async function insertRoster(
  tx: Tx,
  companyId: CompanyId,
  syncKey: number,
  { parts, keys }: Pick<Roster, 'parts' | 'keys'>,
): Promise<void> {
  for (const [part, content] of parts.entries()) {
    const row = { company_id: companyId, sync_key: syncKey, part, content, keys: keys[part] ?? null };
    await tx.insertInto('sync_rosters').values(row).execute();
  }
}

const ofSync = (companyId: CompanyId, syncKey: number) => sql`${ofCompany(companyId, 'r')} and r.sync_key = ${syncKey}`;

async function loadContent(tx: Tx, companyId: CompanyId, syncKey: number, part: number): Promise<Buffer> {
  const { rows } = await sql<{ content: Buffer }>`
    select r.content from sync_rosters r where ${ofSync(companyId, syncKey)} and r.part = ${part}`.execute(tx);
  return rows[0]?.content ?? Buffer.alloc(0);
}

/** Loads the keys of a roster. Its entries are loaded part by part when they are read: most of them are repeated. */
export async function loadRoster(tx: Tx, companyId: CompanyId, syncKey: number): Promise<RosterPart[]> {
  const { rows } = await sql<Pick<RosterPart, 'keys'> & { part: number }>`
    select r.part, r.keys from sync_rosters r where ${ofSync(companyId, syncKey)} order by r.part`.execute(tx);
  return rows.map(({ part, keys }) => ({ keys, readContent: () => loadContent(tx, companyId, syncKey, part) }));
}

export async function deleteRoster(tx: Tx, companyId: CompanyId, syncKey: number): Promise<void> {
  await sql`delete from sync_rosters r where ${ofSync(companyId, syncKey)}`.execute(tx);
}

export async function isRosterStored(db: Db, companyId: CompanyId, syncKey: number): Promise<boolean> {
  const { rows } = await sql`select from sync_rosters r where ${ofSync(companyId, syncKey)} limit 1`.execute(db);
  return rows.length > 0;
}

/** A sync that was accepted and has no outcome yet. */
export interface WaitingSync {
  syncKey: number;
  syncId: string;
  pushedBy: string;
  userId: string | null;
  attempts: number;
  /** The request that pushed the roster. */
  requestId: string | null;
  acceptedAt: string;
  entries: number;
  leftOut?: LeftOut | null;
}

export async function findWaitingSync(db: Db, target: Integration): Promise<WaitingSync | undefined> {
  const { rows } = await sql<WaitingSync>`
    select s.id as "syncKey", s.sync_id as "syncId", s.pushed_by as "pushedBy", s.pushed_by_user as "userId", s.attempts,
      s.request_id as "requestId", s.accepted_at as "acceptedAt", s.entry_count as entries, s.left_out as "leftOut"
    from syncs s where ${ofIntegration(target, 's')} and s.state in ('accepted', 'processing')
    order by s.accepted_at, s.id limit 1`.execute(db);
  return rows[0];
}

export async function markProcessing(tx: Tx, { companyId }: Integration, syncKey: number, now: Temporal.Instant) {
  await sql`update syncs s set state = 'processing', started_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 's')} and s.id = ${syncKey}`.execute(tx);
}
