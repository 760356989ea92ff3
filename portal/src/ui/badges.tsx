import { Badge } from '@mantine/core';
import type { HrIntegration } from '../../../src/features/integrations/contract.ts';
import type { ExplainedSync } from '../../../src/features/roster/contract.ts';
import { useWaitingOf } from '../app/api/waiting.ts';
import { useWords, type Words } from '../app/i18n/words.ts';

const colours: Record<string, string> = {
  active: 'teal',
  enabled: 'teal',
  succeeded: 'teal',
  completed: 'teal',
  accepted: 'teal',
  approved: 'teal',
  created: 'teal',
  scheduled: 'blue',
  processing: 'blue',
  updated: 'blue',
  pending: 'orange',
  'scheduled-pause': 'yellow',
  'scheduled-cancellation': 'orange',
  'partially-failed': 'orange',
  'final-sync-pending': 'blue',
  incomplete: 'orange',
  held: 'orange',
  paused: 'yellow',
  invalid: 'red',
  failed: 'red',
  failing: 'red',
  'authentication-failed': 'red',
  rejected: 'red',
  revoked: 'red',
  admin: 'rail',
};

/**
 * Returns the colour of a status. One list of colours gives the same status the same colour everywhere, including
 * charts.
 */
export const colourOf = (word: string) => colours[word] ?? 'gray';

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

type State = Pick<HrIntegration, 'status' | 'initialConnectionStatus'>;

/** Renders the status of an integration. One that is not set up yet, or has never synced, is not called active. */
export function IntegrationBadge({ integration: { status, initialConnectionStatus } }: { integration: State }) {
  if (status === 'active' && initialConnectionStatus !== 'completed') {
    return <StatusBadge of="onboarding" word={initialConnectionStatus} />;
  }
  return <StatusBadge of="integrationStatus" word={status} />;
}

/** Renders the outcome of the last sync of an integration, if there was one. */
export function LastOutcome({ integration }: { integration: HrIntegration }) {
  const { removals } = useWaitingOf(integration);
  const state = integration.lastSyncStatus;
  return state === null ? null : <SyncBadge sync={{ state, heldRemovals: removals ? 'pending' : null }} />;
}
