import type { Static } from 'typebox';
import type { Message } from '../../domain/messages/message.ts';
import type { Db } from '../../platform/db/database.ts';
import type { Links } from '../../platform/http/links.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../platform/http/view.ts';
import { listKeyNames } from '../activity/actor-names.ts';
import type { Integration } from '../companies/companies.ts';
import type { ExplainedRecord, ExplainedSyncSchema, Sync, SyncRecord, SyncWarning } from './contract.ts';
import { describeWarning, type RosterWarning } from './rules/warnings.ts';
import type { SyncRecordRow, SyncRow } from './store.ts';

const duration = (from: string | null, to: string | null) =>
  from === null || to === null
    ? null
    : Math.round(Temporal.Instant.from(from).until(Temporal.Instant.from(to)).total('milliseconds'));

/** Returns who made this decision on pending removals, and when. Returns nulls if another decision or none was made. */
const decided = (row: SyncRow, decision: 'approved' | 'rejected') =>
  row.approval_state === decision
    ? { by: row.decided_by, at: presentOptionalTimestamp(row.decided_at) }
    : { by: null, at: null };

export const presentWarnings = (warnings: readonly RosterWarning[]): SyncWarning[] =>
  warnings.map(({ code, field, count, pointer, hrId, records }) => ({
    code,
    field,
    count,
    pointer,
    hrId,
    detail: describeWarning({ code, field }),
    records: records.map((record) => ({ hrId: record.hrId, pointer: record.pointer })),
  }));

export const presentCounts = (row: SyncRow): Sync['counts'] => ({
  created: row.created_count,
  updated: row.updated_count,
  unchanged: row.unchanged_count,
  offboarded: row.offboarded_count,
  held: row.held_count,
  failed: row.failed_count,
});

export const presentSync = (row: SyncRow, hrIntegrationId: number, links: Links): Sync => ({
  syncId: row.sync_id,
  state: row.state,
  reason: row.reason,
  pushedBy: row.pushed_by,
  acceptedAt: presentTimestamp(row.accepted_at),
  startedAt: presentOptionalTimestamp(row.started_at),
  finishedAt: presentOptionalTimestamp(row.finished_at),
  durationMs: duration(row.started_at, row.finished_at),
  entries: row.entry_count,
  counts: presentCounts(row),
  heldRemovals: row.approval_state,
  approvedBy: decided(row, 'approved').by,
  approvedAt: decided(row, 'approved').at,
  rejectedBy: decided(row, 'rejected').by,
  rejectedAt: decided(row, 'rejected').at,
  warnings: presentWarnings(row.warnings as RosterWarning[]),
  resource: 'sync',
  _links: {
    self: links.sync(hrIntegrationId, row.sync_id),
    records: links.syncRecords(hrIntegrationId, row.sync_id),
    hrIntegration: links.hrIntegration(hrIntegrationId),
  },
});

const presentRecord = (row: Omit<SyncRecordRow, 'id' | 'employee_exists'>): Omit<SyncRecord, '_links'> => ({
  hrId: row.hr_id,
  employeeId: row.employee_id,
  outcome: row.outcome,
  code: row.code,
  detail: row.detail,
  changes: (row.changes as SyncRecord['changes']).map(({ field, from, to }) => ({ field, from, to })),
  reasons: (row.reasons as SyncRecord['reasons']).map(({ cause, rule, detail, effectiveAt }) => ({
    cause,
    rule,
    detail,
    effectiveAt,
  })),
  resource: 'sync-record',
});

export function presentSyncRecord(
  row: SyncRecordRow,
  sync: Integration & { syncId: string },
  links: Links,
): SyncRecord {
  const record = presentRecord(row);
  return {
    ...record,
    _links: {
      self: links.syncRecord(sync.hrIntegrationId, sync.syncId, record.hrId),
      sync: links.sync(sync.hrIntegrationId, sync.syncId),
      ...(row.employee_exists && row.employee_id !== null ? { employee: links.employee(row.employee_id) } : {}),
    },
  };
}

export function presentExplainedRecord(row: Omit<SyncRecordRow, 'id' | 'employee_exists'>): ExplainedRecord {
  const stored = row.reasons as { message?: Message }[];
  const { reasons, ...record } = presentRecord(row);
  return {
    ...record,
    message: row.message as Message | null,
    reasons: reasons.map((reason, index) => ({
      ...reason,
      message: stored[index]?.message ?? null,
    })),
  };
}

/** Returns a function that presents these syncs, with the names of the keys that pushed them. */
export async function createSyncPresenter(
  db: Db,
  { companyId, hrIntegrationId }: Integration,
  rows: readonly SyncRow[],
) {
  const names = await listKeyNames(db, companyId, [...new Set(rows.map((row) => row.pushed_by))]);
  return (row: SyncRow, links: Links): Static<typeof ExplainedSyncSchema> => ({
    ...presentSync(row, hrIntegrationId, links),
    message: row.message as Message | null,
    fileName: row.file_name,
    keyName: names.get(row.pushed_by) ?? null,
  });
}
