import {
  Box,
  type ButtonProps,
  Card,
  Checkbox,
  Group,
  MultiSelect,
  type MultiSelectProps,
  Pagination,
  Popover,
  Select,
  type SelectProps,
  SimpleGrid,
  type SimpleGridProps,
  Skeleton,
  Stack,
  Table,
  type TableTdProps,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import {
  IconArrowDown,
  IconArrowsSort,
  IconArrowUp,
  IconColumns3,
  IconFilter,
  IconFilterOff,
} from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useMe } from '../app/api/me.ts';
import type { Page } from '../app/api/request.ts';
import { useFormats } from '../app/i18n/formats.ts';
import { useReader } from '../app/i18n/reader.ts';
import { Action } from './Action.tsx';
import { ProblemAlert } from './ProblemAlert.tsx';
import { EmptyState } from './Query.tsx';

const pageSizes = [25, 50, 100] as const;

type Patch = Record<string, string | number | readonly string[] | null | undefined>;

const positive = (text: string | null, fallback: number) => {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : fallback;
};

const isDay = (text: string) => {
  const moment = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(moment) && new Date(moment).toISOString().startsWith(text);
};

/** The parameters that are no filters. */
const shape = new Set(['page', 'place', 'perPage', 'sortField', 'sortOrder', 'owner']);

const position = new Set(['page', 'place']);

/**
 * Stores the state of a list in the address bar, so that it survives a reload and can be sent to a colleague. Every
 * change except a change of page returns to the first page. `usualSort` counts while the address bar names no order.
 */
export function useListState(usualSort?: string) {
  const [params, setParams] = useSearchParams();
  const perPage = positive(params.get('perPage'), pageSizes[0]);
  const order = params.get('sortOrder');
  return {
    page: positive(params.get('page'), 1),
    /** Where the page begins or ends, in lists that know it. Without it, the number of the page counts. */
    place: /^[\w-]{1,2000}$/.test(params.get('place') ?? '') ? (params.get('place') ?? undefined) : undefined,
    perPage: (pageSizes as readonly number[]).includes(perPage) ? perPage : pageSizes[0],
    sortField: params.get('sortField') ?? usualSort,
    sortOrder: order === 'asc' || order === 'desc' ? order : undefined,
    text: (name: string) => params.get(name) ?? '',
    /** Returns only allowed words, because the address bar may contain anything. */
    words: <T extends string>(name: string, allowed: readonly T[]): T[] =>
      allowed.filter((word) => params.getAll(name).includes(word)),
    day(name: string): string | undefined {
      const text = params.get(name) ?? '';
      return isDay(text) ? text : undefined;
    },
    set(patch: Patch) {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          next.delete('place');
          if (!('page' in patch)) next.delete('page');
          for (const [name, value] of Object.entries(patch)) {
            next.delete(name);
            for (const one of Array.isArray(value) ? value : [value]) {
              if (one !== null && one !== undefined && one !== '') next.append(name, String(one));
            }
          }
          return next;
        },
        // Another page begins at its top. A filter leaves the list where it is.
        { replace: !('page' in patch) },
      );
    },
    isFiltered: [...params.keys()].some((name) => !shape.has(name)),
    /** Removes everything but the order and the size of a page. */
    clearFilters() {
      setParams(
        (before) => new URLSearchParams([...before].filter(([name]) => shape.has(name) && !position.has(name))),
        { replace: true },
      );
    },
    /** The state as the address bar shows it, without the page. */
    get address(): string {
      const next = new URLSearchParams(params);
      for (const name of position) next.delete(name);
      return next.toString();
    },
  };
}

export type ListState = ReturnType<typeof useListState>;

