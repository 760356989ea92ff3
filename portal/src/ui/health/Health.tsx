import { type ButtonProps, Group, Text } from '@mantine/core';
import type { Ability } from '../../../../src/domain/roles.ts';
import type { HrIntegration } from '../../../../src/features/integrations/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useWaitingOf } from '../../app/api/waiting.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { Action } from '../Action.tsx';
import { colourOf } from '../badges.tsx';
import { syncAddress } from '../text.tsx';
import { texts } from './texts.ts';

type Health = keyof typeof texts.description;

/** Returns the health of an integration as one word. A state that a user has to act on takes precedence. */
function healthOf(integration: HrIntegration, { removals, overdue }: ReturnType<typeof useWaitingOf>): Health {
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

type Step = { label: keyof typeof texts.step; to: string; needs: Ability };

/** Returns what a user opens to do what the state asks for. Undefined: nothing, or a button of the integration's page. */
function stepOf(health: Health, { id, type, lastSyncId }: HrIntegration): Step | undefined {
  const page = `/integrations/${id}`;
  const sync = lastSyncId === null ? undefined : syncAddress(id, lastSyncId);
  if (health === 'approval' && sync) return { label: 'review', to: sync, needs: 'removals' };
  if ((health === 'failed' || health === 'partially-failed') && sync)
    return { label: 'openSync', to: sync, needs: 'syncs' };
  if (health === 'incomplete') return { label: 'setUp', to: `${page}/setup`, needs: 'integrations' };
  if (health === 'invalid' || health === 'authentication-failed') {
    return { label: 'reconnect', to: `${page}/setup?step=credentials`, needs: 'integrations' };
  }
  if (health === 'no-key') return { label: 'createKey', to: '/keys', needs: 'keys' };
  const isUpload = health === 'first-sync' || health === 'overdue';
  return isUpload && type === 'api-integration' ? { label: 'upload', to: `${page}/upload`, needs: 'syncs' } : undefined;
}

interface StepProps extends Pick<ButtonProps, 'variant'> {
  integration: HrIntegration;
  /** The page of the integration has a button for it already. */
  withUpload?: boolean;
}

/** Renders the one button that the state of an integration asks for, if the user may use it. */
export function HealthStep({ integration, withUpload = true, variant = 'filled' }: StepProps) {
  const { language } = useLanguage();
  const step = stepOf(useHealth(integration).health, integration);
  const may = useAbility(step?.needs ?? 'syncs');
  if (step === undefined || !may || (step.label === 'upload' && !withUpload)) return null;
  return <Action to={step.to} variant={variant} label={texts.step[step.label][language]} />;
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
