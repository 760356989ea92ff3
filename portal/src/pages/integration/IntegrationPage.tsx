import { Alert, Button, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link, useParams } from 'react-router';
import { isRunning, useIntegration, useReadAgainAfter, useSyncs } from '../../api/integrations.ts';
import { useAbility } from '../../api/me.ts';
import type { HrIntegration, Sync } from '../../api/types.gen.ts';
import { CopyIcon } from '../../components/CopyIcon.tsx';
import { type Fact, Facts } from '../../components/Facts.tsx';
import { TimeText } from '../../components/figures.tsx';
import { HealthLine, useHealth } from '../../components/health/Health.tsx';
import { LoadProblem } from '../../components/LoadProblem.tsx';
import { Page } from '../../components/Page.tsx';
import { Section } from '../../components/Section.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { syncAddress } from '../../components/sync-address.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useWords } from '../../i18n/words.ts';
import { NextSteps } from '../integrations/NextSteps.tsx';
import { de } from './de.ts';
import { en } from './en.ts';
import { History } from './History.tsx';
import { PendingRemovalsNotice, RunningNotice } from './Notices.tsx';
import { Switch } from './Switch.tsx';

const SyncsChart = lazy(async () => ({ default: (await import('./SyncsChart.tsx')).SyncsChart }));

/**
 * The syncs in the chart. They suffice to find a running sync and removals pending approval, which a newer sync
 * replaces.
 */
const recent = { page: 1, perPage: 20 };

function HealthCard({ integration }: { integration: HrIntegration }) {
  const t = useTexts({ en, de });
  const { health, colour, todo } = useHealth(integration);
  const leadsToSync = health === 'failed' || health === 'partially-failed';
  return (
    <Section title={t('health')}>
      <Stack gap="sm" align="flex-start">
        <HealthLine integration={integration} />
        {todo !== null && (
          <Alert color={colour} py="xs" w="100%">
            <Text size="sm">{todo}</Text>
          </Alert>
        )}
        {leadsToSync && integration.lastSyncId !== null && (
          <Button component={Link} to={syncAddress(integration.id, integration.lastSyncId)} variant="light" size="sm">
            {t('openLast')}
          </Button>
        )}
      </Stack>
    </Section>
  );
}

function About({ integration }: { integration: HrIntegration }) {
  const t = useTexts({ en, de });
  const words = useWords();
  const { id, type, initialConnectionStatus, lastSynced, lastSyncStatus } = integration;
  const facts: Fact[] = [
    [
      t('id'),
      <Group key="id" gap={4} component="span">
        {id}
        <CopyIcon value={String(id)} />
      </Group>,
    ],
    [t('type'), words.integrationType[type]],
    [t('setup'), words.onboarding[initialConnectionStatus]],
    [t('lastSync'), lastSynced === null ? t('never') : <TimeText key="at" at={lastSynced} exact />],
    [
      t('lastOutcome'),
      lastSyncStatus === null ? t('never') : <StatusBadge key="outcome" of="syncState" word={lastSyncStatus} />,
    ],
  ];
  return (
    <Section title={t('about')}>
      <Facts facts={facts} labelWidth={155} />
    </Section>
  );
}

function Chart({ syncs }: { syncs: readonly Sync[] }) {
  const t = useTexts({ en, de });
  const ended = syncs.filter((sync) => !isRunning(sync));
  if (ended.length === 0) return null;
  const isQuiet = ended.every(({ counts: { created, updated, offboarded, held, failed } }) =>
    [created, updated, offboarded, held, failed].every((count) => count === 0),
  );
  return (
    <Section title={t('chart')}>
      <Text size="sm" c="dimmed" mb="sm">
        {isQuiet ? t('nothingChanged') : t('chartHint', { count: ended.length })}
      </Text>
      {!isQuiet && (
        <Suspense fallback={<Skeleton height={150} />}>
          <SyncsChart syncs={ended} />
        </Suspense>
      )}
    </Section>
  );
}

function Actions({ integration }: { integration: HrIntegration }) {
  const t = useTexts({ en, de });
  const mayChange = useAbility('integrations');
  const mayUpload = useAbility('syncs');
  return (
    <>
      {mayChange && <Switch integration={integration} />}
      {mayUpload && integration.canTriggerSync && (
        <Button
          component={Link}
          to={`/integrations/${integration.id}/upload`}
          leftSection={<IconUpload size={16} aria-hidden />}
        >
          {t('upload')}
        </Button>
      )}
    </>
  );
}

export function Component() {
  const t = useTexts({ en, de });
  const id = Number(useParams().id);
  const { data: integration, error, refetch } = useIntegration(id);
  const syncs = useSyncs(id, recent).data?.data ?? [];
  const running = syncs.filter(isRunning);
  useReadAgainAfter(running.length > 0);
  const parent = { title: t('integrations'), to: '/integrations' };
  if (integration === undefined) {
    return (
      <Page title={t('title')} parents={[parent]}>
        {error ? (
          <LoadProblem error={error} onRetry={() => void refetch()} parent={parent} />
        ) : (
          <Skeleton height={420} radius="md" />
        )}
      </Page>
    );
  }
  const held = syncs.filter(({ heldRemovals }) => heldRemovals === 'pending');
  return (
    <Page
      title={integration.name}
      parents={[parent]}
      aside={<StatusBadge of="integrationStatus" word={integration.status} />}
      actions={<Actions integration={integration} />}
    >
      {held.map((sync) => (
        <PendingRemovalsNotice key={sync.syncId} integrationId={id} sync={sync} />
      ))}
      {running.map((sync) => (
        <RunningNotice key={sync.syncId} integrationId={id} sync={sync} />
      ))}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <HealthCard integration={integration} />
        <About integration={integration} />
      </SimpleGrid>
      {integration.initialConnectionStatus === 'final-sync-pending' &&
        integration.canTriggerSync &&
        running.length === 0 && (
          <Section title={t('first')}>
            <NextSteps integrationId={id} />
          </Section>
        )}
      <Chart syncs={syncs} />
      <History integrationId={id} />
    </Page>
  );
}
