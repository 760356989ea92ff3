import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Notices } from '../notices/notices.ts';
import type { SyncTarget } from './target.ts';

const findIntegration = (tx: Tx, { companyId, hrIntegrationId }: SyncTarget) =>
  tx
    .selectFrom('hr_integrations as i')
    .select(['i.name', 'i.roster_synced_at as appliedAt'])
    .where(ofCompany(companyId, 'i'))
    .where('i.id', '=', hrIntegrationId)
    .executeTakeFirstOrThrow();

const pageOf = ({ hrIntegrationId }: SyncTarget, syncId: string) =>
  `/integrations/${hrIntegrationId}/syncs/${encodeURIComponent(syncId)}` as const;

/** Tells users that a sync failed: once until a roster is applied again, however many fail meanwhile. */
export async function notifyOfFailedSync(tx: Tx, notices: Notices, target: SyncTarget, syncId: string): Promise<void> {
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
export async function notifyOfRemovals(
  tx: Tx,
  notices: Notices,
  target: SyncTarget,
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
