import { Group, Text } from '@mantine/core';
import type { HrIntegration } from '../../../../src/features/connectors/contract.ts';
import { useWaitingOf } from '../../app/api/waiting.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { healthColours, healthOf } from './health.ts';
import { texts } from './texts.ts';

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
      <Text size="sm">{description}</Text>
    </Group>
  );
}
