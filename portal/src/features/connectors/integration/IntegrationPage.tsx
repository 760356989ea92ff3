import { Alert, Button, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link, useParams } from 'react-router';
import type { HrIntegration } from '../../../../../src/features/connectors/contract.ts';
import type { ExplainedSync } from '../../../../../src/features/roster/contract.ts';
import { useAbility } from '../../../app/api/me.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { CopyIcon } from '../../../ui/CopyIcon.tsx';
import { type Fact, Facts } from '../../../ui/Facts.tsx';
import { TimeText } from '../../../ui/figures.tsx';
import { HealthLine, useHealth } from '../../../ui/health/Health.tsx';
import { IntegrationBadge } from '../../../ui/IntegrationBadge.tsx';
import { LastOutcome } from '../../../ui/LastOutcome.tsx';
import { LoadProblem } from '../../../ui/LoadProblem.tsx';
import { Page } from '../../../ui/Page.tsx';
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx';
import { Section } from '../../../ui/Section.tsx';
import { syncAddress } from '../../../ui/sync-address.ts';
import { acceptsUpload, isRunning, useIntegration, useReadAgainAfter, useSyncs } from '../api.ts';
import { useConnection } from '../connections.ts';
import { NextSteps } from '../NextSteps.tsx';
import { ConnectionNotices } from './ConnectionNotices.tsx';
import { ConnectionSection } from './ConnectionSection.tsx';
import { History } from './History.tsx';
import { Manage } from './Manage.tsx';
import { PendingRemovalsNotice, RunningNotice } from './Notices.tsx';
import { Switch } from './Switch.tsx';
import { SyncNow } from './SyncNow.tsx';
import { texts } from './texts.ts';

const SyncsChart = lazy(async () => ({ default: (await import('./SyncsChart.tsx')).SyncsChart }));

/**
 * The syncs in the chart. They suffice to find a running sync and removals pending approval, which a newer sync
 * replaces.
 */
const recent = { page: 1, perPage: 20 };

function HealthCard({ integration }: { integration: HrIntegration }) {
  const t = useTexts(texts);
  const { health, colour, todo } = useHealth(integration);
  const leadsToSync = health === 'failed' || health === 'partially-failed' || health === 'approval';
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
  const t = useTexts(texts);
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
    [t('lastOutcome'), lastSyncStatus === null ? t('never') : <LastOutcome key="outcome" integration={integration} />],
  ];
  return (
    <Section title={t('about')}>
      <Facts facts={facts} labelWidth={155} />
    </Section>
  );
}

function Chart({ integrationId, syncs }: { integrationId: number; syncs: readonly ExplainedSync[] }) {
  const t = useTexts(texts);
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
        <Suspense fallback={<Skeleton height={194} />}>
          <SyncsChart integrationId={integrationId} syncs={ended} />
        </Suspense>
      )}
    </Section>
  );
}

function Actions({ integration }: { integration: HrIntegration }) {
  const t = useTexts(texts);
  const mayChange = useAbility('integrations');
  const mayUpload = useAbility('syncs');
  const pulls = integration.type === 'hr-integration';
  return (
    <>
      <Manage integration={integration} />
      {mayChange && <Switch integration={integration} />}
      {mayUpload && acceptsUpload(integration) && (
        <Button
          component={Link}
          to={`/integrations/${integration.id}/upload`}
          leftSection={<IconUpload size={16} aria-hidden />}
          {...(pulls ? { variant: 'default' } : {})}
        >
          {t('upload')}
        </Button>
      )}
      {mayUpload && pulls && integration.canTriggerSync && <SyncNow integration={integration} />}
    </>
  );
}

export function Component() {
  const t = useTexts(texts);
  const id = Number(useParams().id);
  const { data: integration, error, refetch } = useIntegration(id);
  const { data: connection, isLoading: isConnectionLoading } = useConnection(
    id,
    integration?.type === 'hr-integration',
  );
  const { data: recentSyncs, isLoading: areSyncsLoading } = useSyncs(id, recent);
  const syncs = recentSyncs?.data ?? [];
  const running = syncs.filter(isRunning);
  useReadAgainAfter(running.length > 0);
  const parent = { title: t('integrations'), to: '/integrations' };
  // All at once, because notices would move what is below them.
  if (integration === undefined || isConnectionLoading || areSyncsLoading) {
    return (
      <Page title={t('title')} parents={[parent]}>
        {error ? (
          <LoadProblem error={error} onRetry={() => void refetch()} parent={parent} />
        ) : (
          <RowsSkeleton rows={10} />
        )}
      </Page>
    );
  }
  const pulls = integration.type === 'hr-integration';
  const held = syncs.filter(({ heldRemovals }) => heldRemovals === 'pending');
  return (
    <Page
      title={integration.name}
      parents={[parent]}
      aside={<IntegrationBadge integration={integration} />}
      actions={<Actions integration={integration} />}
    >
      {pulls && connection && <ConnectionNotices integration={integration} connection={connection} />}
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
      {pulls && connection && connection.provider !== null && (
        <ConnectionSection integration={integration} connection={connection} />
      )}
      {!pulls &&
        integration.initialConnectionStatus === 'final-sync-pending' &&
        integration.canTriggerSync &&
        running.length === 0 && (
          <Section title={t('first')}>
            <Text size="sm" mb="sm">
              {t('firstUpload')}
            </Text>
            <details>
              <Text component="summary" size="sm">
                {t('firstApi')}
              </Text>
              <NextSteps integrationId={id} />
            </details>
          </Section>
        )}
      <Chart integrationId={id} syncs={syncs} />
      <History integrationId={id} />
    </Page>
  );
}
