import { Card, MultiSelect, SegmentedControl, Select, SimpleGrid, Stack } from '@mantine/core';
import { documentOwners } from '../../../../src/domain/choices.ts';
import { useMe } from '../../app/api/me.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import type { ListState } from '../../ui/list-state.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { EmployeeFilter } from './EmployeeFilter.tsx';
import { filtersOf, listMonths, typesOf } from './filters.ts';
import { texts } from './texts.ts';

/** Renders the filters of the list. The address bar stores all of them. */
export function Filters({ list }: { list: ListState }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const today = useMe().data?.today ?? '2026-01-01';
  const { owner, search, types, period, employeeId } = filtersOf(list);
  const month = period?.slice(0, 7);
  return (
    <Card padding="md" role="search" aria-label={t('title')}>
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t('owner')}
          data={documentOwners.map((value) => ({ value, label: t(value) }))}
          value={owner}
          onChange={(value) => list.set({ owner: value, types: null, employeeId: null })}
          w="fit-content"
          maw="100%"
        />
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm">
          <SearchField
            label={t('search')}
            placeholder={t(owner === 'company' ? 'searchCompanyHint' : 'searchHint')}
            value={search}
            onSearch={(text) => list.set({ search: text })}
          />
          <MultiSelect
            label={t('types')}
            placeholder={types.length === 0 ? t('allTypes') : ''}
            data={typesOf(owner).map((value) => ({ value, label: t(value) }))}
            value={types}
            onChange={(value) => list.set({ types: value })}
          />
          <Select
            label={t('period')}
            placeholder={t('allPeriods')}
            data={listMonths(today, month).map((value) => ({ value, label: formats.month(value) }))}
            value={month ?? null}
            onChange={(value) => list.set({ period: value })}
            searchable
            clearable
          />
          {owner === 'employees' && (
            <EmployeeFilter value={employeeId} onChange={(id) => list.set({ employeeId: id })} />
          )}
        </SimpleGrid>
      </Stack>
    </Card>
  );
}
