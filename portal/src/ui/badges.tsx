import { Badge } from '@mantine/core';
import type { ExplainedSync } from '../../../src/features/roster/contract.ts';
import { useWords, type Words } from '../app/i18n/words.ts';

const wordsByColour: Record<string, readonly string[]> = {
  teal: ['active', 'enabled', 'succeeded', 'completed', 'accepted', 'approved', 'created', 'healthy'],
  blue: ['scheduled', 'processing', 'updated', 'final-sync-pending', 'first-sync'],
  yellow: ['scheduled-pause', 'paused'],
  orange: ['pending', 'scheduled-cancellation', 'partially-failed', 'incomplete', 'held', 'approval', 'overdue'],
  red: ['invalid', 'failed', 'failing', 'authentication-failed', 'rejected', 'revoked', 'no-key'],
  rail: ['admin'],
};

/**
 * Returns the colour of a status. One list of colours gives the same status the same colour everywhere, including
 * charts.
 */
export const colourOf = (word: string) =>
  Object.keys(wordsByColour).find((colour) => wordsByColour[colour]?.includes(word)) ?? 'gray';

interface Props<G extends keyof Words> {
  /** The list that the word belongs to. */
  of: G;
  word: keyof Words[G] & string;
}

/** `<StatusBadge of="subscriptionStatus" word={status} />` */
export function StatusBadge<G extends keyof Words>({ of, word }: Props<G>) {
  const words = useWords()[of] as Record<string, string>;
  const isWaiting = of === 'syncState' && word === 'accepted';
  return (
    <Badge color={isWaiting ? 'blue' : colourOf(word)} miw="max-content">
      {words[word] ?? word}
    </Badge>
  );
}

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
