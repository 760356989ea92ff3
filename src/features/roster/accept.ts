import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Updateable } from 'kysely';
import type { Provider } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { SyncsTable } from '../../platform/db/types.gen.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import type { Actor } from '../activity/record.ts';
import { type Integration, lockIntegration } from '../companies/companies.ts';
import { updatePushAccess } from '../connectors/push-access.ts';
import { acceptsUpload, canTriggerSync } from '../connectors/rules/integrations.ts';
import type { Roster } from './read-roster.ts';
import { deleteFailedRosters, insertRoster, type WaitingSync } from './store.ts';

/** Describes who pushed a roster, and when. */
export interface Push {
  /** Username of the key, or name of the user. */
  pushedBy: string;
  userId?: string;
  /** Absent: the roster did not come with a request. */
  requestId?: string;
  /** The name of the file that a user has uploaded. */
  fileName?: string | undefined;
  now: Temporal.Instant;
}

/** Throws if the integration cannot sync. Runs before a large body is read, and again when the roster is stored. */
export async function assertCanSync(
  db: Db,
  { companyId, hrIntegrationId }: Integration,
  isPossible: (integration: Parameters<typeof acceptsUpload>[0]) => boolean = canTriggerSync,
): Promise<void> {
  const row = await db
    .selectFrom('hr_integrations as i')
    .select(['i.status', 'i.type', 'i.initial_connection_status as onboarding'])
    .where(ofCompany(companyId, 'i'))
    .where('i.id', '=', hrIntegrationId)
    .where('i.deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) throw notFound('HR integration');
  if (isPossible(row)) return;
  throw new ApiError('sync-not-possible', createMessage(`sync-${row.status === 'active' ? 'incomplete' : row.status}`));
}

async function findSync(db: Db, { companyId, hrIntegrationId }: Integration, syncId: string) {
  return db
    .selectFrom('syncs as s')
    .select(['s.id', 's.state', 's.content_hash'])
    .where(ofCompany(companyId, 's'))
    .where('s.hr_integration_id', '=', hrIntegrationId)
    .where('s.sync_id', '=', syncId)
    .executeTakeFirst();
}

const pushColumns = ({ pushedBy, userId, requestId, fileName, now }: Push) => ({
  file_name: fileName ?? null,
  pushed_by: pushedBy,
  pushed_by_user: userId ?? null,
  request_id: requestId ?? null,
  accepted_at: now.toString(),
});

const leftOutOf = ({ leftOut }: Roster) => (leftOut === undefined ? null : JSON.stringify(leftOut));

async function insertSync(tx: Tx, target: Integration, roster: Roster, push: Push): Promise<number> {
  const { id } = await tx
    .insertInto('syncs')
    .values({
      company_id: target.companyId,
      hr_integration_id: target.hrIntegrationId,
      sync_id: roster.syncId,
      state: 'accepted',
      ...pushColumns(push),
      content_hash: roster.contentHash,
      entry_count: roster.entryCount,
      warnings: JSON.stringify(roster.warnings),
      left_out: leftOutOf(roster),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

interface Renewal {
  syncKey: number;
  roster: Roster;
  push: Push;
}

/** Resets a sync that failed as a whole, so that it runs again as if it were accepted now. */
export async function resetSync(
  tx: Tx,
  companyId: CompanyId,
  syncKey: number,
  columns: Updateable<SyncsTable>,
): Promise<void> {
  await tx
    .updateTable('syncs')
    .set({
      state: 'accepted',
      started_at: null,
      finished_at: null,
      attempts: 0,
      reason: null,
      message: null,
      ...columns,
    })
    .where(ofCompany(companyId, 'syncs'))
    .where('id', '=', syncKey)
    .execute();
}

const renewSync = (tx: Tx, companyId: CompanyId, { syncKey, roster, push }: Renewal) =>
  resetSync(tx, companyId, syncKey, {
    ...pushColumns(push),
    warnings: JSON.stringify(roster.warnings),
    left_out: leftOutOf(roster),
  });

/**
 * Returns the earlier sync with the same `syncId` and roster, if any. Throws if the `syncId` was used with another
 * roster.
 */
export async function findSameSync(db: Db, target: Integration, { syncId, contentHash }: Roster) {
  const known = await findSync(db, target, syncId);
  if (known === undefined || known.content_hash.equals(contentHash)) return known;
  throw new ApiError('sync-id-reused', createMessage('sync-id-reused', { syncId }));
}

interface AcceptedRoster {
  target: Integration;
  roster: Roster;
  push: Push;
}

/**
 * Stores the roster and the job that will apply it. The same `syncId` with the same content is stored only once, even
 * if it arrives several times or concurrently. Returns whether it was new.
 */
export async function acceptSync(
  tx: Tx,
  queue: Pick<Enqueue, 'enqueueSync'>,
  { target, roster, push }: AcceptedRoster,
): Promise<boolean> {
  await lockIntegration(tx, target);
  await assertCanSync(tx, target, push.userId === undefined ? canTriggerSync : acceptsUpload);
  const known = await findSameSync(tx, target, roster);
  if (known !== undefined && known.state !== 'failed') return false;
  await deleteFailedRosters(tx, target);
  if (known !== undefined) await renewSync(tx, target.companyId, { syncKey: known.id, roster, push });
  const syncKey = known?.id ?? (await insertSync(tx, target, roster, push));
  await insertRoster(tx, target.companyId, syncKey, roster.parts);
  await updatePushAccess(tx, target, push.now);
  await queue.enqueueSync(tx, target.companyId, target.hrIntegrationId);
  return true;
}

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
  metrics: Pick<Metrics, 'recordSyncAccepted'>;
}

/** Logs and counts a roster that was accepted. The log line of its outcome has the same `requestId`. */
export function reportAccepted(
  { request, reply, metrics }: Exchange,
  target: Integration,
  { syncId, entryCount }: Pick<Roster, 'syncId' | 'entryCount'>,
  isNew: boolean,
): void {
  const fields = { ...target, syncId, entries: entryCount };
  if (!isNew) {
    request.log.info(fields, 'sync was already accepted');
    return;
  }
  metrics.recordSyncAccepted();
  request.log.info({ ...fields, ms: Math.round(reply.elapsedTime) }, 'sync accepted');
}

/** The name under which a connector pushes. No username of a key has this form. */
export const nameConnector = (provider: Provider) => `connector ${provider}`;

/** Returns whether the service has read the roster from the HR system itself. */
export const isPulled = ({ pushedBy }: Pick<WaitingSync, 'pushedBy'>) => pushedBy.startsWith('connector ');

export function pusherOf(sync: WaitingSync): Actor {
  const { pushedBy, userId } = sync;
  if (userId !== null) return { type: 'user', name: userId };
  return isPulled(sync) ? { type: 'service', name: null } : { type: 'key', name: pushedBy };
}
