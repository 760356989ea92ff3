import type { HrIntegration } from '../../../../src/features/integrations/contract.ts';
import { useOverview } from '../../features/overview/api.ts';

/** Returns whether removals of the last sync of an integration are to be decided, and whether its roster is overdue. */
export function useWaitingOf({ id, lastSyncId }: Pick<HrIntegration, 'id' | 'lastSyncId'>) {
  const rosters = useOverview().data?.rosters;
  return {
    removals: rosters?.pendingRemovals.some((one) => one.integrationId === id && one.syncId === lastSyncId) === true,
    overdue: rosters?.overdue.includes(id) === true,
  };
}
