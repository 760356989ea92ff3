import { Anchor, Badge, Card, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { statusClasses } from '../../../../src/domain/choices.ts';
import type { ApiRequest } from '../../../../src/features/requests/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { CopyIcon } from '../../ui/copy.tsx';
import { DayRange } from '../../ui/DateField.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { IconListSearch, IconRefresh } from '../../ui/icons.gen.ts';
import { Page, useIsWide } from '../../ui/layout.tsx';
import { type ListState, useListState } from '../../ui/list-state.ts';
import { EmptyState, Query, RoleGate } from '../../ui/Query.tsx';
import { Rows } from '../../ui/rows.tsx';
import { ChoiceFilter, FilterCard, NothingFound, WordsFilter } from '../../ui/table.tsx';
import { Small, TimeText } from '../../ui/text.tsx';
import { useKeys } from '../keys/api.ts';
import { useRequests } from './api.ts';
import { texts } from './texts.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the filters in the address bar, which may contain anything. Omits values that the API would refuse. */
function filtersOf(list: ListState) {
  const requestId = list.text('requestId').trim().toLowerCase();
  return {
    key: list.text('key') || undefined,
    statusClasses: list.words('statusClasses', statusClasses),
    method: list.words('method', methods)[0],
    path: list.text('path').slice(0, 200) || undefined,
    requestId: uuid.test(requestId) ? requestId : undefined,
    from: list.day('from'),
    to: list.day('to'),
  };
}

/** Renders the filters of the log. The address bar stores all of them. */
function Filters({ list }: { list: ListState }) {
  const { t } = useReader(texts);
  const keys = useKeys().data ?? [];
  const filters = filtersOf(list);
  return (
    <FilterCard list={list} label={t('filters')} cols={{ base: 2, md: 4 }}>
      <ChoiceFilter
        list={list}
        name="key"
        label={t('apiKey')}
        all={t('all')}
        data={keys.map(({ username, name }) => ({ value: username, label: `${name} (…${username.slice(-4)})` }))}
      />
      <WordsFilter
        list={list}
        name="statusClasses"
        values={statusClasses}
        names={Object.fromEntries(statusClasses.map((value) => [value, t(value)]))}
        label={t('states')}
        all={t('all')}
      />
      <ChoiceFilter
        list={list}
        name="method"
        label={t('method')}
        all={t('all')}
        data={methods.map((value) => ({ value, label: value }))}
      />
      <SearchField
        label={t('path')}
        placeholder={t('pathHint')}
        value={list.text('path')}
        onSearch={(path) => list.set({ path })}
        maxLength={200}
      />
      <SearchField
        label={t('requestId')}
        placeholder={t('requestIdHint')}
        value={list.text('requestId')}
        onSearch={(requestId) => list.set({ requestId })}
        error={list.text('requestId') !== '' && filters.requestId === undefined && t('wrongId')}
        maxLength={100}
      />
      <DayRange list={list} />
    </FilterCard>
  );
}

const statusColour = (status: number) => (status >= 500 ? 'red' : status >= 400 ? 'orange' : 'teal');

const Status = ({ of: { status } }: { of: ApiRequest }) => (
  <Badge color={statusColour(status)} className="figures">
    {status}
  </Badge>
);

function What({ of: { id, method, path, problem } }: { of: ApiRequest }) {
  const { t } = useReader(texts);
  return (
    <Stack gap={2}>
      <Text ff="monospace" className="breakable">
        {method} {path}
      </Text>
      {problem !== null && (
        <Text size="xs">
          {t('problem')}:{' '}
          <Anchor href={`/docs/errors#${problem}`} target="_blank" inherit underline="always">
            {problem}
          </Anchor>
        </Text>
      )}
      <Group gap={4} wrap="nowrap">
        <Anchor component={Link} to={`/requests?requestId=${id}`} size="xs" c="dimmed" aria-label={t('linkTo', { id })}>
          <Code fz="xs" bg="transparent" p={0}>
            {id}
          </Code>
        </Anchor>
        <CopyIcon value={id} label={t('copyId')} />
      </Group>
    </Stack>
  );
}

const KeyLink = ({ of: { key, keyName } }: { of: ApiRequest }) => (
  <Anchor component={Link} to={`/keys/${key}`} className="breakable">
    {keyName ?? key}
  </Anchor>
);

function Requests({ requests }: { requests: readonly ApiRequest[] }) {
  const { t, formats } = useReader(texts);
  const { number } = formats;
  const isWide = useIsWide('62em');
  const duration = ({ ms }: ApiRequest) => t('milliseconds', { ms: number(ms) });
  if (!isWide) {
    return (
      <Stack component="ul" gap={0} className="plain-list" aria-label={t('requests')}>
        {requests.map((one) => (
          <Stack component="li" key={one.id} gap={4} p="sm" className="lined">
            <Group gap="xs">
              <Status of={one} />
              <Small className="figures">
                <TimeText at={one.at} exact isRealTime /> · {duration(one)}
              </Small>
            </Group>
            <What of={one} />
            <KeyLink of={one} />
          </Stack>
        ))}
      </Stack>
    );
  }
  return (
    <Rows
      label={t('requests')}
      rows={requests}
      rowKey={({ id }) => id}
      columns={[
        {
          header: t('when'),
          cell: { style: { whiteSpace: 'nowrap' } },
          render: ({ at }) => <TimeText at={at} exact isRealTime />,
        },
        { header: t('states'), render: (one) => <Status of={one} /> },
        { header: t('request'), render: (one) => <What of={one} /> },
        { header: t('apiKey'), render: (one) => <KeyLink of={one} /> },
        {
          header: t('duration'),
          align: 'right',
          cell: { className: 'figures', style: { whiteSpace: 'nowrap' } },
          render: duration,
        },
      ]}
    />
  );
}

function Empty({ list }: { list: ListState }) {
  const { t } = useReader(texts);
  const start = <Action to="/getting-started" variant="default" label={t('toGettingStarted')} />;
  return (
    <Card>
      {list.isFiltered ? (
        <NothingFound list={list} />
      ) : (
        <EmptyState icon={IconListSearch} title={t('emptyTitle')} hint={t('emptyHint')} actions={start} />
      )}
    </Card>
  );
}

function Log() {
  const { t } = useReader(texts);
  const list = useListState();
  const log = useRequests(filtersOf(list));
  const requests = log.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <Filters list={list} />
      <Query of={{ ...log, data: requests }} rows={10} empty={<Empty list={list} />}>
        {(shown) => (
          <Card padding={0}>
            <Requests requests={shown} />
            <Group justify="space-between" p="sm" gap="xs">
              <Text c="dimmed" role="status">
                {t('shown', { count: shown.length })}
                {!log.hasNextPage && `. ${t('end')}`}
              </Text>
              {log.hasNextPage && (
                <Action
                  variant="default"
                  onClick={() => void log.fetchNextPage()}
                  loading={log.isFetchingNextPage}
                  label={t('older')}
                />
              )}
            </Group>
          </Card>
        )}
      </Query>
    </>
  );
}

function Refresh() {
  const { t } = useReader(texts);
  const { refetch, isRefetching } = useRequests(filtersOf(useListState()));
  return (
    <Action
      variant="default"
      icon={IconRefresh}
      onClick={() => void refetch()}
      loading={isRefetching}
      label={t('refresh')}
    />
  );
}

export function Component() {
  const { t } = useReader(texts);
  return (
    <RoleGate ability="keys">
      <Page title={t('requests')} description={t('description')} actions={<Refresh />}>
        <Log />
      </Page>
    </RoleGate>
  );
}
