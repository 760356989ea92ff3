import { Group, Skeleton, Table, type TableTdProps, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useReader } from '../app/i18n/reader.ts';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from './icons.gen.ts';
import type { ListState } from './list-state.ts';

export interface Column<T> {
  /** Names the column where users choose which ones they see. Absent: always shown. */
  id?: string;
  header: string;
  /** Shown instead of the header, which then only names the column. */
  head?: ReactNode;
  render(row: T): ReactNode;
  align?: 'left' | 'right';
  /** The API's `sortField` for this column. */
  sort?: string;
  /** Hidden on phones, or also on tablets. */
  wideOnly?: boolean | 'md';
  /** Whether only screen readers need the header, such as of buttons. */
  isHeaderHidden?: boolean;
  cell?: TableTdProps;
  /** The cell below the last row. */
  total?: ReactNode;
}

function SortHeader<T>({ column, list }: { column: Column<T>; list: ListState }) {
  const { t } = useReader();
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

const visible = ({ wideOnly }: Pick<Column<never>, 'wideOnly'>) =>
  wideOnly ? { visibleFrom: wideOnly === 'md' ? 'md' : 'sm' } : {};

const headStyle = { c: 'dimmed', fw: 600, fz: 'xs', style: { verticalAlign: 'bottom' } } as const;
const placeholder = <Skeleton height={12} my={4} />;

export interface RowsProps<T> {
  label: string;
  columns: readonly Column<T>[];
  /** Undefined while they are loaded. */
  rows: readonly T[] | undefined;
  rowKey(row: T, index: number): string | number;
  /** Absent: the rows cannot be sorted. */
  list?: ListState;
  isStale?: boolean;
  isQuiet?: boolean;
}

/** Renders rows. `isQuiet`: they are not links to anything and do not react to the mouse. */
export function Rows<T>({ label, columns, rows, rowKey, list, isStale, isQuiet }: RowsProps<T>) {
  const ariaSort = ({ sort }: Column<T>) =>
    sort !== undefined && sort === list?.sortField
      ? list.sortOrder === 'desc'
        ? 'descending'
        : 'ascending'
      : undefined;
  const head = (column: Column<T>) => {
    if (column.head !== undefined) return column.head;
    if (column.isHeaderHidden) return <VisuallyHidden>{column.header}</VisuallyHidden>;
    return column.sort !== undefined && list ? <SortHeader column={column} list={list} /> : column.header;
  };
  const cells = (content: (column: Column<T>) => ReactNode) =>
    columns.map((column) => (
      <Table.Td key={column.header} ta={column.align} {...column.cell} {...visible(column)}>
        {content(column)}
      </Table.Td>
    ));
  return (
    <Table highlightOnHover={!isQuiet} aria-label={label} aria-busy={rows === undefined}>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th
              key={column.header}
              {...headStyle}
              ta={column.align}
              aria-sort={ariaSort(column)}
              {...visible(column)}
            >
              {head(column)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows === undefined
          ? Array.from({ length: 8 }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholder rows have no other key.
              <Table.Tr key={row}>{cells(() => placeholder)}</Table.Tr>
            ))
          : rows.map((row, index) => (
              <Table.Tr key={rowKey(row, index)} data-stale={isStale || undefined} opacity={isStale ? 0.55 : 1}>
                {cells((column) => column.render(row))}
              </Table.Tr>
            ))}
      </Table.Tbody>
      {columns.some(({ total }) => total !== undefined) && (
        <Table.Tfoot>
          <Table.Tr fw={600}>{cells(({ total }) => total)}</Table.Tr>
        </Table.Tfoot>
      )}
    </Table>
  );
}
