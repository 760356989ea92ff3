import { Anchor, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import type { HrIntegration } from '../../../../../src/features/integrations/contract.ts';
import type { ExplainedSync } from '../../../../../src/features/roster/contract.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { BarChart } from '../../../ui/BarChart.tsx';
import { SyncBadge } from '../../../ui/badges.tsx';
import { CopyIcon } from '../../../ui/copy.tsx';
import { type Fact, Facts } from '../../../ui/Facts.tsx';
import { HealthLine, HealthStep, useHealth } from '../../../ui/health/Health.tsx';
import { IconRefreshOff } from '../../../ui/icons.gen.ts';
import { Page, PlainSection, Section } from '../../../ui/layout.tsx';
import { useListState } from '../../../ui/list-state.ts';
import { EmptyState, Query } from '../../../ui/Query.tsx';
import type { Column } from '../../../ui/rows.tsx';
import { DataTable } from '../../../ui/table.tsx';
import { Duration, Hint, syncAddress, TimeText } from '../../../ui/text.tsx';
import { isRunning, useConnection, useIntegration, useReadAgainAfter, useSyncs } from '../api.ts';
import { NextSteps } from '../CreateIntegration.tsx';
import { Actions } from './Actions.tsx';
import { CasesSection } from './Cases.tsx';
import { HintsSection } from './Hints.tsx';
import { ConnectionNotices, ConnectionSection, RunningNotice } from './Notices.tsx';
import { ScimSection } from './Scim.tsx';
import { texts } from './texts.ts';

const series = [
  ['created', 'rail-6'],
  ['updated', 'blue-5'],
  ['offboarded', 'gray-6'],
  ['failed', 'orange-6'],
] as const;

/**
 * The syncs in the chart. They suffice to find a running sync and removals pending approval, which a newer sync
 * replaces.
 */
const recent = { page: 1, perPage: 25 };

/** Renders the state in one sentence, what to do about it, and the button for that. */
function HealthCard({ integration }: { integration: HrIntegration }) {
  const { t } = useReader(texts);
  const { todo } = useHealth(integration);
  return (
    <Section title={t('health')}>
      <Group justify="space-between" gap="sm">
        <Stack gap={4} flex="1 1 260px">
          <HealthLine integration={integration} />
          {todo !== null && <Text>{todo}</Text>}
        </Stack>
        <HealthStep integration={integration} withUpload={false} />
      </Group>
    </Section>
  );
}

function About({ integration }: { integration: HrIntegration }) {
  const { t, words } = useReader(texts);
  const { id, type, lastSynced } = integration;
  const facts: Fact[] = [
    [
      t('id'),
      <Group key="id" gap={4} component="span">
        {id}
        <CopyIcon value={String(id)} />
      </Group>,
    ],
    [t('type'), words.integrationType[type]],
    [t('lastCompleted'), lastSynced === null ? t('never') : <TimeText key="at" at={lastSynced} exact />],
  ];
  return <Facts title={t('details')} facts={facts} labelWidth={155} />;
}

function Chart({ integrationId, syncs }: { integrationId: number; syncs: readonly ExplainedSync[] }) {
  const { t, formats } = useReader(texts);
  const ended = syncs.filter((sync) => !isRunning(sync));
  if (ended.length === 0) return null;
  const isQuiet = ended.every(({ counts: { created, updated, offboarded, held, failed } }) =>
    [created, updated, offboarded, held, failed].every((count) => count === 0),
  );
  return (
    <Section title={t('chart')}>
      <Hint mb="sm">{isQuiet ? t('nothingChanged') : t('chartHint', { count: ended.length })}</Hint>
      {!isQuiet && (
        <BarChart
          series={series.map(([name, colour]) => ({ label: t(name), colour }))}
          bars={ended.toReversed().map(({ acceptedAt, syncId, counts }) => ({
            id: formats.time(acceptedAt),
            label: formats.shortDay(acceptedAt.slice(0, 10)),
            values: [counts.created, counts.updated, counts.offboarded, counts.failed + counts.held],
            to: syncAddress(integrationId, syncId),
          }))}
          format={formats.number}
        />
      )}
    </Section>
  );
}

const countNames = ['created', 'updated', 'offboarded'] as const;

/** Lists every roster that was sent, newest first. */
function History({ integrationId }: { integrationId: number }) {
  const { t, formats } = useReader(texts);
  const { number } = formats;
  const list = useListState();
  const syncs = useSyncs(integrationId, { page: list.page, perPage: list.perPage });
  const figure = (value: number) => (
    <Text span inherit className="figures" c={value === 0 ? 'dimmed' : 'inherit'}>
      {number(value)}
    </Text>
  );
  const right = (header: string, render: Column<ExplainedSync>['render']): Column<ExplainedSync> => ({
    header,
    render,
    align: 'right',
    wideOnly: true,
  });
  const columns: Column<ExplainedSync>[] = [
    {
      header: t('sync'),
      render: ({ syncId, fileName }) => (
        <Anchor
          component={Link}
          to={syncAddress(integrationId, syncId)}
          inherit
          display="block"
          miw={90}
          style={{ overflowWrap: 'anywhere' }}
        >
          {fileName ?? syncId}
        </Anchor>
      ),
    },
    { header: t('result'), render: (sync) => <SyncBadge sync={sync} /> },
    {
      header: t('when'),
      render: ({ acceptedAt }) => (
        <span style={{ whiteSpace: 'nowrap' }}>
          <TimeText at={acceptedAt} exact />
        </span>
      ),
      wideOnly: true,
    },
    right(t('duration'), ({ durationMs }) => <Duration millis={durationMs} />),
    right(t('entries'), ({ entries }) => figure(entries)),
    ...countNames.map((name) => right(t(name), ({ counts }) => figure(counts[name]))),
    right(t('failed'), ({ counts }) => figure(counts.failed + counts.held)),
  ];
  return (
    <PlainSection title={t('syncs')}>
      <DataTable
        label={t('syncs')}
        columns={columns}
        query={syncs}
        list={list}
        rowKey={({ syncId }) => syncId}
        empty={<EmptyState icon={IconRefreshOff} title={t('noSyncs')} hint={t('noSyncsHint')} />}
      />
    </PlainSection>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const id = Number(useParams().id);
  const query = useIntegration(id);
  const { data: integration } = query;
  const { data: connection, isLoading: isConnectionLoading } = useConnection(
    id,
    integration?.type === 'hr-integration',
  );
  const { data: recentSyncs, isLoading: areSyncsLoading } = useSyncs(id, recent);
  const syncs = recentSyncs?.data ?? [];
  const running = syncs.filter(isRunning);
  useReadAgainAfter(running.length > 0);
  const parent = { title: t('integrations'), to: '/integrations' };
  const pulls = integration?.type === 'hr-integration';
  const hasCases = !pulls || (connection?.provider != null && connection.provider !== 'sftp-csv');
  // All at once, because notices and buttons would move what is below them.
  const isWaiting = isConnectionLoading || areSyncsLoading;
  const shown = isWaiting ? undefined : integration;
  return (
    <Page title={shown?.name ?? t('integration')} parents={[parent]} actions={shown && <Actions integration={shown} />}>
      <Query of={query} parent={parent} rows={10} isWaiting={isWaiting}>
        {(one) => (
          <>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <HealthCard integration={one} />
              <About integration={one} />
            </SimpleGrid>
            {pulls && connection && <ConnectionNotices integration={one} connection={connection} />}
            {running.map((sync) => (
              <RunningNotice key={sync.syncId} integrationId={id} sync={sync} />
            ))}
            {pulls && connection && connection.provider !== null && (
              <>
                <ConnectionSection integration={one} connection={connection} />
                <HintsSection integrationId={id} connection={connection} />
              </>
            )}
            {!pulls &&
              one.initialConnectionStatus === 'final-sync-pending' &&
              one.canTriggerSync &&
              running.length === 0 && (
                <Section title={t('first')}>
                  <Text mb="sm">{t('firstUpload')}</Text>
                  <details>
                    <Text component="summary">{t('firstApi')}</Text>
                    <NextSteps integrationId={id} />
                  </details>
                </Section>
              )}
            {!pulls && <ScimSection integrationId={id} />}
            <Chart integrationId={id} syncs={syncs} />
            <History integrationId={id} />
            {/* Last, because it appears when it is loaded. */}
            {hasCases && <CasesSection integrationId={id} kind={pulls ? 'pull' : 'scim'} />}
          </>
        )}
      </Query>
    </Page>
  );
}
