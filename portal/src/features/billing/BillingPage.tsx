import { Anchor, Card, SimpleGrid, Stack } from '@mantine/core';
import { Link } from 'react-router';
import type { BillingPeriod } from '../../../../src/features/billing/contract.ts';
import { useFormats } from '../../app/i18n/formats.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { useWords } from '../../app/i18n/words.ts';
import { Action } from '../../ui/Action.tsx';
import { BarChart } from '../../ui/BarChart.tsx';
import { useComparison } from '../../ui/comparison/Comparison.tsx';
import { DocumentsProgress } from '../../ui/documents-progress/DocumentsProgress.tsx';
import { IconReceiptEuro } from '../../ui/icons.gen.ts';
import { Page, Section, Stat } from '../../ui/layout.tsx';
import { EmptyState, Query } from '../../ui/Query.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { MoneyText } from '../../ui/text.tsx';
import { useDocumentsProgress } from '../documents/api.ts';
import { useBilling } from './api.ts';
import { chargeColours, occurring } from './charge-colours.ts';
import { texts } from './texts.ts';

const shownMonths = 12;

function PeriodsChart({ periods }: { periods: readonly BillingPeriod[] }) {
  const formats = useFormats();
  const words = useWords();
  const shown = periods.slice(0, shownMonths).toReversed();
  const types = occurring(shown);
  return (
    <BarChart
      height={240}
      series={types.map((type) => ({ label: words.charge[type], colour: chargeColours[type] }))}
      bars={shown.map(({ period, types: charged }, index) => ({
        id: formats.month(period),
        // The year stands below its first month.
        label:
          index === 0 || period.slice(5, 7) === '01'
            ? `${formats.shortMonth(period)} ${period.slice(0, 4)}`
            : formats.shortMonth(period),
        values: types.map((type) => charged.find(({ chargeType }) => chargeType === type)?.gross.value ?? 0),
        to: `/billing/${period}`,
      }))}
      format={formats.money}
      formatTick={formats.roundMoney}
    />
  );
}

function PeriodsTable({ periods }: { periods: readonly BillingPeriod[] }) {
  const { t, words, formats } = useReader(texts);
  const columns: Column<BillingPeriod>[] = [
    {
      header: t('month'),
      render: ({ period }) => (
        <Anchor component={Link} to={`/billing/${period}`} fw={600}>
          {formats.month(period)}
        </Anchor>
      ),
    },
    ...occurring(periods).map(
      (type): Column<BillingPeriod> => ({
        header: words.charge[type],
        align: 'right',
        wideOnly: 'md',
        render: ({ types }) => <MoneyText money={types.find(({ chargeType }) => chargeType === type)?.gross ?? null} />,
      }),
    ),
    { header: t('gross'), align: 'right', render: ({ gross }) => <MoneyText money={gross} strong /> },
  ];
  return (
    <Card padding={0}>
      <Rows label={t('months')} rows={periods} rowKey={({ period }) => period} columns={columns} />
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

function Figures({ periods }: { periods: readonly BillingPeriod[] }) {
  const { t, formats } = useReader(texts);
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
  const { t } = useReader(texts);
  if (periods.length === 0) {
    const actions = <Action to="/employees" variant="light" label={t('toEmployees')} />;
    return <EmptyState icon={IconReceiptEuro} title={t('emptyTitle')} hint={t('emptyHint')} actions={actions} inCard />;
  }
  return (
    <Stack gap="lg">
      <Figures periods={periods} />
      <Section title={t('chart')}>
        <PeriodsChart periods={periods} />
      </Section>
      <PeriodsTable periods={periods} />
    </Stack>
  );
}

export function Component() {
  const { t } = useReader(texts);
  // All at once, because the progress would move what is below it.
  const { isLoading } = useDocumentsProgress();
  return (
    <Page
      title={t('billing')}
      description={t('description')}
      actions={
        <>
          <Action to="/billing/corrections" variant="light" label={t('toCorrections')} />
          <Action to="/billing/forecast" variant="light" label={t('toForecast')} />
        </>
      }
    >
      <Query of={useBilling()} rows={10} isWaiting={isLoading}>
        {(periods) => (
          <>
            <DocumentsProgress />
            <Content periods={periods} />
          </>
        )}
      </Query>
    </Page>
  );
}
