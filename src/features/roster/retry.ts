import { createMessage } from '../../domain/messages/message.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import { insertAudit } from '../activity/record.ts';
import { type Integration, lockIntegration } from '../companies/companies.ts';
import { assertCanSync, type Push, resetSync } from './accept.ts';
import { findSync, isRosterStored, type SyncRow } from './store.ts';

/** Returns whether a failed sync can run again without sending its roster again. */
export const canRetrySync = async (db: Db, target: Integration, sync: { id: number; state: string }) =>
  sync.state === 'failed' && (await isRosterStored(db, target.companyId, sync.id));

interface Retry {
  target: Integration;
  syncId: string;
  by: Required<Pick<Push, 'userId' | 'requestId' | 'now'>>;
}

/**
 * Runs a failed sync again with its stored roster. Who sent the roster stays. A sync that already runs again is left
 * alone, so that two requests have the effect of one. Throws if the roster is no longer stored: a newer one may have been
 * applied since, which an old one must not undo.
 */
export async function retrySync(
  tx: Tx,
  queue: Pick<Enqueue, 'enqueueSync'>,
  { target, syncId, by }: Retry,
): Promise<void> {
  const { companyId, hrIntegrationId } = target;
  await lockIntegration(tx, target);
  const sync = await tx
    .selectFrom('syncs as s')
    .select(['s.id', 's.state'])
    .where(ofCompany(companyId, 's'))
    .where('s.hr_integration_id', '=', hrIntegrationId)
    .where('s.sync_id', '=', syncId)
    .executeTakeFirst();
  if (sync === undefined) throw notFound('sync');
  if (sync.state === 'accepted' || sync.state === 'processing') return;
  if (sync.state !== 'failed') throw new ApiError('sync-not-possible', createMessage('sync-not-failed'));
  await assertCanSync(tx, target);
  if (!(await canRetrySync(tx, target, sync))) {
    throw new ApiError('sync-not-possible', createMessage('sync-roster-gone'));
  }
  await resetSync(tx, companyId, sync.id, { request_id: by.requestId, accepted_at: by.now.toString() });
  await queue.enqueueSync(tx, companyId, hrIntegrationId);
  await insertAudit(tx, companyId, {
    actor: { type: 'user', name: by.userId },
    action: 'sync.retry',
    target: `${hrIntegrationId}/${syncId}`,
    detail: {},
    at: by.now,
  });
}

/** Returns a sync. Throws if the integration has none with this id. */
export async function getSync(db: Db, target: Integration, syncId: string): Promise<SyncRow> {
  const row = await findSync(db, target, syncId);
  if (row === undefined) throw notFound('sync');
  return row;
}
