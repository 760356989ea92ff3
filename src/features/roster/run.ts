import { sql } from 'kysely';
import { service } from '../../domain/actor.ts';
import type { SyncOutcome } from '../../domain/enums.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts';
import { writeCompany, writeShared } from '../../platform/db/write.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import { loadEffectPrices } from '../billing/prices.ts';
import { createEffectSum } from '../billing/rules/effects.ts';
import type { Integration } from '../companies/companies.ts';
import { type DailyRunDeps, lockAndCatchUp, type ProcessedDay } from '../daily-run/run.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { inviteNewcomers } from '../joining/invite.ts';
import { isProvisioned, pusherOf } from './accept.ts';
import { addCounts, type Counts, effectsOf, emptyCounts, publishProgress } from './counts.ts';
import { loadEarlierRemovals } from './earlier-removals.ts';
import { explainRecord, loadExplanations } from './explanations.ts';
import { recordFailure, recordOutcome } from './outcome.ts';
import { type PlannedRecord, planSync } from './plan.ts';
import { findWaitingSync, loadRoster, markProcessing, type WaitingSync } from './store.ts';
import { deleteLinks, writeSlice } from './write.ts';

/** Marks links that are missing from this roster. They keep the time they were last seen. */
async function markAbsentLinks(tx: Tx, { companyId, hrIntegrationId }: Integration, linkIds: number[]): Promise<void> {
  if (linkIds.length === 0) return;
  await sql`
    update hr_links l set is_current = false, last_sync_id = i.roster_sync_id, last_synced_at = i.roster_synced_at
    from hr_integrations i where ${ofCompany(companyId, 'l')} and ${ofCompany(companyId, 'i')}
      and i.id = ${hrIntegrationId} and l.id = any(${linkIds}) and l.is_current`.execute(tx);
}

/** Replaces email keys by placeholders: two employees may swap addresses, which no order of updates allows. */
async function releaseEmails(tx: Tx, { companyId }: Integration, employeeIds: number[]): Promise<void> {
  if (employeeIds.length === 0) return;
  await sql`update employees e set email_key = 'moving ' || e.id where ${ofCompany(companyId, 'e')}
    and e.id = any(${employeeIds})`.execute(tx);
}

interface AppliedSync {
  outcome: SyncOutcome;
  counts: Counts;
  /** Days that the daily run had missed, and that were processed first. */
  missedDays: ProcessedDay[];
}

/** Applies the whole roster of a sync, or nothing of it, and records the outcome. `signal`: stops between two slices. */
async function applySync(
  tx: Tx,
  deps: DailyRunDeps,
  { target, sync, signal }: { target: Integration; sync: WaitingSync; signal?: AbortSignal },
): Promise<AppliedSync> {
  const { companyId, hrIntegrationId } = target;
  const { syncKey } = sync;
  const { company, today, missedDays } = await lockAndCatchUp(tx, deps, companyId);
  const earlier = isProvisioned(sync) ? await loadEarlierRemovals(tx, target, sync, deps.clock.now()) : undefined;
  const context = { db: tx, target, company, today, missedDays: [], leftOut: sync.leftOut ?? undefined, earlier };
  const plan = await planSync(context, await loadRoster(tx, companyId, syncKey));
  await markAbsentLinks(tx, target, plan.absentLinkIds);
  await deleteLinks(tx, companyId, plan.releasedLinkIds);
  await releaseEmails(tx, target, plan.movingIds);
  const now = deps.clock.now();
  const explanations = await loadExplanations(tx, target, sync.syncId);
  const explain = (record: PlannedRecord) => explainRecord(record, explanations, today);
  const changeContext = { actor: pusherOf(sync), syncKey, hrIntegrationId, now, removedAt: now };
  const counts = emptyCounts();
  const sum = createEffectSum(await loadEffectPrices(tx, companyId, { today, hrIntegrationId }));
  let documents = 0;
  for await (const slice of plan.slices) {
    signal?.throwIfAborted();
    documents += await writeSlice(tx, { target, company, syncKey, changeContext, explain }, slice);
    addCounts(counts, slice);
    sum.add(effectsOf(slice.records));
    await publishProgress(tx, { companyId, syncKey }, counts);
  }
  if (counts.created + counts.updated + counts.offboarded > 0) await refreshEmployeeCounts(tx, companyId);
  if (documents > 0) await deps.queue.enqueueDocuments(tx, companyId, null);
  const by = { actor: service, at: now };
  await inviteNewcomers(tx, { company, employeeMails: deps.employeeMails, today, by });
  const ended = { notices: deps.notices, target, sync, now: deps.clock.now() };
  const outcome = await recordOutcome(tx, { ...ended, counts, effects: sum.total() });
  return { outcome, counts, missedDays };
}

