import { Box, Code, Group, Text } from '@mantine/core';
import { eventTypes } from '../../../../src/domain/enums.ts';
import type { EventsQuery, LoggedEvent } from '../../../../src/features/events/contract.ts';
import { useGetPage } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { CodeBlock } from '../../ui/copy.tsx';
import { IconTimelineEvent } from '../../ui/icons.gen.ts';
import { Expander, Page } from '../../ui/layout.tsx';
import { useListState } from '../../ui/list-state.ts';
import { EmptyState } from '../../ui/Query.tsx';
import type { Column } from '../../ui/rows.tsx';
import { DataTable, FilterCard, WordsFilter } from '../../ui/table.tsx';
import { Small, TimeText } from '../../ui/text.tsx';
import { texts } from './texts.ts';

function EventView({ event: { type, sequence, id, occurredAt, payload } }: { event: LoggedEvent }) {
  const { t, words } = useReader(texts);
  return (
    <div>
      <Group gap="2px 8px">
        <Text fw={500}>{words.eventType[type]}</Text>
        <Code fz="xs">{type}</Code>
      </Group>
      <Small hiddenFrom="sm">
        <TimeText at={occurredAt} exact />
      </Small>
      <Expander label={t('payload')} name={t('showOf', { sequence: String(sequence) })}>
        <Small my={6} className="breakable">
          {id}
        </Small>
        {/* Long lines scroll inside the block, instead of widening the table. */}
        <Box maw={{ base: 'calc(100vw - 150px)', sm: 'calc(100vw - 600px)' }}>
          <CodeBlock label={t('payload')} code={JSON.stringify(payload, undefined, 2)} />
        </Box>
      </Expander>
    </div>
  );
}

export function Component() {
  const { t, words } = useReader(texts);
  const list = useListState();
  const query = useGetPage<LoggedEvent, EventsQuery>(['events'], '/events', {
    page: list.page,
    perPage: list.perPage,
    types: list.words('types', eventTypes),
  });
  const isEmpty = !list.isFiltered && query.data?.total === 0;
  const columns: Column<LoggedEvent>[] = [
    { header: t('sequence'), cell: { className: 'figures' }, render: ({ sequence }) => sequence },
    { header: t('event'), render: (event) => <EventView event={event} /> },
    {
      header: t('when'),
      cell: { style: { whiteSpace: 'nowrap' } },
      render: ({ occurredAt }) => <TimeText at={occurredAt} exact />,
      wideOnly: true,
    },
  ];
  return (
    <Page title={t('events')} description={t('description')}>
      {!isEmpty && (
        <FilterCard list={list} label={t('events')} cols={1}>
          <WordsFilter
            list={list}
            name="types"
            values={eventTypes}
            names={words.eventType}
            label={t('filter')}
            all={t('all')}
            maxDropdownHeight={320}
            clearable
          />
        </FilterCard>
      )}
      <DataTable
        label={t('events')}
        columns={columns}
        query={query}
        list={list}
        rowKey={({ sequence }) => sequence}
        empty={<EmptyState icon={IconTimelineEvent} title={t('emptyTitle')} hint={t('emptyHint')} />}
      />
    </Page>
  );
}
