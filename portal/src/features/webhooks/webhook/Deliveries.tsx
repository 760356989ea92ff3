import { Anchor, Card, Group, MultiSelect, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconMailbox } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { deliveryStates, eventTypes } from '../../../../../src/domain/enums.ts';
import type { WebhookDelivery } from '../../../../../src/features/webhooks/contract.ts';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { useWords } from '../../../app/i18n/words.ts';
import { ClearFilters } from '../../../ui/ClearFilters.tsx';
import { type Column, DataTable } from '../../../ui/DataTable.tsx';
import { Duration } from '../../../ui/Duration.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { TimeText } from '../../../ui/figures.tsx';
import { type ListState, useListState } from '../../../ui/list-state.ts';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { useDeliveries } from '../api.ts';
import { texts } from './texts.ts';

function filtersOf(list: ListState) {
  const [states, types] = [list.words('states', deliveryStates), list.words('types', eventTypes)];
  const hour = new Date(list.text('attemptedIn'));
  return {
    states: states.length > 0 ? states : undefined,
    types: types.length > 0 ? types : undefined,
    attemptedIn: Number.isNaN(hour.getTime()) ? undefined : hour.toISOString(),
  };
}

function Filters({ list }: { list: ListState }) {
  const t = useTexts(texts);
  const words = useWords();
  const { time } = useFormats();
  const { states = [], types = [], attemptedIn } = filtersOf(list);
  return (
    <Card padding="md" role="search" aria-label={t('log')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <MultiSelect
          label={t('states')}
          placeholder={states.length === 0 ? t('allStates') : ''}
          data={deliveryStates.map((value) => ({ value, label: words.deliveryState[value] }))}
          value={states}
          onChange={(value) => list.set({ states: value })}
        />
        <MultiSelect
          label={t('types')}
          placeholder={types.length === 0 ? t('allEvents') : ''}
          data={eventTypes.map((value) => ({ value, label: words.eventType[value] }))}
          value={types}
          onChange={(value) => list.set({ types: value })}
          maxDropdownHeight={300}
        />
      </SimpleGrid>
      {attemptedIn !== undefined && (
        <Text size="sm" mt="sm">
          {t('attemptedIn', { hour: time(attemptedIn) })}
        </Text>
      )}
      <ClearFilters list={list} mt="sm" size="compact-sm" variant="subtle" />
    </Card>
  );
}

function useColumns(onShow: (sequence: number) => void): Column<WebhookDelivery>[] {
  const t = useTexts(texts);
  const { number } = useFormats();
  const words = useWords();
  return [
    {
      header: t('event'),
      render: ({ sequence, eventType }) => (
        <div>
          <Anchor
            component="button"
            type="button"
            inherit
            ta="left"
            aria-label={t('detailsOf', { event: words.eventType[eventType], sequence: String(sequence) })}
            onClick={() => onShow(sequence)}
          >
            {words.eventType[eventType]}
          </Anchor>
          <Text size="xs" c="dimmed" className="figures">
            {sequence}
          </Text>
        </div>
      ),
    },
    { header: t('state'), render: ({ state }) => <StatusBadge of="deliveryState" word={state} /> },
    {
      header: t('response'),
      render: ({ attempts, status }) => (
        <Text size="sm" className="figures" style={{ whiteSpace: 'nowrap' }}>
          {attempts === 0 ? '–' : (status ?? t('noResponse'))}
        </Text>
      ),
    },
    {
      header: t('when'),
      render: ({ attemptedAt }) => (
        <span style={{ whiteSpace: 'nowrap' }}>
          <TimeText at={attemptedAt} exact isRealTime />
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
    { header: t('attempts'), render: ({ attempts }) => number(attempts), align: 'right', wideOnly: true },
  ];
}

interface Props {
  webhookId: number;
  onShow(sequence: number): void;
  /** Shown at the right end of the heading. */
  aside: ReactNode;
}

/** Lists every delivery of the last 30 days, newest event first. */
export function Deliveries({ webhookId, onShow, aside }: Props) {
  const t = useTexts(texts);
  const heading = useId();
  const list = useListState();
  const filters = filtersOf(list);
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  const query = useDeliveries(webhookId, { page: list.page, perPage: list.perPage, ...filters });
  const columns = useColumns(onShow);
  const empty = <EmptyState icon={IconMailbox} title={t('noDeliveries')} hint={t('noDeliveriesHint')} />;
  const isEmpty = !isFiltered && query.data?.total === 0;
  return (
    <Stack component="section" gap="sm" aria-labelledby={heading}>
      <Group justify="space-between" gap="xs">
        <Title order={2} id={heading}>
          {t('log')}
        </Title>
        {aside}
      </Group>
      {!isEmpty && <Filters list={list} />}
      <DataTable
        label={t('log')}
        columns={columns}
        query={query}
        list={list}
        rowKey={({ sequence }) => sequence}
        {...(isEmpty ? { empty } : {})}
      />
    </Stack>
  );
}
