import { sql } from 'kysely';
import { type Actor, insertAudit } from '../../audit.ts';
import { lockIntegration } from '../../companies.ts';
import { type DailyRunDeps, lockAndCatchUp } from '../../daily-run/run.ts';
import { ofCompany } from '../../db/company-scope.ts';
import type { Db, Tx } from '../../db/database.ts';
import { isDatabaseUnavailable } from '../../db/unavailable.ts';
import type { RecordOutcome, SyncOutcome } from '../../domain/enums.ts';
import { refreshEmployeeCounts } from '../../employees/counts.ts';
import type { Enqueue } from '../../jobs/queue.ts';
import type { SyncTarget } from './accept.ts';
import { type PlannedSlice, planSync, type ReadRosterEntries } from './plan.ts';
import { readEntries } from './roster-parts.ts';
import { writeSlice } from './write.ts';

interface PendingSync {
  id: number;
  sync_id: string;
  pushed_by: string;
  pushed_by_user: string | null;
  attempts: number;
}

/** A sync fails after this many errors inside the service. Losing the database or the worker does not count. */
const maxAttempts = 3;

async function findNext(db: Db, { companyId, hrIntegrationId }: SyncTarget): Promise<PendingSync | undefined> {
  const { rows } = await sql<PendingSync>`
    select s.id, s.sync_id, s.pushed_by, s.pushed_by_user, s.attempts from syncs s
    where ${ofCompany(companyId, 's')} and s.hr_integration_id = ${hrIntegrationId}
      and s.state in ('accepted', 'processing')
    order by s.accepted_at, s.id limit 1`.execute(db);
  return rows[0];
}

const actorOf = ({ pushed_by: key, pushed_by_user: user }: PendingSync): Actor =>
  user === null ? { type: 'key', name: key } : { type: 'user', name: user };

async function markProcessing(
  db: Db,
  { companyId }: SyncTarget,
  syncKey: number,
  now: Temporal.Instant,
): Promise<void> {
  await sql`update syncs s set state = 'processing', started_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 's')} and s.id = ${syncKey}`.execute(db);
}

async function loadRoster(tx: Tx, { companyId }: SyncTarget, syncKey: number): Promise<ReadRosterEntries> {
  const parts = await tx
    .selectFrom('sync_rosters as r')
    .select('r.content')
    .where(ofCompany(companyId, 'r'))
    .where('r.sync_key', '=', syncKey)
    .orderBy('r.part')
    .execute();
  return () => readEntries(parts.map(({ content }) => content));
}

export type Counts = Record<RecordOutcome | 'unchanged', number>;

export const noCounts = (): Counts => ({ created: 0, updated: 0, unchanged: 0, offboarded: 0, held: 0, failed: 0 });

export function addCounts(counts: Counts, { records, unchanged, reworded }: PlannedSlice): void {
  counts.unchanged += unchanged.length + reworded.length;
  for (const { outcome } of records) counts[outcome] += 1;
}

export const outcomeOf = (counts: Counts): SyncOutcome =>
  counts.failed + counts.held > 0 ? 'partially-failed' : 'succeeded';

/**
 * Marks links as absent if they were in the previous roster and are not in this one. They keep the time they were last
 * seen.
 */
async function resolveAbsentLinks(
  tx: Tx,
  { companyId, hrIntegrationId }: SyncTarget,
  linkIds: number[],
): Promise<void> {
  if (linkIds.length === 0) return;
  await sql`
    update hr_links l set is_current = false, last_sync_id = i.roster_sync_id, last_synced_at = i.roster_synced_at
    from hr_integrations i where ${ofCompany(companyId, 'l')} and ${ofCompany(companyId, 'i')}
      and i.id = ${hrIntegrationId} and l.id = any(${linkIds}) and l.is_current`.execute(tx);
}