interface Attempt {
  target: Integration;
  sync: WaitingSync;
  /** How long the sync had waited before this attempt began. */
  waitedMillis: number;
  millis: number;
}

/** Learns of every attempt to apply a sync, after its transaction has ended. */
export interface SyncReport {
  applied(attempt: Attempt, result: AppliedSync): void;
  failed(attempt: Attempt, error: unknown, willRetry: boolean): void;
}

export interface RunSyncsDeps {
  db: Db;
  deps: DailyRunDeps;
  queue: Pick<Enqueue, 'enqueueSync'>;
  /** Requests a stop: the sync in progress is rolled back, and the next worker starts it again. */
  signal: AbortSignal;
  report: SyncReport;
}

/** Applies one sync. A sync that fails inside the service waits for a retry, unless this was the last attempt. */
async function tryToApply(
  { deps, signal, report }: RunSyncsDeps,
  db: Db,
  target: Integration,
  sync: WaitingSync,
): Promise<void> {
  const now = deps.clock.now();
  const start = performance.now();
  const waitedMillis = now.epochMilliseconds - Temporal.Instant.from(sync.acceptedAt).epochMilliseconds;
  const attempt = () => ({ target, sync, waitedMillis, millis: performance.now() - start });
  await writeCompany(db, target.companyId, (tx) => markProcessing(tx, target, sync.syncKey, now));
  try {
    const result = await writeCompany(db, target.companyId, (tx) => applySync(tx, deps, { target, sync, signal }));
    report.applied(attempt(), result);
  } catch (error) {
    if (isDatabaseUnavailable(error) || signal.aborted) throw error;
    const hasFailed = await recordFailure(db, { notices: deps.notices, target, sync, error, now: deps.clock.now() });
    report.failed(attempt(), error, !hasFailed);
  }
}

/** The next sync has its own job, but that may be lost. A surplus job finds nothing to do. */
const enqueueNext = ({ queue }: RunSyncsDeps, db: Db, { companyId, hrIntegrationId }: Integration) =>
  writeShared(db, (tx) => queue.enqueueSync(tx, companyId, hrIntegrationId));

/**
 * Holds a lock of an integration while `work` runs, on one connection. Concurrent callers wait. The database releases it
 * if this process dies.
 */
export const withIntegrationLock = <T>(
  db: Db,
  purpose: 'sync' | 'pull' | 'scim',
  { companyId, hrIntegrationId }: Integration,
  work: (connection: Db) => Promise<T>,
): Promise<T> =>
  db.connection().execute(async (connection) => {
    const lockName = `${purpose} ${companyId} ${hrIntegrationId}`;
    await sql`select pg_advisory_lock(hashtextextended(${lockName}, 0))`.execute(connection);
    try {
      return await work(connection);
    } finally {
      // If the connection is lost, the lock is already released.
      await sql`select pg_advisory_unlock(hashtextextended(${lockName}, 0))`.execute(connection).catch(() => {});
    }
  });

/** Applies one sync per job, so that an integration that pushes continuously does not block others. */
export const runOldestSync = (deps: RunSyncsDeps, target: Integration): Promise<void> =>
  withIntegrationLock(deps.db, 'sync', target, async (connection) => {
    const oldest = await findWaitingSync(connection, target);
    let sync = oldest;
    for (; sync && sync.syncKey === oldest?.syncKey; sync = await findWaitingSync(connection, target)) {
      await tryToApply(deps, connection, target, sync);
    }
    if (sync) await enqueueNext(deps, connection, target);
  });

/** Applies the oldest waiting sync in the caller's transaction, for callers that push and apply in one transaction. */
export async function applyOldestSync(tx: Tx, deps: DailyRunDeps, target: Integration): Promise<void> {
  const sync = await findWaitingSync(tx, target);
  if (sync === undefined) return;
  await markProcessing(tx, target, sync.syncKey, deps.clock.now());
  await applySync(tx, deps, { target, sync });
}
