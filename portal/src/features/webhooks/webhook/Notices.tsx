import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react';
import type { Webhook } from '../../../../../src/features/webhooks/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { useSetWebhookState } from '../api.ts';
import { texts } from './texts.ts';

const reasons = { manual: 'disabledManual', gone: 'disabledGone', failing: 'disabledFailing' } as const;

/** Renders why an endpoint is disabled, or that its requests fail, above everything else. */
export function StateNotice({ webhook }: { webhook: Webhook }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const mayChange = useAbility('webhooks');
  const change = useSetWebhookState(webhook.id);
  const { disabledReason, failingSince } = webhook;
  if (disabledReason !== null) {
    const isOwnDecision = disabledReason === 'manual';
    return (
      <Alert
        color={isOwnDecision ? 'gray' : 'red'}
        icon={isOwnDecision ? <IconPlayerPause size={18} /> : <IconAlertTriangle size={18} />}
        title={t('disabledTitle')}
      >
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t(reasons[disabledReason])}</Text>
          {mayChange && (
            <Button size="compact-sm" loading={change.isPending} onClick={() => change.mutate({ state: 'enabled' })}>
              {t('enable')}
            </Button>
          )}
          <ProblemAlert error={change.error} inWords={{ 'not-found': t('gone') }} />
        </Stack>
      </Alert>
    );
  }
  if (failingSince === null) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle size={18} />} title={t('failingTitle')}>
      <Group>
        <Text size="sm">{t('failing', { time: formats.time(failingSince) })}</Text>
      </Group>
    </Alert>
  );
}
