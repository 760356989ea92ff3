import { type Selectable, sql } from 'kysely';
import type { RecordOutcome } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { offsetOf, type Page, type PageRequest, type PageRow, pageOf, toPage } from '../../platform/db/page.ts';
import type { SyncRecordsTable, SyncsTable } from '../../platform/db/types.gen.ts';
import type { SyncTarget } from './target.ts';

type SyncColumnsNotShown =
  | 'company_id'
  | 'hr_integration_id'
  | 'content_hash'
  | 'attempts'
  | 'pushed_by_user'
  | 'decided_by_user'
  | 'held_state'
  | 'left_out';
export type SyncRow = Omit<Selectable<SyncsTable>, SyncColumnsNotShown> & {
  approval_state: Selectable<SyncsTable>['held_state'];
};

const columns = sql`s.id, s.sync_id, s.state, s.pushed_by, s.accepted_at, s.started_at, s.finished_at, s.entry_count,
  s.reason, s.message, s.created_count, s.updated_count, s.unchanged_count, s.offboarded_count, s.held_count, s.failed_count,
  s.held_state as approval_state, s.decided_by, s.decided_at, s.warnings, s.file_name`;

const ofIntegration = ({ companyId, hrIntegrationId }: SyncTarget) =>
  sql`${ofCompany(companyId, 's')} and s.hr_integration_id = ${hrIntegrationId}`;

/** Returns the newest syncs first. A failed sync that was pushed again is sorted by the time of the new push. */
export async function listSyncs(db: Db, target: SyncTarget, request: PageRequest): Promise<Page<SyncRow>> {
  const all = sql`select s.id, s.accepted_at as sorted from syncs s where ${ofIntegration(target)}`;
  const page = pageOf({ rows: all, storedTotal: undefined }, { ...request, sortOrder: 'desc' }, offsetOf(request));
  const { rows } = await sql<SyncRow & PageRow>`
    ${page.found} select n.total, ${columns} from ${page.source}
    left join syncs s on ${ofCompany(target.companyId, 's')} and s.id = p.id ${page.order}`.execute(db);
  return toPage(rows);
}

export async function findSync(db: Db, target: SyncTarget, syncId: string): Promise<SyncRow | undefined> {
  const { rows } = await sql<SyncRow>`
    select ${columns} from syncs s where ${ofIntegration(target)} and s.sync_id = ${syncId}`.execute(db);
  return rows[0];
}

export type SyncRecordRow = Omit<Selectable<SyncRecordsTable>, 'company_id' | 'sync_key'> & {
  /** Whether the employee still exists. */
  employee_exists: boolean;
};

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

export async function listSyncRecords(
  db: Db,
  { companyId }: SyncTarget,
  syncKey: number,
  request: PageRequest & { outcomes?: readonly RecordOutcome[] | undefined; hrId?: string | undefined },
): Promise<Page<SyncRecordRow>> {
  const { outcomes, hrId } = request;
  const filter = sql`${outcomes ? sql`and r.outcome = any(${outcomes})` : sql``}
    ${hrId === undefined ? sql`` : sql`and r.hr_id = ${hrId}`}`;
  const matching = sql`${ofCompany(companyId, 'r')} and r.sync_key = ${syncKey} ${filter}`;
  const all = sql`select r.id, r.id as sorted from sync_records r where ${matching}`;
  const page = pageOf({ rows: all, storedTotal: undefined }, { ...request, sortOrder: 'asc' }, offsetOf(request));
  const { rows } = await sql<SyncRecordRow & PageRow>`
    ${page.found} select n.total, r.id, r.hr_id, r.employee_id, r.outcome, r.code, r.detail, r.message, r.changes,
      r.reasons, e.id is not null as employee_exists
    from ${page.source} ${recordOfEach(companyId, syncKey)} ${page.order}`.execute(db);
  return toPage(rows);
}
