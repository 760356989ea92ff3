import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Updateable } from 'kysely';
import { type Actor, service } from '../../domain/actor.ts';
import type { Provider } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { SyncsTable } from '../../platform/db/types.gen.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { insertAudit } from '../activity/record.ts';
import { type Integration, lockIntegration, ofIntegration } from '../companies/companies.ts';
import { deleteFailedRosters } from '../employees/erase.ts';
import { getIntegration, hasScimToken } from '../integrations/change-integration.ts';
import { updatePushAccess } from '../integrations/push-access.ts';
import { acceptsUpload, canTriggerSync } from '../integrations/rules/status.ts';
import type { Roster } from './read-roster.ts';
import { findSync, insertRoster, isRosterStored, type SyncRow, type WaitingSync } from './store.ts';

type Queue = Pick<Enqueue, 'enqueueSync'>;

export interface Push {
  pushedBy: string;
  userId?: string;
  /** Absent: the roster did not come with a request. */
  requestId?: string;
  fileName?: string | undefined;
  now: Temporal.Instant;
}

/** Throws if the integration cannot sync. Runs before a large body is read, and again when the roster is stored. */
export async function assertCanSync(
  db: Db,
  { companyId, hrIntegrationId }: Integration,
  isPossible: (integration: Parameters<typeof acceptsUpload>[0]) => boolean = canTriggerSync,
  isByScim = false,
): Promise<void> {
  const { status, type, initial_connection_status } = await getIntegration(db, companyId, hrIntegrationId);
  if (!isByScim && (await hasScimToken(db, { companyId, hrIntegrationId }))) {
    throw new ApiError('sync-not-possible', createMessage('sync-provisioned'));
  }
  if (isPossible({ status, type, onboarding: initial_connection_status })) return;
  throw new ApiError('sync-not-possible', createMessage(`sync-${status === 'active' ? 'incomplete' : status}`));
}

/** Resets a sync that failed as a whole, so that it runs again as if it were accepted now. */
async function resetSync(tx: Tx, companyId: CompanyId, syncKey: number, columns: Updateable<SyncsTable>) {
  const fresh = { state: 'accepted', started_at: null, finished_at: null, attempts: 0, reason: null, message: null };
  await tx
    .updateTable('syncs')
    .set({ ...fresh, ...columns } as Updateable<SyncsTable>)
    .where(ofCompany(companyId, 'syncs'))
    .where('id', '=', syncKey)
    .execute();
}

/** Returns the earlier sync with the same `syncId`. Throws if that had another roster. */
export async function findSameSync(db: Db, target: Integration, { syncId, contentHash }: Roster) {
  const known = await findSync(db, target, syncId);
  if (known === undefined || known.contentHash.equals(contentHash)) return known;
  throw new ApiError('sync-id-reused', createMessage('sync-id-reused', { syncId }));
}

/** Stores the roster and the job that applies it, once per `syncId` and content. Returns whether it was new. */
export async function acceptSync(
  tx: Tx,
  queue: Queue,
  { target, roster, push }: { target: Integration; roster: Roster; push: Push },
): Promise<boolean> {
  const { companyId, hrIntegrationId } = target;
  await lockIntegration(tx, target);
  const isByScim = isProvisioned(push);
  await assertCanSync(tx, target, push.userId === undefined && !isByScim ? canTriggerSync : acceptsUpload, isByScim);
  const known = await findSameSync(tx, target, roster);
  if (known !== undefined && known.state !== 'failed') return false;
  // This roster replaces them.
  await deleteFailedRosters(tx, companyId, ofIntegration(target, 's'));
  const pushed = {
    file_name: push.fileName ?? null,
    pushed_by: push.pushedBy,
    pushed_by_user: push.userId ?? null,
    request_id: push.requestId ?? null,
    accepted_at: push.now.toString(),
    warnings: JSON.stringify(roster.warnings),
    left_out: roster.leftOut === undefined ? null : JSON.stringify(roster.leftOut),
  };
  if (known !== undefined) await resetSync(tx, companyId, known.id, pushed);
  const content = { sync_id: roster.syncId, content_hash: roster.contentHash, entry_count: roster.entryCount };
  const { id: syncKey } =
    known ??
    (await tx
      .insertInto('syncs')
      .values({ company_id: companyId, hr_integration_id: hrIntegrationId, state: 'accepted', ...content, ...pushed })
      .returning('id')
      .executeTakeFirstOrThrow());
  await insertRoster(tx, companyId, syncKey, roster);
  await updatePushAccess(tx, target, push.now);
  await queue.enqueueSync(tx, companyId, hrIntegrationId);
  return true;
}

