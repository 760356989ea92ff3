import { Group, Text } from '@mantine/core';
import type { HrIntegration } from '../../../../src/features/integrations/contract.ts';
import { useWaitingOf } from '../../app/api/waiting.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { colourOf } from '../badges.tsx';
import { texts } from './texts.ts';

/** Returns the health of an integration as one word. A state that a user has to act on takes precedence. */
function healthOf(integration: HrIntegration, { removals, overdue }: ReturnType<typeof useWaitingOf>) {
  const { status, type, initialConnectionStatus, lastSyncStatus } = integration;
  if (status === 'invalid' && type === 'api-integration') return 'no-key';
  if (status === 'inactive' || status === 'invalid') return status;
  if (lastSyncStatus === 'failed' || lastSyncStatus === 'authentication-failed') return lastSyncStatus;
  if (initialConnectionStatus === 'incomplete') return 'incomplete';
  if (initialConnectionStatus === 'final-sync-pending') return 'first-sync';
  if (removals) return 'approval';
  if (overdue) return 'overdue';
  return lastSyncStatus === 'partially-failed' ? 'partially-failed' : 'healthy';
}

export function useHealth(integration: HrIntegration) {
  const { language } = useLanguage();
  const health = healthOf(integration, useWaitingOf(integration));
  return {
    health,
    colour: colourOf(health),
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
