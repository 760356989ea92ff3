import { Card, Grid, MultiSelect, Select } from '@mantine/core';
import { planTypes, subscriptionStatuses } from '../../api/enums.ts';
import type { ListState } from '../../components/list-state.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useWords } from '../../i18n/words.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { SearchField } from './SearchField.tsx';

const orders = { oldestFirst: 'id asc', newestFirst: 'createdAt desc', changedFirst: 'updatedAt desc' } as const;
type Order = keyof typeof orders;

export function orderOf({ sortField = 'id', sortOrder = 'asc' }: Pick<ListState, 'sortField' | 'sortOrder'>): Order {
  const names = Object.keys(orders) as Order[];
  return names.find((name) => orders[name] === `${sortField} ${sortOrder}`) ?? 'oldestFirst';
}

/** Returns the API's `sortField` and `sortOrder`. */
export function sortOf(order: Order) {
  const [sortField, sortOrder] = orders[order].split(' ');
  return { sortField, sortOrder } as { sortField: 'id' | 'createdAt' | 'updatedAt'; sortOrder: 'asc' | 'desc' };
}

/** Renders the filters of the list. The address bar stores all of them. */
export function Filters({ list }: { list: ListState }) {
  const t = useTexts({ en, de });
  const words = useWords();
  const options = <T extends string>(values: readonly T[], names: Record<T, string>) =>
    values.map((value) => ({ value, label: names[value] }));
  const chosenStatuses = list.words('subscriptionStatuses', subscriptionStatuses);
  const chosenPlans = list.words('planTypes', planTypes);
  return (
    <Card padding="md" role="search" aria-label={t('title')}>
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, sm: 6, lg: 3 }}>
          <SearchField value={list.text('search')} onSearch={(search) => list.set({ search })} />
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
        <Grid.Col span={{ base: 12, sm: 6, lg: 3 }}>
          <Select
            label={t('sort')}
            data={(Object.keys(orders) as Order[]).map((value) => ({ value, label: t(value) }))}
            value={orderOf(list)}
            onChange={(value) => value && list.set(sortOf(value))}
            allowDeselect={false}
          />
        </Grid.Col>
      </Grid>
    </Card>
  );
}
