import { Card, MultiSelect, Select, SimpleGrid } from '@mantine/core';
import { statusClasses } from '../../../../src/domain/choices.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { ClearFilters } from '../../ui/ClearFilters.tsx';
import { DayRange } from '../../ui/DayRange.tsx';
import type { ListState } from '../../ui/list-state.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { useKeys } from '../keys/api.ts';
import { filtersOf, methods } from './filters.ts';
import { texts } from './texts.ts';

/** Renders the filters of the log. The address bar stores all of them. */
export function Filters({ list }: { list: ListState }) {
  const t = useTexts(texts);
  const keys = useKeys().data ?? [];
  const filters = filtersOf(list);
  const { key, method } = filters;
  return (
    <Card padding="md" component="section" aria-label={t('filters')}>
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Select
          label={t('key')}
          placeholder={t('allKeys')}
          data={keys.map(({ username, name }) => ({ value: username, label: `${name} (…${username.slice(-4)})` }))}
          value={key ?? null}
          onChange={(value) => list.set({ key: value })}
          clearable
        />
        <MultiSelect
          label={t('status')}
          placeholder={filters.statusClasses.length === 0 ? t('allStatuses') : ''}
          data={statusClasses.map((value) => ({ value, label: t(value) }))}
          value={filters.statusClasses}
          onChange={(value) => list.set({ statusClasses: value })}
        />
        <Select
          label={t('method')}
          placeholder={t('allMethods')}
          data={[...methods]}
          value={method ?? null}
          onChange={(value) => list.set({ method: value })}
          clearable
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
      </SimpleGrid>
      <ClearFilters list={list} mt="sm" size="compact-sm" variant="subtle" />
    </Card>
  );
}
