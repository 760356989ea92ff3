import { sql } from 'kysely';
import { service } from '../../domain/actor.ts';
import type { SyncOutcome } from '../../domain/enums.ts';
import { createMessage, formatMessage, type Message } from '../../domain/messages/message.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { insertAudit } from '../activity/record.ts';
import type { Effects } from '../billing/contract.ts';
import { type Integration, lockIntegration, ofIntegration } from '../companies/companies.ts';
import { appendEvents } from '../events/append.ts';
import type { Notices } from '../notices/notices.ts';
import { isProvisioned, isPulled, pusherOf } from './accept.ts';
import { type Counts, emptyCounts, outcomeOf } from './counts.ts';
import { deleteExplanations } from './explanations.ts';
import { updateRosterDue } from './overdue.ts';
import { deleteRoster, type WaitingSync } from './store.ts';

/** A sync fails after this many errors inside the service. Losing the database or the worker does not count. */
const maxAttempts = 3;

interface Ended {
  notices: Notices;
  target: Integration;
  now: Temporal.Instant;
}

const findIntegration = (tx: Tx, { companyId, hrIntegrationId }: Integration) =>
  tx
    .selectFrom('hr_integrations as i')
    .select(['i.name', 'i.roster_synced_at as appliedAt'])
    .where(ofCompany(companyId, 'i'))
    .where('i.id', '=', hrIntegrationId)
    .executeTakeFirstOrThrow();

const pageOf = ({ hrIntegrationId }: Integration, syncId: string) =>
  `/integrations/${hrIntegrationId}/syncs/${encodeURIComponent(syncId)}` as const;

/** Replaces removals of earlier syncs that are pending: this sync decides about the same employees. Returns how many. */
async function replacePendingRemovals(tx: Tx, target: Integration): Promise<number> {
  const { rows } = await sql<{ held: number }>`
    update syncs s set held_state = 'replaced' where ${ofIntegration(target, 's')} and s.held_state = 'pending'
    returning s.held_count as held`.execute(tx);
  return rows.reduce((sum, { held }) => sum + held, 0);
}

/** Reports a sync that has its outcome, and how many removals it leaves to be approved. */
function appendSyncFinished(
  tx: Tx,
  { target: { companyId, hrIntegrationId }, now: occurredAt }: Ended,
  { syncId, status, counts }: { syncId: string; status: SyncOutcome; counts: Counts },
): void {
  const sync = { syncId, hrIntegrationId };
  appendEvents(tx, companyId, [{ type: 'sync-finished', occurredAt, payload: { ...sync, status, counts } }]);
  if (counts.held === 0) return;
  const payload = { ...sync, count: counts.held };
  appendEvents(tx, companyId, [{ type: 'sync-removals-held', occurredAt, payload }]);
}

export async function recordOutcome(
  tx: Tx,
  { sync, counts, effects, ...ended }: Ended & { sync: WaitingSync; counts: Counts; effects: Effects },
): Promise<SyncOutcome> {
  const { notices, target, now } = ended;
  const { companyId, hrIntegrationId } = target;
  const { syncKey, syncId } = sync;
  const outcome = outcomeOf(counts);
  const at = sql`${now.toString()}::timestamptz`;
  const waiting = await replacePendingRemovals(tx, target);
  await sql`
    update syncs s set state = ${outcome}, finished_at = ${at}, reason = null, message = null, left_out = null,
      created_count = ${counts.created}, updated_count = ${counts.updated}, unchanged_count = ${counts.unchanged},
      offboarded_count = ${counts.offboarded}, held_count = ${counts.held}, failed_count = ${counts.failed},
      held_state = ${counts.held > 0 ? 'pending' : null}, effects = ${JSON.stringify(effects)}::jsonb
    where ${ofCompany(companyId, 's')} and s.id = ${syncKey}`.execute(tx);
  await sql`
    update hr_integrations i set last_sync_id = ${syncId}, last_sync_status = ${outcome}, last_synced_at = ${at},
      roster_sync_id = ${syncId}, roster_synced_at = ${at}, updated_at = ${at},
      initial_connection_status = case when i.initial_connection_status = 'final-sync-pending' then 'completed'
        else i.initial_connection_status end
    where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId}`.execute(tx);
  await updateRosterDue(tx, target, isProvisioned(sync));
  await deleteRoster(tx, companyId, syncKey);
  await deleteExplanations(tx, target, syncId);
  await insertAudit(tx, companyId, {
    actor: pusherOf(sync),
    action: 'sync.apply',
    target: `${hrIntegrationId}/${syncId}`,
    detail: { outcome, ...counts },
    at: now,
  });
  appendSyncFinished(tx, ended, { syncId, status: outcome, counts });
  // Says so once, even if the roster is pushed again and again while nobody decides, or users leave one by one.
  const isNew = isProvisioned(sync) ? waiting === 0 : counts.held !== waiting;
  if (notices.isConfigured && counts.held > 0 && isNew) {
    const { name } = await findIntegration(tx, target);
    await notices.queueNotices(tx, companyId, {
      name: 'removals-waiting',
      occasion: String(syncKey),
      page: pageOf(target, syncId),
      valuesIn: () => ({ integration: name, removals: counts.held }),
    });
  }
  return outcome;
}

