import { Anchor, Badge, Button, Card, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconListSearch, IconRefresh } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ApiRequest } from '../../../../src/features/requests/contract.ts';
import { useCommonTexts } from '../../app/i18n/common.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { ClearFilters } from '../../ui/ClearFilters.tsx';
import { CopyIcon } from '../../ui/CopyIcon.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { TimeText } from '../../ui/figures.tsx';
import { type ListState, useListState } from '../../ui/list-state.ts';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { RoleGate } from '../../ui/RoleGate.tsx';
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx';
import { useRequests } from './api.ts';
import { Filters } from './Filters.tsx';
import { filtersOf } from './filters.ts';
import { texts } from './texts.ts';

const statusColour = (status: number) => (status >= 500 ? 'red' : status >= 400 ? 'orange' : 'teal');

const Status = ({ of: { status } }: { of: ApiRequest }) => (
  <Badge color={statusColour(status)} className="figures">
    {status}
  </Badge>
);

function What({ of: { id, method, path, problem } }: { of: ApiRequest }) {
  const t = useTexts(texts);
  return (
    <Stack gap={2}>
      <Text size="sm" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
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
  <Anchor component={Link} to={`/keys/${key}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
    {keyName ?? key}
  </Anchor>
);

function Rows({ requests }: { requests: readonly ApiRequest[] }) {
  const t = useTexts(texts);
  const { number } = useFormats();
  const isWide = useMediaQuery('(min-width: 62em)', undefined, { getInitialValueInEffect: false });
  const duration = ({ ms }: ApiRequest) => t('milliseconds', { ms: number(ms) });
  if (!isWide) {
    return (
      <Stack component="ul" m={0} p={0} gap={0} style={{ listStyle: 'none' }} aria-label={t('list')}>
        {requests.map((one) => (
          <Stack component="li" key={one.id} gap={4} p="sm" className="lined">
            <Group gap="xs">
              <Status of={one} />
              <Text size="xs" c="dimmed" className="figures" component="div">
                <TimeText at={one.at} exact isRealTime /> · {duration(one)}
              </Text>
            </Group>
            <What of={one} />
            <KeyLink of={one} />
          </Stack>
        ))}
      </Stack>
    );
  }
  return (
    <Table className="data-table" highlightOnHover aria-label={t('list')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('when')}</Table.Th>
          <Table.Th>{t('status')}</Table.Th>
          <Table.Th>{t('request')}</Table.Th>
          <Table.Th>{t('key')}</Table.Th>
          <Table.Th ta="right">{t('duration')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {requests.map((one) => (
          <Table.Tr key={one.id}>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <TimeText at={one.at} exact isRealTime />
            </Table.Td>
            <Table.Td>
              <Status of={one} />
            </Table.Td>
            <Table.Td>
              <What of={one} />
            </Table.Td>
            <Table.Td>
              <KeyLink of={one} />
            </Table.Td>
            <Table.Td ta="right" className="figures" style={{ whiteSpace: 'nowrap' }}>
              {duration(one)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Empty({ list }: { list: ListState }) {
  const t = useTexts(texts);
  const common = useCommonTexts();
  if (list.isFiltered) {
    const clear = <ClearFilters list={list} />;
    return <EmptyState title={common('nothingFound')} hint={common('nothingFoundHint')} actions={clear} />;
  }
  const start = (
    <Button component={Link} to="/getting-started" variant="default">
      {t('toGettingStarted')}
    </Button>
  );
  return <EmptyState icon={IconListSearch} title={t('emptyTitle')} hint={t('emptyHint')} actions={start} />;
}

function Log() {
  const t = useTexts(texts);
  const list = useListState();
  const log = useRequests(filtersOf(list));
  const requests = log.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      <Filters list={list} />
      <ProblemAlert error={log.error} onRetry={() => void log.refetch()} />
      {requests === undefined && !log.error && <RowsSkeleton rows={10} />}
      {requests?.length === 0 && (
        <Card>
          <Empty list={list} />
        </Card>
      )}
      {requests !== undefined && requests.length > 0 && (
        <Card padding={0}>
          <Rows requests={requests} />
          <Group justify="space-between" p="sm" gap="xs">
            <Text size="sm" c="dimmed" role="status">
              {t('shown', { count: requests.length })}
              {!log.hasNextPage && `. ${t('end')}`}
            </Text>
            {log.hasNextPage && (
              <Button variant="default" onClick={() => void log.fetchNextPage()} loading={log.isFetchingNextPage}>
                {t('older')}
              </Button>
            )}
          </Group>
        </Card>
      )}
    </>
  );
}

function Refresh() {
  const t = useTexts(texts);
  const { refetch, isRefetching } = useRequests(filtersOf(useListState()));
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      onClick={() => void refetch()}
      loading={isRefetching}
    >
      {t('refresh')}
    </Button>
  );
}

export function Component() {
  const t = useTexts(texts);
  return (
    <RoleGate ability="keys">
      <Page title={t('title')} description={t('description')} actions={<Refresh />}>
        <Log />
      </Page>
    </RoleGate>
  );
}
