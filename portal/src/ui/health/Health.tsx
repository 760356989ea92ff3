import { Group, Text } from '@mantine/core';
import type { HrIntegration } from '../../../../src/features/integrations/contract.ts';
import { useWaitingOf } from '../../app/api/waiting.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { texts } from './texts.ts';

type Connection = Pick<HrIntegration, 'status' | 'type' | 'initialConnectionStatus' | 'lastSyncStatus'>;

interface Waiting {
  /** Removals of the last sync wait for approval. */
  hasRemovals: boolean;
  isOverdue: boolean;
}

/** Returns the health of an integration as one word. A state that a user has to act on takes precedence. */
function healthOf(
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

const healthColours: Record<Health, string> = {
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

export function useHealth(integration: HrIntegration) {
  const { language } = useLanguage();
  const { removals, overdue } = useWaitingOf(integration);
  const health = healthOf(integration, { hasRemovals: removals !== undefined, isOverdue: overdue !== undefined });
  return {
    health,
    colour: healthColours[health],
    description: texts.description[health][language],
    todo: texts.todo[health]?.[language] ?? null,
  };
}

/** Renders the health of an integration as a sentence. The coloured dot only repeats it visually. */
export function HealthLine({ integration }: { integration: HrIntegration }) {
  const { colour, description } = useHealth(integration);
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      <svg width="10" height="10" aria-hidden="true" style={{ flex: 'none', marginTop: 6 }}>
        <circle cx="5" cy="5" r="5" fill={`var(--mantine-color-${colour}-6)`} />
      </svg>
      <Text>{description}</Text>
    </Group>
  );
}
