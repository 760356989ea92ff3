import { Alert, Card, Group, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { isRunning } from '../../api/integrations.ts';
import type { Sync } from '../../api/types.gen.ts';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';

/**
 * Renders the current step of a running sync. The progress within the step is unknown, because a roster is applied as a
 * whole or not at all.
 */
function Running({ sync }: { sync: Sync }) {
  const t = useTexts({ en, de });
  const isWaiting = sync.state === 'accepted';
  return (
    <Card>
      <Stack gap="sm">
        <Group gap="sm">
          <StatusBadge of="syncState" word={sync.state} />
          <Text size="sm">{t(isWaiting ? 'accepted' : 'processing')}</Text>
        </Group>
        <Progress value={isWaiting ? 15 : 100} animated aria-label={t('progress')} />
      </Stack>
    </Card>
  );
}

function Failed({ sync }: { sync: Sync }) {
  const t = useTexts({ en, de });
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={t('failedTitle')}>
      <Stack gap={6}>
        <Text size="sm">{t(sync.state === 'failed' ? 'failedText' : 'authenticationFailedText')}</Text>
        {sync.reason !== null && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('failedReason', { reason: sync.reason })}
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

/** Renders the state of a sync if it runs or has failed. */
export function State({ sync }: { sync: Sync }) {
  if (isRunning(sync)) return <Running sync={sync} />;
  if (sync.state === 'failed' || sync.state === 'authentication-failed') return <Failed sync={sync} />;
  return null;
}
