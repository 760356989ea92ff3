import type { HrIntegration } from '../../../../src/features/integrations/contract.ts';
import type { Overview } from '../../../../src/portal/contract.ts';
import { useOverview } from '../../features/overview/api.ts';

type Item = Overview['waiting'][number];
type Kind<K> = Extract<Item, { kind: K }>;

/** Returns what the overview says about an integration: removals of its last sync to decide, and an overdue roster. */
export function useWaitingOf({ id, lastSyncId }: Pick<HrIntegration, 'id' | 'lastSyncId'>) {
  const items = useOverview().data?.waiting ?? [];
  const removals = items.find(
    (item): item is Kind<'pending-removals'> =>
      item.kind === 'pending-removals' && item.integrationId === id && item.syncId === lastSyncId,
  );
  const overdue = items.find(
    (item): item is Kind<'roster-overdue'> => item.kind === 'roster-overdue' && item.integrationId === id,
  );
  return { removals, overdue };
}
