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
  Stack,
  Table,
  Text,
} from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useMe } from '../app/api/me.ts';
import type { Page } from '../app/api/request.ts';
import { useFormats } from '../app/i18n/formats.ts';
import { useReader } from '../app/i18n/reader.ts';
import { Action } from './Action.tsx';
import { IconColumns3, IconFilter, IconFilterOff } from './icons.gen.ts';
import { type ListState, pageSizes } from './list-state.ts';
import { ProblemAlert } from './ProblemAlert.tsx';
import { EmptyState } from './Query.tsx';
import { type Column, Rows, type RowsProps } from './rows.tsx';

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
