import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts';
import { writeCompany, writeShared } from '../../platform/db/write.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import type { Integration } from '../companies/companies.ts';
import type { DailyRunDeps } from '../daily-run/run.ts';
import { type AppliedSync, applySync } from './apply.ts';
import { recordFailure } from './outcome.ts';
import { findWaitingSync, markProcessing, type WaitingSync } from './store.ts';

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
  purpose: 'sync' | 'pull',
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
