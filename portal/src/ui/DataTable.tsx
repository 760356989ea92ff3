import { Card, Group, Pagination, Select, Skeleton, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Page } from '../app/api/request.ts';
import { useCommonTexts } from '../app/i18n/common.ts';
import { useFormats } from '../app/i18n/formats.ts';
import { ClearFilters } from './ClearFilters.tsx';
import { EmptyState } from './EmptyState.tsx';
import { type ListState, pageSizes } from './list-state.ts';
import { ProblemAlert } from './ProblemAlert.tsx';

export interface Column<T> {
  /** Names the column where users choose which ones they see. Absent: always shown. */
  id?: string;
  header: string;
  render(row: T): ReactNode;
  align?: 'left' | 'right';
  /** The API's `sortField` for this column. */
  sort?: string;
  /** Hidden on phones. */
  wideOnly?: boolean;
}

interface Props<T> {
  label: string;
  columns: readonly Column<T>[];
  query: UseQueryResult<Page<T>>;
  list: ListState;
  rowKey(row: T): string | number;
  /** Shown if the list has no rows at all. By default a text states that nothing matches. */
  empty?: ReactNode;
}

function SortHeader<T>({ column, list }: { column: Column<T>; list: ListState }) {
  const t = useCommonTexts();
  const isSorted = list.sortField === column.sort;
  const Arrow = !isSorted ? IconArrowsSort : list.sortOrder === 'desc' ? IconArrowDown : IconArrowUp;
  const sortOrder = isSorted && list.sortOrder !== 'desc' ? 'desc' : 'asc';
  return (
    <UnstyledButton
      fz="inherit"
      fw="inherit"
      aria-label={t('sortBy', { column: column.header })}
      onClick={() => list.set({ sortField: column.sort, sortOrder })}
    >
      <Group gap={4} wrap="nowrap">
        {column.header}
        <Arrow size={13} aria-hidden />
      </Group>
    </UnstyledButton>
  );
}

/**
 * Returns the place of the page before or after this one. Pages further away are found by their number, and the first one
 * always begins at the beginning.
 */
function placeOf({ page, next, previous }: Page<unknown>, value: number): string | null {
  if (value === page + 1) return next ?? null;
  return value === page - 1 && value > 1 ? (previous ?? null) : null;
}

/** Renders the position in a list and the links to other pages. */
export function Pager({ page, list }: { page: Page<unknown>; list: ListState }) {
  const t = useCommonTexts();
  const { number } = useFormats();
  const from = (page.page - 1) * page.perPage + 1;
  const to = Math.min(page.page * page.perPage, page.total);
  return (
    <Group justify="space-between" p="sm" gap="xs">
      <Text size="sm" c="dimmed" className="figures" role="status">
        {from <= to && t('rowsShown', { from: number(from), to: number(to), total: number(page.total) })}
      </Text>
      <Group gap="xs">
        <Select
          size="xs"
          w={76}
          aria-label={t('perPage')}
          data={pageSizes.map(String)}
          value={String(list.perPage)}
          onChange={(value) => list.set({ perPage: value })}
          allowDeselect={false}
          visibleFrom="sm"
        />
        <Pagination
          size="sm"
          siblings={1}
          total={page.totalPages}
          value={page.page}
          onChange={(value) => list.set({ page: value, place: placeOf(page, value) })}
          aria-label={t('pages')}
          getControlProps={(control) => ({ 'aria-label': t(control === 'previous' ? 'previousPage' : 'nextPage') })}
        />
      </Group>
    </Group>
  );
}

/** Renders a list that the server pages and sorts. The address bar holds the page, the order and the filters. */
export function DataTable<T>({ label, columns, query, list, rowKey, empty }: Props<T>) {
  const t = useCommonTexts();
  const { data, error, isPlaceholderData } = query;
  if (error && data === undefined) return <ProblemAlert error={error} onRetry={() => void query.refetch()} />;
  if (data?.total === 0) {
    const clear = <ClearFilters list={list} />;
    return (
      <Card>{empty ?? <EmptyState title={t('nothingFound')} hint={t('nothingFoundHint')} actions={clear} />}</Card>
    );
  }
  if (data?.data.length === 0 && !isPlaceholderData) {
    // The address names a page after the last one.
    return (
      <Card padding={0}>
        <EmptyState title={t('nothingFound')} />
        <Pager page={data} list={list} />
      </Card>
    );
  }
  const visible = (column: Column<T>) => (column.wideOnly ? { visibleFrom: 'sm' } : {});
  const ariaSort = ({ sort }: Column<T>) =>
    sort !== undefined && sort === list.sortField
      ? list.sortOrder === 'desc'
        ? 'descending'
        : 'ascending'
      : undefined;
  return (
    <Card padding={0} className="table-card">
      <Table.ScrollContainer minWidth={0} type="native" className="table-scroll">
        <Table className="data-table" highlightOnHover aria-label={label} aria-busy={data === undefined}>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.header} ta={column.align} aria-sort={ariaSort(column)} {...visible(column)}>
                  {column.sort === undefined ? column.header : <SortHeader column={column} list={list} />}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data === undefined
              ? Array.from({ length: 8 }, (_, row) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows have no other key.
                  <Table.Tr key={row}>
                    {columns.map((column) => (
                      <Table.Td key={column.header} {...visible(column)}>
                        <Skeleton height={12} my={4} />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))
              : data.data.map((row) => (
                  <Table.Tr key={rowKey(row)} data-stale={isPlaceholderData || undefined}>
                    {columns.map((column) => (
                      <Table.Td key={column.header} ta={column.align} {...visible(column)}>
                        {column.render(row)}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {data !== undefined && <Pager page={data} list={list} />}
    </Card>
  );
}