/** Stores which columns of a table the user has hidden, in this browser. */
export function useColumnChoice<T>(name: string, columns: readonly Column<T>[]) {
  const [hidden, setHidden] = useLocalStorage<string[]>({
    key: `portal columns ${name} ${useMe().data?.user.id}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const isHidden = (id: string) => hidden.includes(id);
  return {
    shown: columns.filter(({ id }) => id === undefined || !isHidden(id)),
    /** The columns that can be hidden. */
    choices: columns.flatMap(({ id, header }) => (id === undefined ? [] : [{ id, header, isShown: !isHidden(id) }])),
    hidden,
    setHidden,
    toggle: (id: string) => setHidden(isHidden(id) ? hidden.filter((one) => one !== id) : [...hidden, id]),
  };
}

export type ColumnState = Pick<
  ReturnType<typeof useColumnChoice<never>>,
  'choices' | 'hidden' | 'setHidden' | 'toggle'
>;

/** Lets the user choose the columns of a table. Phones show few of them anyway. */
export function ColumnChoice({ choice }: { choice: ColumnState }) {
  const { t } = useReader();
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Action
          variant="default"
          size="compact-sm"
          visibleFrom="sm"
          leftSection={<IconColumns3 size={15} aria-hidden />}
          label={t('columns')}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={t('columns')}>
        <Stack gap="xs">
          {choice.choices.map(({ id, header, isShown }) => (
            <Checkbox key={id} size="sm" label={header} checked={isShown} onChange={() => choice.toggle(id)} />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface FilterProps<T extends string> extends Pick<MultiSelectProps, 'maxDropdownHeight' | 'clearable'> {
  list: ListState;
  /** The parameter in the address bar. */
  name: string;
  values: readonly T[];
  names: Readonly<Record<string, string>>;
  label: string;
  /** Shown as long as nothing is chosen. */
  all: string;
}

/** Narrows a list to some of the words of the API. */
export function WordsFilter<T extends string>({ list, name, values, names, all, ...props }: FilterProps<T>) {
  const chosen = list.words(name, values);
  return (
    <MultiSelect
      {...props}
      placeholder={chosen.length === 0 ? all : ''}
      data={values.map((value) => ({ value, label: names[value] ?? value }))}
      value={chosen}
      onChange={(value) => list.set({ [name]: value })}
    />
  );
}

interface ChoiceProps extends Pick<SelectProps, 'label' | 'aria-label' | 'w' | 'searchable'> {
  list: ListState;
  /** The parameter in the address bar. */
  name: string;
  data: readonly { value: string; label: string }[];
  /** Shown as long as nothing is chosen. */
  all: string;
}

/** Narrows a list to one of several values. */
export function ChoiceFilter({ list, name, data, all, ...props }: ChoiceProps) {
  const chosen = list.text(name);
  return (
    <Select
      {...props}
      placeholder={all}
      data={[...data]}
      value={data.some(({ value }) => value === chosen) ? chosen : null}
      onChange={(value) => list.set({ [name]: value })}
      clearable
    />
  );
}

interface ClearProps extends Pick<ButtonProps, 'mt' | 'size' | 'variant'> {
  list: ListState;
  onClear?(): void;
}

/** Removes the filters of a list. Renders nothing if there are none. */
function ClearFilters({ list, onClear, ...props }: ClearProps) {
  const { t } = useReader();
  if (!list.isFiltered) return null;
  return (
    <Action
      variant="default"
      w="fit-content"
      icon={IconFilterOff}
      onClick={() => {
        list.clearFilters();
        onClear?.();
      }}
      {...props}
      label={t('clearFilters')}
    />
  );
}

interface FiltersProps extends Pick<SimpleGridProps, 'cols' | 'children'> {
  list: ListState;
  label: string;
  /** The filter that is used most. Phones show it alone, and the others when a button is pressed. */
  search?: ReactNode;
}

/** Frames the filters of a list. */
export function FilterCard({ list, label, search, ...grid }: FiltersProps) {
  const { t } = useReader();
  const [opened, { toggle }] = useDisclosure(false);
  const [cleared, setCleared] = useState(0);
  return (
    <Card padding="md" component="section" role="search" aria-label={label} className="filters">
      <Group gap="xs" wrap="nowrap" align="flex-end">
        {search !== undefined && (
          <Box key={cleared} flex={1} className="filters-search">
            {search}
          </Box>
        )}
        <Action
          variant={list.isFiltered ? 'light' : 'default'}
          icon={IconFilter}
          hiddenFrom="sm"
          aria-expanded={opened}
          onClick={toggle}
          label={t('filters')}
        />
      </Group>
      <div className="filters-more" data-opened={opened || undefined}>
        <SimpleGrid spacing="sm" {...grid} />
        {/* What is being typed must not come back. */}
        <ClearFilters list={list} onClear={() => setCleared(cleared + 1)} mt="sm" size="compact-sm" variant="subtle" />
      </div>
    </Card>
  );
}

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
  const { t } = useReader();
  const { number } = useFormats();
  const from = (page.page - 1) * page.perPage + 1;
  const to = Math.min(page.page * page.perPage, page.total);
  return (
    <Group justify="space-between" p="sm" gap="xs">
      <Text c="dimmed" className="figures" role="status">
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

const visible = ({ wideOnly }: Pick<Column<never>, 'wideOnly'>) =>
  wideOnly ? { visibleFrom: wideOnly === 'md' ? 'md' : 'sm' } : {};

const headStyle = { c: 'dimmed', fw: 600, fz: 'xs', style: { verticalAlign: 'bottom' } } as const;
const placeholder = <Skeleton height={12} my={4} />;

interface RowsProps<T> {
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

/** States that nothing matches the filters of a list. */
export function NothingFound({ list }: { list: ListState }) {
  const { t } = useReader();
  return <EmptyState title={t('nothingFound')} hint={t('nothingFoundHint')} actions={<ClearFilters list={list} />} />;
}

interface DataTableProps<T> extends Pick<RowsProps<T>, 'label' | 'columns' | 'rowKey'> {
  query: UseQueryResult<Page<T>>;
  list: ListState;
  /** Shown if the list has no rows, unless it is filtered: then a text states that nothing matches. */
  empty?: ReactNode;
}

/** Renders a list that the server pages and sorts. The address bar holds the page, the order and the filters. */
export function DataTable<T>({ query, list, empty, ...props }: DataTableProps<T>) {
  const { t } = useReader();
  const { data, error, isPlaceholderData } = query;
  if (error && data === undefined) return <ProblemAlert error={error} onRetry={() => void query.refetch()} />;
  if (data?.total === 0) {
    return <Card>{(!list.isFiltered && empty) || <NothingFound list={list} />}</Card>;
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
  return (
    <Card padding={0} className="table-card">
      <Table.ScrollContainer minWidth={0} type="native" className="table-scroll">
        <Rows {...props} rows={data?.data} list={list} isStale={isPlaceholderData} />
      </Table.ScrollContainer>
      {data !== undefined && <Pager page={data} list={list} />}
    </Card>
  );
}
