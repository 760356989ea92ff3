import { Card, Grid, MultiSelect, Select } from '@mantine/core';
import { contractStatuses, planTypes, subscriptionStatuses } from '../../../../src/domain/enums.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import type { ListState } from '../../ui/list-state.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { texts } from './texts.ts';

const sortFields = ['id', 'createdAt', 'updatedAt', 'name', 'status', 'start', 'nextTicket'] as const;
type SortField = (typeof sortFields)[number];

/** The orders that the choice offers. The heads of the columns offer both directions. */
const orders = {
  oldestFirst: 'id asc',
  newestFirst: 'createdAt desc',
  changedFirst: 'updatedAt desc',
  byName: 'name asc',
  byStatus: 'status asc',
  byStart: 'start asc',
  byNextTicket: 'nextTicket asc',
} as const;
type Order = keyof typeof orders;

type Sorted = Pick<ListState, 'sortField' | 'sortOrder'>;

/** Returns the API's `sortField` and `sortOrder`. The address bar may contain anything. */
export function sortOf({ sortField, sortOrder }: Sorted): { sortField: SortField; sortOrder: 'asc' | 'desc' } {
  const known = sortFields.find((field) => field === sortField);
  return { sortField: known ?? 'id', sortOrder: known !== undefined && sortOrder === 'desc' ? 'desc' : 'asc' };
}

/** Returns the order among those that are offered, or null for another one. */
function orderOf(list: Sorted): Order | null {
  const { sortField, sortOrder } = sortOf(list);
  const names = Object.keys(orders) as Order[];
  return names.find((name) => orders[name] === `${sortField} ${sortOrder}`) ?? null;
}

function setOrder(list: ListState, order: Order): void {
  const [sortField, sortOrder] = orders[order].split(' ');
  list.set({ sortField, sortOrder });
}

/** Renders the filters of the list. The address bar stores all of them. */
export function Filters({ list }: { list: ListState }) {
  const t = useTexts(texts);
  const words = useWords();
  const options = <T extends string>(values: readonly T[], names: Record<T, string>) =>
    values.map((value) => ({ value, label: names[value] }));
  const chosenStatuses = list.words('subscriptionStatuses', subscriptionStatuses);
  const chosenPlans = list.words('planTypes', planTypes);
  const chosenContracts = list.words('contractStatuses', contractStatuses);
  return (
    <Card padding="md" role="search" aria-label={t('title')}>
      <Grid gap="sm">
        <Grid.Col span={12}>
          <SearchField
            label={t('search')}
            placeholder={t('searchHint')}
            value={list.text('search')}
            onSearch={(search) => list.set({ search })}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 6, lg: 3 }}>
          <MultiSelect
            label={t('statuses')}
            maxDropdownHeight={340}
            placeholder={chosenStatuses.length === 0 ? t('allStatuses') : ''}
            data={options(subscriptionStatuses, words.subscriptionStatus)}
            value={chosenStatuses}
            onChange={(value) => list.set({ subscriptionStatuses: value })}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 6, lg: 3 }}>
          <MultiSelect
            label={t('plans')}
            placeholder={chosenPlans.length === 0 ? t('allPlans') : ''}
            data={options(planTypes, words.plan)}
            value={chosenPlans}
            onChange={(value) => list.set({ planTypes: value })}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 6, lg: 3 }}>
          <MultiSelect
            label={t('contracts')}
            placeholder={chosenContracts.length === 0 ? t('allContracts') : ''}
            data={options(contractStatuses, words.contract)}
            value={chosenContracts}
            onChange={(value) => list.set({ contractStatuses: value })}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 6, lg: 3 }}>
          <Select
            label={t('sort')}
            data={(Object.keys(orders) as Order[]).map((value) => ({ value, label: t(value) }))}
            value={orderOf(list)}
            placeholder={t('byColumn')}
            onChange={(value) => value && setOrder(list, value)}
            allowDeselect={false}
          />
        </Grid.Col>
      </Grid>
    </Card>
  );
}