interface Failure {
  syncId: string;
  status: 'failed' | 'authentication-failed';
  explanation: Message;
}

/** Records that a sync failed as a whole. Tells users once until a roster is applied again, however many fail. */
async function recordFailed(tx: Tx, ended: Ended, { syncId, status, explanation }: Failure): Promise<void> {
  const { notices, target, now } = ended;
  const { companyId, hrIntegrationId } = target;
  await sql`update hr_integrations i set last_sync_id = ${syncId}, last_sync_status = ${status},
      updated_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId}`.execute(tx);
  await insertAudit(tx, companyId, {
    actor: service,
    action: 'sync.fail',
    target: `${hrIntegrationId}/${syncId}`,
    detail: { reason: formatMessage(explanation), message: explanation },
    at: now,
  });
  appendSyncFinished(tx, ended, { syncId, status, counts: emptyCounts() });
  if (!notices.isConfigured) return;
  const { name, appliedAt } = await findIntegration(tx, target);
  await notices.queueNotices(tx, companyId, {
    name: 'sync-failed',
    occasion: `${hrIntegrationId}/${appliedAt === null ? 0 : Date.parse(appliedAt)}`,
    page: pageOf(target, syncId),
    valuesIn: () => ({ integration: name }),
  });
}

interface UnreadSync extends Ended, Failure {
  pushedBy: string;
  startedAt: Temporal.Instant;
}

/** Records a sync whose roster could not be read from the HR system. Nothing was applied. */
export async function recordUnreadSync(tx: Tx, { pushedBy, startedAt, ...unread }: UnreadSync): Promise<void> {
  const { target, syncId, status, explanation, now } = unread;
  await tx
    .insertInto('syncs')
    .values({
      company_id: target.companyId,
      hr_integration_id: target.hrIntegrationId,
      sync_id: syncId,
      state: status,
      reason: formatMessage(explanation),
      message: JSON.stringify(explanation),
      pushed_by: pushedBy,
      accepted_at: startedAt.toString(),
      started_at: startedAt.toString(),
      finished_at: now.toString(),
    })
    .execute();
  await recordFailed(tx, unread, unread);
}

/** Describes the failure for the operator, who has the logs. Only by a code: database messages may quote the roster. */
function describeFailure(error: unknown): Message {
  const { code, name } = error as { code?: string; name?: string };
  return createMessage('sync-internal-error', { error: code ?? name ?? 'unknown' });
}

/** Records an error inside the service. Returns whether this was the last attempt, and the sync has failed. */
export async function recordFailure(
  db: Db,
  { sync, error, ...ended }: Ended & { sync: WaitingSync; error: unknown },
): Promise<boolean> {
  const { target, now } = ended;
  const { companyId } = target;
  const { syncKey, syncId } = sync;
  const explanation = describeFailure(error);
  const hasFailed = sync.attempts + 1 >= maxAttempts;
  await writeCompany(db, companyId, async (tx) => {
    await lockIntegration(tx, target);
    await sql`
      update syncs s set attempts = s.attempts + 1, reason = ${formatMessage(explanation)},
        message = ${JSON.stringify(explanation)}::jsonb, state = ${hasFailed ? 'failed' : 'accepted'},
        finished_at = ${hasFailed ? now.toString() : null}::timestamptz
      where ${ofCompany(companyId, 's')} and s.id = ${syncKey}`.execute(tx);
    if (!hasFailed) return;
    // A roster of the HR system is read again. One that was sent can be applied again as it is.
    if (isPulled(sync)) await deleteRoster(tx, companyId, syncKey);
    await deleteExplanations(tx, target, syncId);
    await recordFailed(tx, ended, { syncId, status: 'failed', explanation });
  });
  return hasFailed;
}
