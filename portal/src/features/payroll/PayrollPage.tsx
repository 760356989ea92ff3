import { Card, Select, Skeleton, Stack } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { useListState } from '../../ui/list-state.ts';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx';
import { useBilling } from '../billing/api.ts';
import { History } from './History.tsx';
import { Preview } from './Preview.tsx';
import { texts } from './texts.ts';

export function Component() {
  const t = useTexts(texts);
  const formats = useFormats();
  const list = useListState();
  const { data, error, refetch } = useBilling();
  const periods = data?.map(({ period }) => period) ?? [];
  const period = periods.find((one) => one === list.text('month')) ?? periods[0];
  const choice =
    period === undefined ? (
      data === undefined && !error && <Skeleton w={190} height={36} />
    ) : (
      <Select
        aria-label={t('month')}
        w={190}
        data={periods.map((value) => ({ value, label: formats.month(value) }))}
        value={period}
        onChange={(value) => list.set({ month: value })}
        allowDeselect={false}
      />
    );
  return (
    <Page title={t('title')} description={t('description')} actions={choice}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data === undefined && !error && <RowsSkeleton rows={10} />}
      {data?.length === 0 && (
        <Card>
          <EmptyState icon={IconFileSpreadsheet} title={t('emptyTitle')} hint={t('emptyHint')} />
        </Card>
      )}
      {period !== undefined && (
        <Stack gap="lg">
          <Preview key={period} period={period}>
            <History list={list} />
          </Preview>
        </Stack>
      )}
    </Page>
  );
}