/** Logs and counts a roster that was accepted. The log line of its outcome has the same `requestId`. */
export function reportAccepted(
  exchange: { request: FastifyRequest; reply: FastifyReply; metrics: Pick<Metrics, 'recordSyncAccepted'> },
  target: Integration,
  { syncId, entryCount }: Pick<Roster, 'syncId' | 'entryCount'>,
  isNew: boolean,
): void {
  const { request, reply, metrics } = exchange;
  const fields = { ...target, syncId, entries: entryCount };
  if (!isNew) {
    request.log.info(fields, 'sync was already accepted');
    return;
  }
  metrics.recordSyncAccepted();
  request.log.info({ ...fields, ms: Math.round(reply.elapsedTime) }, 'sync accepted');
}

/** Returns an id that no sync of the integration has yet. */
export async function nameScimSync(db: Db, target: Integration, now: Temporal.Instant): Promise<string> {
  for (let at = now.round('millisecond'); ; at = at.add({ milliseconds: 1 })) {
    const syncId = `scim-${at.toString()}`;
    if ((await findSync(db, target, syncId)) === undefined) return syncId;
  }
}

export async function getSync(db: Db, target: Integration, syncId: string): Promise<SyncRow> {
  const row = await findSync(db, target, syncId);
  if (row === undefined) throw notFound('sync');
  return row;
}

export const canRetrySync = async (db: Db, target: Integration, sync: SyncRow) =>
  sync.state === 'failed' && (await isRosterStored(db, target.companyId, sync.id));

/**
 * Runs a failed sync again with its stored roster. Who sent the roster stays. A sync that already runs again is left
 * alone, so that two requests have the effect of one. Throws if the roster is no longer stored: a newer one may have been
 * applied since, which an old one must not undo.
 */
export async function retrySync(
  tx: Tx,
  queue: Queue,
  {
    target,
    syncId,
    by,
  }: { target: Integration; syncId: string; by: Required<Pick<Push, 'userId' | 'requestId' | 'now'>> },
): Promise<void> {
  const { companyId, hrIntegrationId } = target;
  await lockIntegration(tx, target);
  const sync = await getSync(tx, target, syncId);
  if (sync.state === 'accepted' || sync.state === 'processing') return;
  if (sync.state !== 'failed') throw new ApiError('sync-not-possible', createMessage('sync-not-failed'));
  await assertCanSync(tx, target, canTriggerSync, isProvisioned(sync));
  if (!(await canRetrySync(tx, target, sync))) {
    throw new ApiError('sync-not-possible', createMessage('sync-roster-gone'));
  }
  await resetSync(tx, companyId, sync.id, { request_id: by.requestId, accepted_at: by.now.toString() });
  await queue.enqueueSync(tx, companyId, hrIntegrationId);
  await insertAudit(tx, companyId, {
    actor: { type: 'user', name: by.userId },
    action: 'sync.retry',
    target: `${hrIntegrationId}/${syncId}`,
    at: by.now,
  });
}

/** The name under which a connector pushes. No username of a key has this form. */
export const nameConnector = (provider: Provider) => `connector ${provider}`;

export const isPulled = ({ pushedBy }: Pick<WaitingSync, 'pushedBy'>) => pushedBy.startsWith('connector ');

/** The name under which changes by SCIM are applied. */
export const scimPusher = 'scim';

/** Whether the roster consists of the users of an identity provider. */
export const isProvisioned = ({ pushedBy }: Pick<WaitingSync, 'pushedBy'>) => pushedBy === scimPusher;

export function pusherOf(sync: WaitingSync): Actor {
  if (sync.userId !== null) return { type: 'user', name: sync.userId };
  return isPulled(sync) || isProvisioned(sync) ? service : { type: 'key', name: sync.pushedBy };
}
