import { sql } from 'kysely';
import type { SyncOutcome } from '../../domain/enums.ts';
import { createMessage, formatMessage, type Message } from '../../domain/messages/message.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { insertAudit } from '../activity/record.ts';
import { type Integration, lockIntegration } from '../companies/companies.ts';
import { appendEvents } from '../events/append.ts';
import type { Notices } from '../notices/notices.ts';
import { isPulled, pusherOf } from './accept.ts';
import { type Counts, emptyCounts, outcomeOf } from './counts.ts';
import { deleteExplanations } from './explanations.ts';
import { updateRosterDue } from './overdue.ts';
import { deleteRoster, type WaitingSync } from './store.ts';

const findIntegration = (tx: Tx, { companyId, hrIntegrationId }: Integration) =>
  tx
    .selectFrom('hr_integrations as i')
    .select(['i.name', 'i.roster_synced_at as appliedAt'])
    .where(ofCompany(companyId, 'i'))
    .where('i.id', '=', hrIntegrationId)
    .executeTakeFirstOrThrow();

const pageOf = ({ hrIntegrationId }: Integration, syncId: string) =>
  `/integrations/${hrIntegrationId}/syncs/${encodeURIComponent(syncId)}` as const;

/** Tells users that a sync failed: once until a roster is applied again, however many fail meanwhile. */
async function notifyOfFailedSync(tx: Tx, notices: Notices, target: Integration, syncId: string): Promise<void> {
  if (!notices.isConfigured) return;
  const { name, appliedAt } = await findIntegration(tx, target);
  await notices.queueNotices(tx, target.companyId, {
    name: 'sync-failed',
    occasion: `${target.hrIntegrationId}/${appliedAt === null ? 0 : Date.parse(appliedAt)}`,
    page: pageOf(target, syncId),
    valuesIn: () => ({ integration: name }),
  });
}

interface HeldSync {
  syncKey: number;
  syncId: string;
  removals: number;
}

/** Tells users that removals wait for approval. */
async function notifyOfRemovals(
  tx: Tx,
  notices: Notices,
  target: Integration,
  { syncKey, syncId, removals }: HeldSync,
): Promise<void> {
  if (!notices.isConfigured) return;
  const { name } = await findIntegration(tx, target);
  await notices.queueNotices(tx, target.companyId, {
    name: 'removals-waiting',
    occasion: String(syncKey),
    page: pageOf(target, syncId),
    valuesIn: () => ({ integration: name, removals }),
  });
}

/** A sync fails after this many errors inside the service. Losing the database or the worker does not count. */
const maxAttempts = 3;

/**
 * Replaces removals of earlier syncs that are still pending approval. This sync has decided about the same employees.
 * Returns how many waited.
 */
async function replacePendingRemovals(tx: Tx, { companyId, hrIntegrationId }: Integration): Promise<number> {
  const { rows } = await sql<{
    held: number;
  }>`update syncs s set held_state = 'replaced' where ${ofCompany(companyId, 's')}
    and s.hr_integration_id = ${hrIntegrationId} and s.held_state = 'pending'
    returning s.held_count as held`.execute(tx);
  return rows.reduce((sum, { held }) => sum + held, 0);
}

interface CountedSync {
  notices: Notices;
  target: Integration;
  sync: WaitingSync;
  counts: Counts;
  now: Temporal.Instant;
}

/** Reports a sync that has its outcome, and how many removals it leaves to be approved. */
function appendSyncFinished(
  tx: Tx,
  { companyId, hrIntegrationId }: Integration,
  { syncId, status, counts, now }: { syncId: string; status: SyncOutcome; counts: Counts; now: Temporal.Instant },
): void {
  const sync = { syncId, hrIntegrationId };
  appendEvents(tx, companyId, [{ type: 'sync-finished', occurredAt: now, payload: { ...sync, status, counts } }]);
  if (counts.held === 0) return;
  const payload = { ...sync, count: counts.held };
  appendEvents(tx, companyId, [{ type: 'sync-removals-held', occurredAt: now, payload }]);
}

/** Records the outcome of a sync whose roster was applied, and returns it. */
export async function recordOutcome(tx: Tx, { notices, target, sync, counts, now }: CountedSync): Promise<SyncOutcome> {
  const { companyId, hrIntegrationId } = target;
  const outcome = outcomeOf(counts);
  const approvalState = counts.held > 0 ? 'pending' : null;
  const waiting = await replacePendingRemovals(tx, target);
  await sql`
    update syncs s set state = ${outcome}, finished_at = ${now.toString()}::timestamptz, reason = null,
      message = null, left_out = null,
      created_count = ${counts.created}, updated_count = ${counts.updated}, unchanged_count = ${counts.unchanged},
      offboarded_count = ${counts.offboarded}, held_count = ${counts.held}, failed_count = ${counts.failed},
      held_state = ${approvalState}
    where ${ofCompany(companyId, 's')} and s.id = ${sync.syncKey}`.execute(tx);
  await sql`
    update hr_integrations i set last_sync_id = ${sync.syncId}, last_sync_status = ${outcome},
      last_synced_at = ${now.toString()}::timestamptz, roster_sync_id = ${sync.syncId},
      roster_synced_at = ${now.toString()}::timestamptz, updated_at = ${now.toString()}::timestamptz,
      initial_connection_status = case when i.initial_connection_status = 'final-sync-pending' then 'completed'
        else i.initial_connection_status end
    where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId}`.execute(tx);
  await updateRosterDue(tx, target);
  await deleteRoster(tx, companyId, sync.syncKey);
  await deleteExplanations(tx, target, sync.syncId);
  await insertAudit(tx, companyId, {
    actor: pusherOf(sync),
    action: 'sync.apply',
    target: `${hrIntegrationId}/${sync.syncId}`,
    detail: { outcome, ...counts },
    at: now,
  });
  appendSyncFinished(tx, target, { syncId: sync.syncId, status: outcome, counts, now });
  // Says so once, even if the roster is pushed again and again while nobody decides.
  if (counts.held > 0 && counts.held !== waiting) {
    await notifyOfRemovals(tx, notices, target, { ...sync, removals: counts.held });
  }
  return outcome;
}

