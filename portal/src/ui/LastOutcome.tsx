import type { HrIntegration } from '../../../src/features/connectors/contract.ts';
import { useWaitingOf } from '../app/api/waiting.ts';
import { SyncBadge } from './SyncBadge.tsx';

/** Renders the outcome of the last sync of an integration, if there was one. */
export function LastOutcome({ integration }: { integration: HrIntegration }) {
  const { removals } = useWaitingOf(integration);
  const state = integration.lastSyncStatus;
  return state === null ? null : <SyncBadge sync={{ state, heldRemovals: removals ? 'pending' : null }} />;
}
