import { Badge } from '@mantine/core';
import type { ExplainedSync } from '../../../src/features/roster/contract.ts';
import { useWords } from '../app/i18n/words.ts';
import { StatusBadge } from './StatusBadge.tsx';

type Outcome = Pick<ExplainedSync, 'state' | 'heldRemovals'>;

/** Whether nothing is left to do but to decide on removals. Until then, the API calls the sync partially failed. */
const isAwaitingApproval = ({ state, heldRemovals }: Outcome) =>
  state === 'partially-failed' && heldRemovals === 'pending';

/** Returns the state of a sync in words. */
export function useSyncState(): (sync: Outcome) => string {
  const words = useWords();
  return (sync) => (isAwaitingApproval(sync) ? words.approvalState.pending : words.syncState[sync.state]);
}

/** Renders the state of a sync. */
export function SyncBadge({ sync }: { sync: Outcome }) {
  const describe = useSyncState();
  if (!isAwaitingApproval(sync)) return <StatusBadge of="syncState" word={sync.state} />;
  return (
    <Badge color="orange" miw="max-content">
      {describe(sync)}
    </Badge>
  );
}
