import { Anchor, Text } from '@mantine/core';
import { IconRefreshOff } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ExplainedSync } from '../../../../../src/features/roster/contract.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { SyncBadge } from '../../../ui/badges.tsx';
import { PlainSection } from '../../../ui/layout.tsx';
import { EmptyState } from '../../../ui/Query.tsx';
import { type Column, DataTable, useListState } from '../../../ui/table.tsx';
import { Duration, syncAddress, TimeText } from '../../../ui/text.tsx';
import { useSyncs } from '../api.ts';
import { texts } from './texts.ts';

const countNames = ['created', 'updated', 'offboarded'] as const;

/** Lists every roster that was sent, newest first. */
export function History({ integrationId }: { integrationId: number }) {
  const { t, formats } = useReader(texts);
  const { number } = formats;
  const list = useListState();
  const syncs = useSyncs(integrationId, { page: list.page, perPage: list.perPage });
  const figure = (value: number) => (
    <Text span inherit className="figures" c={value === 0 ? 'dimmed' : 'inherit'}>
      {number(value)}
    </Text>
  );
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
    {
      header: t('duration'),
      render: ({ durationMs }) => <Duration millis={durationMs} />,
      align: 'right',
      wideOnly: true,
    },
    { header: t('entries'), render: ({ entries }) => figure(entries), align: 'right', wideOnly: true },
    ...countNames.map(
      (name): Column<ExplainedSync> => ({
        header: t(name),
        render: ({ counts }) => figure(counts[name]),
        align: 'right',
        wideOnly: true,
      }),
    ),
    {
      header: t('failed'),
      render: ({ counts }) => figure(counts.failed + counts.held),
      align: 'right',
      wideOnly: true,
    },
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