async function finish(
  tx: Tx,
  target: SyncTarget,
  sync: PendingSync,
  counts: Counts,
  now: Temporal.Instant,
): Promise<void> {
  const { companyId, hrIntegrationId } = target;
  const outcome = outcomeOf(counts);
  await sql`update syncs s set held_state = 'replaced' where ${ofCompany(companyId, 's')}
    and s.hr_integration_id = ${hrIntegrationId} and s.held_state = 'pending'`.execute(tx);
  await sql`
    update syncs s set state = ${outcome}, finished_at = ${now.toString()}::timestamptz, reason = null,
      created_count = ${counts.created}, updated_count = ${counts.updated}, unchanged_count = ${counts.unchanged},
      offboarded_count = ${counts.offboarded}, held_count = ${counts.held}, failed_count = ${counts.failed},
      held_state = ${counts.held > 0 ? 'pending' : null}
    where ${ofCompany(companyId, 's')} and s.id = ${sync.id}`.execute(tx);
  await sql`
    update hr_integrations i set last_sync_id = ${sync.sync_id}, last_sync_status = ${outcome},
      last_synced_at = ${now.toString()}::timestamptz, roster_sync_id = ${sync.sync_id},
      roster_synced_at = ${now.toString()}::timestamptz, updated_at = ${now.toString()}::timestamptz,
      initial_connection_status = case when i.initial_connection_status = 'final-sync-pending' then 'completed'
        else i.initial_connection_status end
    where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId}`.execute(tx);
  await sql`delete from sync_rosters r where ${ofCompany(companyId, 'r')} and r.sync_key = ${sync.id}`.execute(tx);
  await insertAudit(tx, companyId, {
    actor: actorOf(sync),
    action: 'sync.apply',
    target: `${hrIntegrationId}/${sync.sync_id}`,
    detail: { outcome, ...counts },
    at: now,
  });
}

/** Applies the whole roster, or nothing of it. */
async function applyOne(tx: Tx, deps: DailyRunDeps, target: SyncTarget, sync: PendingSync, signal?: AbortSignal) {
  const { clock, queue } = deps;
  const { company, today } = await lockAndCatchUp(tx, deps, target.companyId);
  const read = await loadRoster(tx, target, sync.id);
  const plan = await planSync({ db: tx, target, company, today, missedDays: [] }, read);
  await resolveAbsentLinks(tx, target, plan.absentLinkIds);
  await releaseHrIds(tx, target, plan.releasedLinkIds);
  await releaseEmails(tx, target, plan.movingIds);
  const now = clock.now();
  const changeContext = { actor: actorOf(sync), syncKey: sync.id, now, removedAt: now };
  const writing = { target, company, syncKey: sync.id, changeContext };
  const counts = noCounts();
  let documents = 0;
  for await (const slice of plan.slices) {
    signal?.throwIfAborted();
    documents += await writeSlice(tx, writing, slice);
    addCounts(counts, slice);
  }
  if (counts.created + counts.updated + counts.offboarded > 0) await refreshEmployeeCounts(tx, target.companyId);
  if (documents > 0) await queue.enqueueDocuments(tx, target.companyId, null);
  await finish(tx, target, sync, counts, clock.now());
}

/** Deletes links whose HR id now belongs to another employee, so that the id no longer leads to its former holder. */
async function releaseHrIds(tx: Tx, { companyId }: SyncTarget, linkIds: number[]): Promise<void> {
  if (linkIds.length === 0) return;
  await sql`delete from hr_links l where ${ofCompany(companyId, 'l')} and l.id = any(${linkIds})`.execute(tx);
}

/**
 * Replaces the email keys with placeholders. Two employees may swap their addresses, which no order of single updates
 * allows. The final keys are written later.
 */
async function releaseEmails(tx: Tx, { companyId }: SyncTarget, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`update employees e set email_key = 'moving ' || e.id where ${ofCompany(companyId, 'e')}
    and e.id = any(${ids})`.execute(tx);
}

/**
 * Describes the failure for the operator, who has the logs. Includes only a code, because database messages may quote
 * the roster.
 */
function describeFailure(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  return `Nothing was applied: error ${code ?? name} inside the service. Its log has the details under this syncId.`;
}

