import { Button, Card, Select, SimpleGrid } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconFilterOff } from '@tabler/icons-react';
import { useActivity } from '../../api/activity.ts';
import { actorTypes } from '../../api/enums.ts';
import type { ActivityEntry } from '../../api/types.gen.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { DateField } from '../../components/DateField.tsx';
import { type ListState, useListState } from '../../components/list-state.ts';
import { Page } from '../../components/Page.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useWords } from '../../i18n/words.ts';
import { de, kinds as germanKinds } from './de.ts';
import { Actor, Entry, Moment, NarrowEntry } from './Entry.tsx';
import { en, kinds as englishKinds } from './en.ts';

const kindNames = Object.keys(englishKinds) as (keyof typeof englishKinds)[];

const isDay = (text: string) => {
  const moment = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
};

/** Returns the filters in the address bar, which may contain anything. Omits values that the API would refuse. */
function filtersOf(list: ListState) {
  const day = (name: string) => (isDay(list.text(name)) ? list.text(name) : undefined);
  return {
    actorType: list.words('actorType', actorTypes)[0],
    action: list.words('action', kindNames)[0],
    from: day('from'),
    to: day('to'),
  };
}

function Filters({ list }: { list: ListState }) {
  const t = useTexts({ en, de });
  const kindName = useTexts({ en: englishKinds, de: germanKinds });
  const words = useWords();
  const { actorType, action, from, to } = filtersOf(list);
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
        <DateField
          label={t('from')}
          value={from ?? null}
          onChange={(value) => list.set({ from: value })}
          {...(to ? { maxDate: to } : {})}
          clearable
        />
        <DateField
          label={t('to')}
          value={to ?? null}
          onChange={(value) => list.set({ to: value })}
          {...(from ? { minDate: from } : {})}
          clearable
        />
      </SimpleGrid>
      {(actorType ?? action ?? from ?? to) !== undefined && (
        <Button
          mt="sm"
          size="compact-sm"
          variant="subtle"
          w="fit-content"
          leftSection={<IconFilterOff size={15} aria-hidden />}
          onClick={() => list.set({ actorType: null, action: null, from: null, to: null })}
        >
          {t('clear')}
        </Button>
      )}
    </Card>
  );
}

export function Component() {
  const t = useTexts({ en, de });
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
    <Page title={t('title')} description={t('description')}>
      <Filters list={list} />
      <DataTable label={t('list')} columns={isWide ? wide : narrow} query={query} list={list} rowKey={({ id }) => id} />
    </Page>
  );
}
