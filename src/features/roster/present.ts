import type { Db } from '../../platform/db/database.ts';
import type { Links } from '../../platform/http/links.ts';
import { presentOptionalTimestamp, presentTimestamp } from '../../platform/http/view.ts';
import { listKeyNames } from '../activity/actor-names.ts';
import type { Integration } from '../companies/companies.ts';
import type { ExplainedRecord, ExplainedSync, Sync, SyncRecord, SyncWarning } from './contract.ts';
import { describeWarning, type RosterWarning } from './rules/warnings.ts';
import type { SyncRecordRow, SyncRow } from './store.ts';

const duration = (from: string | null, to: string | null) =>
  from === null || to === null
    ? null
    : Math.round(Temporal.Instant.from(from).until(Temporal.Instant.from(to)).total('milliseconds'));

export const presentWarnings = (warnings: readonly RosterWarning[]): SyncWarning[] =>
  warnings.map((warning) => ({ ...warning, detail: describeWarning(warning) }));

export function presentSync(row: SyncRow, hrIntegrationId: number, links: Links): Sync {
  const { syncId, state, reason, pushedBy, startedAt, finishedAt, entries, counts, heldRemovals } = row;
  const { decidedBy, decidedAt } = row;
  const isDecided = (decision: Sync['heldRemovals']) => heldRemovals === decision;
  return {
    syncId,
    state,
    reason,
    pushedBy,
    acceptedAt: presentTimestamp(row.acceptedAt),
    startedAt: presentOptionalTimestamp(startedAt),
    finishedAt: presentOptionalTimestamp(finishedAt),
    durationMs: duration(startedAt, finishedAt),
    entries,
    counts,
    heldRemovals,
    approvedBy: isDecided('approved') ? decidedBy : null,
    approvedAt: isDecided('approved') ? presentOptionalTimestamp(decidedAt) : null,
    rejectedBy: isDecided('rejected') ? decidedBy : null,
    rejectedAt: isDecided('rejected') ? presentOptionalTimestamp(decidedAt) : null,
    warnings: presentWarnings(row.warnings),
    resource: 'sync',
    _links: {
      self: links.sync(hrIntegrationId, syncId),
      records: links.syncRecords(hrIntegrationId, syncId),
      hrIntegration: links.hrIntegration(hrIntegrationId),
    },
  };
}

export const presentExplainedRecord = (row: Omit<SyncRecordRow, 'id' | 'employeeExists'>): ExplainedRecord => ({
  hrId: row.hrId,
  employeeId: row.employeeId,
  outcome: row.outcome,
  code: row.code,
  detail: row.detail,
  message: row.message,
  changes: row.changes,
  reasons: row.reasons.map(({ message, ...reason }) => ({ ...reason, message: message ?? null })),
  resource: 'sync-record',
});

/** Returns a record as the public API shows it. */
export const withoutMessages = ({ message: _, reasons, ...record }: ExplainedRecord): Omit<SyncRecord, '_links'> => ({
  ...record,
  reasons: reasons.map(({ message: _message, ...reason }) => reason),
});

export const presentSyncRecord = (
  row: SyncRecordRow,
  { hrIntegrationId, syncId }: Integration & { syncId: string },
  links: Links,
): SyncRecord => ({
  ...withoutMessages(presentExplainedRecord(row)),
  _links: {
    self: links.syncRecord(hrIntegrationId, syncId, row.hrId),
    sync: links.sync(hrIntegrationId, syncId),
    ...(row.employeeExists && row.employeeId !== null ? { employee: links.employee(row.employeeId) } : {}),
  },
});

/** Returns a function that presents these syncs, with the names of the keys that pushed them. */
export async function createSyncPresenter(
  db: Db,
  { companyId, hrIntegrationId }: Integration,
  rows: readonly SyncRow[],
) {
  const names = await listKeyNames(db, companyId, [...new Set(rows.map((row) => row.pushedBy))]);
  return (row: SyncRow, links: Links): ExplainedSync => ({
    ...presentSync(row, hrIntegrationId, links),
    message: row.message,
    fileName: row.fileName,
    keyName: names.get(row.pushedBy) ?? null,
    effects: row.effects,
  });
}
