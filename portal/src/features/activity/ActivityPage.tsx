import { Anchor, Box, Code, Text } from '@mantine/core';
import { Link } from 'react-router';
import { actorTypes } from '../../../../src/domain/enums.ts';
import type { ActivityEntry, ActivityQuery } from '../../../../src/features/activity/contract.ts';
import { useGetPage } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { useWords } from '../../app/i18n/words.ts';
import { DayRange } from '../../ui/DateField.tsx';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import { Expander, Page, useIsWide } from '../../ui/layout.tsx';
import { type ListState, useListState } from '../../ui/list-state.ts';
import type { Column } from '../../ui/rows.tsx';
import { ChoiceFilter, DataTable, FilterCard } from '../../ui/table.tsx';
import { Small, TimeText } from '../../ui/text.tsx';
import { ExportActivity } from './ExportActivity.tsx';
import { addressOf, useEntryWords } from './entry-words.ts';
import { kinds, texts } from './texts.ts';

/** Renders the actor's name, then its type. The operator and the service have no name. */
function Actor({ entry: { actorType, actor } }: { entry: ActivityEntry }) {
  const words = useWords();
  const width = { miw: 130, maw: 260 };
  if (actor === null) {
    return <Text {...width}>{words.actor[actorType]}</Text>;
  }
  const key = actorType === 'key' ? /^(.*) \((\S+)\)$/s.exec(actor) : null;
  return (
    <Box {...width}>
      <Text style={{ overflowWrap: 'anywhere' }}>
        {key === null ? (
          actor
        ) : (
          <Anchor component={Link} to={`/keys/${key[2]}`} inherit>
            {key[1]}
          </Anchor>
        )}
      </Text>
      <Small>
        {words.actor[actorType]} {key && <Code fz="xs">{key[2]}</Code>}
      </Small>
    </Box>
  );
}

interface Props {
  entry: ActivityEntry;
}

function Entry({ entry }: Props) {
  const { t } = useReader(texts);
  const words = useEntryWords();
  const what = words.sentence(entry);
  const address = addressOf(entry);
  const facts: (Fact | false)[] = [
    ...words.details(entry),
    entry.target !== null && [t('target'), <Code key="target">{entry.target}</Code>],
    [t('when'), <Code key="when">{entry.at}</Code>],
    [t('action'), <Code key="action">{entry.action}</Code>],
    [t('entry'), String(entry.id)],
  ];
  const link = address && (
    <Anchor component={Link} to={address} size="xs" aria-label={t('showOf', { what })}>
      {t('show')}
    </Anchor>
  );
  return (
    <div>
      <Text fw={500} className="breakable">
        {what}
      </Text>
      <Expander label={t('details')} name={t('detailsOf', { what })} beside={link}>
        <Facts size="xs" mt="xs" labelWidth={110} facts={facts} />
      </Expander>
    </div>
  );
}

function NarrowEntry({ entry }: Props) {
  const words = useWords();
  const { at, actorType, actor } = entry;
  return (
    <div>
      <Small mb={2} style={{ overflowWrap: 'anywhere' }}>
        <TimeText at={at} exact /> · {words.actor[actorType]}
        {actor !== null && ` · ${actor}`}
      </Small>
      <Entry entry={entry} />
    </div>
  );
}

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
  const { t, words } = useReader(texts);
  const { t: kindName } = useReader(kinds);
  return (
    <FilterCard list={list} label={t('filters')} cols={{ base: 2, md: 4 }}>
      <ChoiceFilter
        list={list}
        name="actorType"
        label={t('performedBy')}
        all={t('everybody')}
        data={actorTypes.map((value) => ({ value, label: words.actor[value] }))}
      />
      <ChoiceFilter
        list={list}
        name="action"
        label={t('kind')}
        all={t('all')}
        data={kindNames.map((value) => ({ value, label: kindName(value) }))}
      />
      <DayRange list={list} />
    </FilterCard>
  );
}

export function Component() {
  const { t } = useReader(texts);
  const list = useListState();
  const query = useGetPage<ActivityEntry, ActivityQuery>(['activity'], '/activity', {
    page: list.page,
    perPage: list.perPage,
    ...filtersOf(list),
  });
  const isWide = useIsWide('48em');
  const wide: Column<ActivityEntry>[] = [
    { header: t('when'), cell: { style: { whiteSpace: 'nowrap' } }, render: ({ at }) => <TimeText at={at} exact /> },
    { header: t('performedBy'), render: (entry) => <Actor entry={entry} /> },
    { header: t('what'), render: (entry) => <Entry entry={entry} /> },
  ];
  const narrow: Column<ActivityEntry>[] = [{ header: t('what'), render: (entry) => <NarrowEntry entry={entry} /> }];
  return (
    <Page title={t('activity')} description={t('description')} actions={<ExportActivity query={filtersOf(list)} />}>
      <Filters list={list} />
      <DataTable
        label={t('activity')}
        columns={isWide ? wide : narrow}
        query={query}
        list={list}
        rowKey={({ id }) => id}
      />
    </Page>
  );
}