/** Records an error inside the service. After the last attempt the sync has failed, and the next one can run. */
async function recordFailure(
  db: Db,
  target: SyncTarget,
  sync: PendingSync,
  reason: string,
  now: Temporal.Instant,
): Promise<void> {
  const { companyId, hrIntegrationId } = target;
  await db.transaction().execute(async (tx) => {
    await lockIntegration(tx, target);
    const hasFailed = sync.attempts + 1 >= maxAttempts;
    await sql`
      update syncs s set attempts = s.attempts + 1, reason = ${reason},
        state = ${hasFailed ? 'failed' : 'accepted'}, finished_at = case when ${hasFailed} then ${now.toString()}::timestamptz end
      where ${ofCompany(companyId, 's')} and s.id = ${sync.id}`.execute(tx);
    if (!hasFailed) return;
    await sql`delete from sync_rosters r where ${ofCompany(companyId, 'r')} and r.sync_key = ${sync.id}`.execute(tx);
    await sql`
      update hr_integrations i set last_sync_id = ${sync.sync_id}, last_sync_status = 'failed',
        updated_at = ${now.toString()}::timestamptz
      where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId}`.execute(tx);
    await insertAudit(tx, companyId, {
      actor: { type: 'service', name: null },
      action: 'sync.fail',
      target: `${hrIntegrationId}/${sync.sync_id}`,
      detail: { reason },
      at: now,
    });
  });
}

export interface ApplyDeps {
  db: Db;
  deps: DailyRunDeps;
  queue: Pick<Enqueue, 'enqueueSync'>;
  /** Requests a stop: the sync in progress is rolled back, and the next worker starts it again. */
  signal: AbortSignal;
  onError: (error: unknown, sync: SyncTarget & { syncId: string }) => void;
}

/** Applies one sync. A sync that fails inside the service waits for a retry, unless this was the last attempt. */
async function applyPending({ deps, signal, onError }: ApplyDeps, db: Db, target: SyncTarget, sync: PendingSync) {
  await markProcessing(db, target, sync.id, deps.clock.now());
  try {
    await db.transaction().execute((tx) => applyOne(tx, deps, target, sync, signal));
  } catch (error) {
    if (isDatabaseUnavailable(error) || signal.aborted) throw error;
    onError(error, { ...target, syncId: sync.sync_id });
    await recordFailure(db, target, sync, describeFailure(error), deps.clock.now());
  }
}

/**
 * Enqueues a job for the next waiting sync. That sync has its own job, but the job may be lost. A surplus job finds
 * nothing to do.
 */
const addJob = ({ queue }: ApplyDeps, db: Db, { companyId, hrIntegrationId }: SyncTarget) =>
  db.transaction().execute((tx) => queue.enqueueSync(tx, companyId, hrIntegrationId));

/**
 * Applies the oldest waiting sync of an integration until it has an outcome. Every waiting sync has its own job, so
 * that an integration that pushes continuously does not block others. Concurrent callers wait for the lock, which the
 * database releases if this process dies.
 */
export async function applySyncs(parts: ApplyDeps, target: SyncTarget): Promise<void> {
  const lockName = `sync ${target.companyId} ${target.hrIntegrationId}`;
  await parts.db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(hashtextextended(${lockName}, 0))`.execute(connection);
    try {
      const oldest = await findNext(connection, target);
      let sync = oldest;
      for (; sync && sync.id === oldest?.id; sync = await findNext(connection, target)) {
        await applyPending(parts, connection, target, sync);
      }
      if (sync) await addJob(parts, connection, target);
    } finally {
      // If the connection is lost, the lock is already released.
      await sql`select pg_advisory_unlock(hashtextextended(${lockName}, 0))`.execute(connection).catch(() => {});
    }
  });
}

/** Applies the oldest waiting sync in the caller's transaction, for callers that push and apply in one transaction. */
export async function applyNextSync(tx: Tx, deps: DailyRunDeps, target: SyncTarget): Promise<void> {
  const sync = await findNext(tx, target);
  if (sync === undefined) return;
  await markProcessing(tx, target, sync.id, deps.clock.now());
  await applyOne(tx, deps, target, sync);
}