interface UnreadSync {
  notices: Notices;
  target: Integration;
  syncId: string;
  status: 'failed' | 'authentication-failed';
  explanation: Message;
  pushedBy: string;
  userId: string | null;
  startedAt: Temporal.Instant;
  now: Temporal.Instant;
}

/** Records a sync whose roster could not be read from the HR system. Nothing was applied. */
export async function recordUnreadSync(
  tx: Tx,
  { notices, target, syncId, status, explanation, now, ...sync }: UnreadSync,
): Promise<void> {
  const { companyId, hrIntegrationId } = target;
  const at = now.toString();
  await tx
    .insertInto('syncs')
    .values({
      company_id: companyId,
      hr_integration_id: hrIntegrationId,
      sync_id: syncId,
      state: status,
      reason: formatMessage(explanation),
      message: JSON.stringify(explanation),
      pushed_by: sync.pushedBy,
      pushed_by_user: sync.userId,
      accepted_at: sync.startedAt.toString(),
      started_at: sync.startedAt.toString(),
      finished_at: at,
    })
    .execute();
  await sql`update hr_integrations i set last_sync_id = ${syncId}, last_sync_status = ${status},
      updated_at = ${at}::timestamptz
    where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId}`.execute(tx);
  const actor = { type: 'service', name: null } as const;
  const detail = describeReason(explanation);
  const audit = { action: 'sync.fail', target: `${hrIntegrationId}/${syncId}`, detail, actor, at: now };
  await insertAudit(tx, companyId, audit);
  appendSyncFinished(tx, target, { syncId, status, counts: emptyCounts(), now });
  await notifyOfFailedSync(tx, notices, target, syncId);
}

/**
 * Describes the failure for the operator, who has the logs. Includes only a code, because database messages may quote
 * the roster.
 */
function describeFailure(error: unknown): Message {
  const { code, name } = error as { code?: string; name?: string };
  return createMessage('sync-internal-error', { error: code ?? name ?? 'unknown' });
}

/** Returns the reason for the log of actions, in English and for any language. */
const describeReason = (message: Message) => ({ reason: formatMessage(message), message });

interface FailedSync {
  notices: Notices;
  target: Integration;
  sync: WaitingSync;
  error: unknown;
  now: Temporal.Instant;
}

/**
 * Records an error inside the service. After the last attempt the sync has failed, and the next one can run.
 * Returns whether it has failed.
 */
export async function recordFailure(db: Db, { notices, target, sync, error, now }: FailedSync): Promise<boolean> {
  const { companyId, hrIntegrationId } = target;
  const message = describeFailure(error);
  const hasFailed = sync.attempts + 1 >= maxAttempts;
  await writeCompany(db, companyId, async (tx) => {
    await lockIntegration(tx, target);
    await sql`
      update syncs s set attempts = s.attempts + 1, reason = ${formatMessage(message)},
        message = ${JSON.stringify(message)}::jsonb,
        state = ${hasFailed ? 'failed' : 'accepted'}, finished_at = case when ${hasFailed} then ${now.toString()}::timestamptz end
      where ${ofCompany(companyId, 's')} and s.id = ${sync.syncKey}`.execute(tx);
    if (!hasFailed) return;
    // A roster of the HR system is read again. One that was sent can be applied again as it is.
    if (isPulled(sync)) await deleteRoster(tx, companyId, sync.syncKey);
    await deleteExplanations(tx, target, sync.syncId);
    await sql`
      update hr_integrations i set last_sync_id = ${sync.syncId}, last_sync_status = 'failed',
        updated_at = ${now.toString()}::timestamptz
      where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId}`.execute(tx);
    await insertAudit(tx, companyId, {
      actor: { type: 'service', name: null },
      action: 'sync.fail',
      target: `${hrIntegrationId}/${sync.syncId}`,
      detail: describeReason(message),
      at: now,
    });
    appendSyncFinished(tx, target, { syncId: sync.syncId, status: 'failed', counts: emptyCounts(), now });
    await notifyOfFailedSync(tx, notices, target, sync.syncId);
  });
  return hasFailed;
}
