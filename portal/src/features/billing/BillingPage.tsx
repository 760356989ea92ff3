import { Anchor, Button, Card, SimpleGrid, Skeleton, Stack, Table } from '@mantine/core';
import { IconReceiptEuro } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { BillingPeriod } from '../../../../src/features/billing/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { useComparison } from '../../ui/comparison/Comparison.tsx';
import { DocumentsProgress } from '../../ui/documents-progress/DocumentsProgress.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { MoneyText } from '../../ui/figures.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx';
import { Section } from '../../ui/Section.tsx';
import { Stat } from '../../ui/Stat.tsx';
import { useDocumentsProgress } from '../documents/api.ts';
import { useBilling } from './api.ts';
import { chargeOrder } from './charge-colours.ts';
import { texts } from './texts.ts';

/** Loaded lazily, so that the figures appear before the chart, which is larger than the rest of the page. */
const PeriodsChart = lazy(async () => ({ default: (await import('./PeriodsChart.tsx')).PeriodsChart }));

function PeriodsTable({ periods }: { periods: readonly BillingPeriod[] }) {
  const t = useTexts(texts);
  const words = useWords();
  const formats = useFormats();
  const occurring = chargeOrder.filter((type) =>
    periods.some(({ types }) => types.some(({ chargeType }) => chargeType === type)),
  );
  return (
    <Card padding={0}>
      <Table className="data-table" highlightOnHover aria-label={t('months')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('month')}</Table.Th>
            {occurring.map((type) => (
              <Table.Th key={type} ta="right" visibleFrom="md">
                {words.charge[type]}
              </Table.Th>
            ))}
            <Table.Th ta="right">{t('gross')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {periods.map(({ period, types, gross }) => (
            <Table.Tr key={period}>
              <Table.Td>
                <Anchor component={Link} to={`/billing/${period}`} size="sm" fw={600}>
                  {formats.month(period)}
                </Anchor>
              </Table.Td>
              {occurring.map((type) => (
                <Table.Td key={type} ta="right" visibleFrom="md">
                  <MoneyText money={types.find(({ chargeType }) => chargeType === type)?.gross ?? null} />
                </Table.Td>
              ))}
              <Table.Td ta="right">
                <MoneyText money={gross} strong />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}

/** Returns the gross amount of each year, newest first. */
function sumYears(periods: readonly BillingPeriod[]): { year: string; cents: number; months: number }[] {
  const years = Map.groupBy(periods, ({ period }) => period.slice(0, 4));
  return [...years].map(([year, ofYear]) => ({
    year,
    cents: ofYear.reduce((sum, { gross }) => sum + gross.value, 0),
    months: ofYear.length,
  }));
}

/** Renders the latest month beside the one before, and the totals of the last two years. */
function Figures({ periods }: { periods: readonly BillingPeriod[] }) {
  const t = useTexts(texts);
  const formats = useFormats();
  const compare = useComparison();
  const [latest, previous] = periods;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      {latest && (
        <Stat
          label={formats.month(latest.period)}
          value={formats.money(latest.gross.value)}
          hint={previous && compare(latest.gross.value - previous.gross.value, formats.money)}
        />
      )}
      {sumYears(periods)
        .slice(0, 2)
        .map(({ year, cents, months }) => (
          <Stat
            key={year}
            label={t('year', { year })}
            value={formats.money(cents)}
            hint={t('yearMonths', { count: months })}
          />
        ))}
    </SimpleGrid>
  );
}

function Content({ periods }: { periods: readonly BillingPeriod[] }) {
  const t = useTexts(texts);
  if (periods.length === 0) {
    const actions = (
      <Button component={Link} to="/employees" variant="light">
        {t('toEmployees')}
      </Button>
    );
    return (
      <Card>
        <EmptyState icon={IconReceiptEuro} title={t('emptyTitle')} hint={t('emptyHint')} actions={actions} />
      </Card>
    );
  }
  return (
    <Stack gap="lg">
      <Figures periods={periods} />
      <Section title={t('chart')}>
        <Suspense fallback={<Skeleton height={260} />}>
          <PeriodsChart periods={periods} />
        </Suspense>
      </Section>
      <PeriodsTable periods={periods} />
    </Stack>
  );
}

export function Component() {
  const t = useTexts(texts);
  const { data, error, refetch } = useBilling();
  // All at once, because the progress would move what is below it.
  const { isLoading } = useDocumentsProgress();
  return (
    <Page title={t('title')} description={t('description')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data && !isLoading ? (
        <>
          <DocumentsProgress />
          <Content periods={data} />
        </>
      ) : (
        !error && <RowsSkeleton rows={10} />
      )}
    </Page>
  );
}
