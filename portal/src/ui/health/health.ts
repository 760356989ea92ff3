import type { HrIntegration } from '../../../../src/features/connectors/contract.ts';

type Connection = Pick<HrIntegration, 'status' | 'type' | 'initialConnectionStatus' | 'lastSyncStatus'>;

interface Waiting {
  /** Removals of the last sync wait for approval. */
  hasRemovals: boolean;
  isOverdue: boolean;
}

/** Returns the health of an integration as one word. A state that a user has to act on takes precedence. */
export function healthOf(
  { status, type, initialConnectionStatus, lastSyncStatus }: Connection,
  { hasRemovals, isOverdue }: Waiting,
) {
  if (status === 'invalid' && type === 'api-integration') return 'no-key';
  if (status === 'inactive' || status === 'invalid') return status;
  if (lastSyncStatus === 'failed' || lastSyncStatus === 'authentication-failed') return lastSyncStatus;
  if (initialConnectionStatus === 'incomplete') return 'incomplete';
  if (initialConnectionStatus === 'final-sync-pending') return 'first-sync';
  if (hasRemovals) return 'approval';
  if (isOverdue) return 'overdue';
  return lastSyncStatus === 'partially-failed' ? 'partially-failed' : 'healthy';
}

export type Health = ReturnType<typeof healthOf>;

export const healthColours: Record<Health, string> = {
  healthy: 'teal',
  'first-sync': 'blue',
  'partially-failed': 'orange',
  approval: 'orange',
  overdue: 'orange',
  incomplete: 'orange',
  invalid: 'red',
  'no-key': 'red',
  failed: 'red',
  'authentication-failed': 'red',
  inactive: 'gray',
};
