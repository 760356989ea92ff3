import { Alert, Button, Card, Group, Progress, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import type { ExplainedSync } from '../../../../../src/features/roster/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { MessageText } from '../../../ui/MessageText.tsx';
import { ProblemAlert } from '../../../ui/ProblemAlert.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { isRunning, useIntegration, useRetrySync, useSyncProgress } from '../../connectors/api.ts';
import { useRequestPull } from '../../connectors/connections.ts';
import { texts } from './texts.ts';

/** Renders how much of the roster was written. It is applied as a whole or not at all, when everything is written. */
function Running({ integrationId, sync }: Props) {
  const t = useTexts(texts);
  const isWaiting = sync.state === 'accepted';
  const progress = useSyncProgress(integrationId, sync).data;
  const written = progress?.written ?? null;
  const part = written === null ? 100 : (written / Math.max(1, sync.entries)) * 100;
  return (
    <Card>
      <Stack gap="sm">
        <Group gap="sm">
          <StatusBadge of="syncState" word={sync.state} />
          <Text size="sm">{t(isWaiting ? 'accepted' : 'processing')}</Text>
        </Group>
        {written !== null && <Text size="sm">{t('written', { written, entries: sync.entries })}</Text>}
        <Progress value={isWaiting ? 15 : part} animated aria-label={t('progress')} />
      </Stack>
    </Card>
  );
}

/** Offers to apply the stored roster again. If it is no longer stored, says so and leads to its upload. */
function RetryPushed({ integrationId, sync }: Props) {
  const t = useTexts(texts);
  const progress = useSyncProgress(integrationId, sync).data;
  const retry = useRetrySync(integrationId, sync.syncId);
  if (progress === undefined) return null;
  if (!progress.canRetry && !retry.isPending) {
    return (
      <>
        <Text size="sm">{t('rosterGone')}</Text>
        <Button component={Link} to={`/integrations/${integrationId}/upload`} variant="default" size="compact-sm">
          {t('retryUpload')}
        </Button>
        <ProblemAlert error={retry.error} />
      </>
    );
  }
  return (
    <>
      <Text size="sm">{t('rosterStored')}</Text>
      <Button variant="default" size="compact-sm" onClick={() => retry.mutate()} loading={retry.isPending}>
        {t('retryStored')}
      </Button>
      <ProblemAlert error={retry.error} />
    </>
  );
}

/** Offers another attempt: reads the roster from the HR system again, or applies the one that was sent. */
function Retry({ integrationId, sync }: Props) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const maySync = useAbility('syncs');
  const integration = useIntegration(integrationId).data;
  const request = useRequestPull(integrationId);
  if (!maySync || !integration?.canTriggerSync) return null;
  if (integration.type !== 'hr-integration') return <RetryPushed integrationId={integrationId} sync={sync} />;
  const start = async () => {
    try {
      await request.mutateAsync({ kind: 'manual' });
    } catch {
      // Shown below the button.
      return;
    }
    notifications.show({ color: 'teal', message: t('retryStarted') });
    void navigate(`/integrations/${integrationId}`);
  };
  return (
    <>
      <Button variant="default" size="compact-sm" onClick={() => void start()} loading={request.isPending}>
        {t('retryPull')}
      </Button>
      <ProblemAlert error={request.error} />
    </>
  );
}

function Failed({ integrationId, sync }: Props) {
  const t = useTexts(texts);
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('failedTitle')}>
      <Stack gap={6}>
        <Text size="sm">{t(sync.state === 'failed' ? 'failedText' : 'authenticationFailedText')}</Text>
        {sync.reason !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('failedReason')} <MessageText message={sync.message} detail={sync.reason} />
          </Text>
        )}
        <Group gap="xs">
          <Retry integrationId={integrationId} sync={sync} />
        </Group>
      </Stack>
    </Alert>
  );
}

interface Props {
  integrationId: number;
  sync: ExplainedSync;
}

/** Renders the state of a sync if it runs or has failed. */
export function State({ integrationId, sync }: Props) {
  if (isRunning(sync)) return <Running integrationId={integrationId} sync={sync} />;
  if (sync.state === 'failed' || sync.state === 'authentication-failed')
    return <Failed integrationId={integrationId} sync={sync} />;
  return null;
}
