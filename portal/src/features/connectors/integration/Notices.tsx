import { Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import type { ExplainedSync } from '../../../../../src/features/roster/contract.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { syncAddress } from '../../../ui/sync-address.ts';
import { texts } from './texts.ts';

interface Props {
  integrationId: number;
  sync: ExplainedSync;
}

/** Renders removals pending approval, above everything else. */
export function PendingRemovalsNotice({ integrationId, sync }: Props) {
  const t = useTexts(texts);
  return (
    <Card component="section" className="waiting" aria-label={t('heldTitle')}>
      <Group justify="space-between" gap="sm">
        <Stack gap={2} flex="1 1 260px">
          <Title order={2}>{t('heldTitle')}</Title>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t('held', { count: sync.counts.held, sync: sync.fileName ?? sync.syncId })}
          </Text>
        </Stack>
        <Button component={Link} to={syncAddress(integrationId, sync.syncId)}>
          {t('review')}
        </Button>
      </Group>
    </Card>
  );
}

/**
 * Renders a running sync without a percentage. A roster is applied as a whole or not at all, so its progress is
 * unknown.
 */
export function RunningNotice({ integrationId, sync }: Props) {
  const t = useTexts(texts);
  const formats = useFormats();
  const since = formats.relative(sync.acceptedAt);
  return (
    <Card component="section" aria-label={t('running')} role="status">
      <Group justify="space-between" gap="sm" mb="sm">
        <Stack gap={2}>
          <Group gap="xs">
            <Title order={2}>{t('running')}</Title>
            <StatusBadge of="syncState" word={sync.state} />
          </Group>
          <Text size="sm" c="dimmed">
            {t('runningText', { count: sync.entries, since })}
          </Text>
        </Stack>
        <Button component={Link} to={syncAddress(integrationId, sync.syncId)} variant="light">
          {t('watch')}
        </Button>
      </Group>
      <Progress value={100} animated aria-label={t('running')} />
    </Card>
  );
}
