import { Card, Select, SimpleGrid } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { actorTypes } from '../../../../src/domain/enums.ts';
import type { ActivityEntry } from '../../../../src/features/activity/contract.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { ClearFilters } from '../../ui/ClearFilters.tsx';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { DayRange } from '../../ui/DayRange.tsx';
import { type ListState, useListState } from '../../ui/list-state.ts';
import { Page } from '../../ui/Page.tsx';
import { useActivity } from './api.ts';
import { Actor, Entry, Moment, NarrowEntry } from './Entry.tsx';
import { ExportActivity } from './ExportActivity.tsx';
import { kinds, texts } from './texts.ts';

const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];

/** Returns the filters in the address bar, which may contain anything. Omits values that the API would refuse. */
function filtersOf(list: ListState) {
  return {
    actorType: list.words('actorType', actorTypes)[0],
    action: list.words('action', kindNames)[0],
    from: list.day('from'),
    to: list.day('to'),
  };
}

function Filters({ list }: { list: ListState }) {
  const t = useTexts(texts);
  const kindName = useTexts(kinds);
  const words = useWords();
  const { actorType, action } = filtersOf(list);
  return (
    <Card padding="md" component="section" aria-label={t('filters')}>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Select
          label={t('actorType')}
          placeholder={t('everybody')}
          data={actorTypes.map((value) => ({ value, label: words.actor[value] }))}
          value={actorType ?? null}
          onChange={(value) => list.set({ actorType: value })}
          clearable
        />
        <Select
          label={t('kind')}
          placeholder={t('everything')}
          data={kindNames.map((value) => ({ value, label: kindName(value) }))}
          value={action ?? null}
          onChange={(value) => list.set({ action: value })}
          clearable
        />
        <DayRange list={list} />
      </SimpleGrid>
      <ClearFilters list={list} mt="sm" size="compact-sm" variant="subtle" />
    </Card>
  );
}

export function Component() {
  const t = useTexts(texts);
  const list = useListState();
  const query = useActivity({ page: list.page, perPage: list.perPage, ...filtersOf(list) });
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const wide: Column<ActivityEntry>[] = [
    { header: t('when'), render: ({ at }) => <Moment at={at} /> },
    { header: t('who'), render: (entry) => <Actor entry={entry} /> },
    { header: t('what'), render: (entry) => <Entry entry={entry} /> },
  ];
  const narrow: Column<ActivityEntry>[] = [{ header: t('what'), render: (entry) => <NarrowEntry entry={entry} /> }];
  return (
    <Page title={t('title')} description={t('description')} actions={<ExportActivity query={filtersOf(list)} />}>
      <Filters list={list} />
      <DataTable label={t('list')} columns={isWide ? wide : narrow} query={query} list={list} rowKey={({ id }) => id} />
    </Page>
  );
}
