import { Box, ColorSwatch, Grid, Group, Progress, SimpleGrid, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router';
import type { SubscriptionStatus } from '../../../../src/domain/enums.ts';
import type { Overview } from '../../../../src/portal/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { useWords } from '../../app/i18n/words.ts';
import { BarChart } from '../../ui/BarChart.tsx';
import { useComparison } from '../../ui/comparison/Comparison.tsx';
import { IconCalendarTime, IconChartBar, IconReceiptEuro, IconUsers } from '../../ui/icons.gen.ts';
import { Page, Section, Stat } from '../../ui/layout.tsx';
import { EmptyState, Query, RowsSkeleton } from '../../ui/Query.tsx';
import { DateText, Hint } from '../../ui/text.tsx';
import { useOverview } from './api.ts';
import { Tasks } from './Tasks.tsx';
import { texts } from './texts.ts';

/** Colours for charts, where neighbours must differ more than badges do. */
const statusColours: Record<SubscriptionStatus, string> = {
  active: 'rail.6',
  scheduled: 'blue.5',
  'scheduled-pause': 'yellow.5',
  paused: 'yellow.7',
  'scheduled-cancellation': 'orange.6',
  cancelled: 'gray.6',
  'no-subscription': 'gray.4',
};

function Statuses({ statuses }: { statuses: Overview['employeesByStatus'] }) {
  const { formats } = useReader(texts);
  const words = useWords().subscriptionStatus;
  const total = statuses.reduce((sum, { employees }) => sum + employees, 0);
  const shown = statuses.filter(({ employees }) => employees > 0);
  return (
    <>
      <Progress.Root size={14} mb="sm" aria-hidden>
        {shown.map(({ status, employees }) => (
          <Progress.Section key={status} value={(100 * employees) / total} color={statusColours[status]} />
        ))}
      </Progress.Root>
      <Box component="ul" className="plain-list">
        {shown.map(({ status, employees }) => (
          <Group key={status} component="li" justify="space-between" wrap="nowrap" py={4}>
            <Group gap={8} wrap="nowrap">
              <ColorSwatch
                color={`var(--mantine-color-${statusColours[status].replace('.', '-')})`}
                size={10}
                radius={3}
                withShadow={false}
                aria-hidden
              />
              <Text component={Link} to={`/employees?subscriptionStatuses=${status}`} c="inherit">
                {words[status]}
              </Text>
            </Group>
            <Text className="figures">{formats.number(employees)}</Text>
          </Group>
        ))}
      </Box>
    </>
  );
}

/** Renders the months from the first one with costs on, and the forecast of the next one. */
function Months({ months, forecast }: Pick<Overview, 'months' | 'forecast'>) {
  const { t, formats } = useReader(texts);
  const rows = [...months.map((month) => ({ ...month, isForecast: false })), { ...forecast, isForecast: true }];
  return (
    <>
      <BarChart
        bars={rows.map(({ month, gross, isForecast }) => ({
          id: isForecast ? t('forecastOf', { month: formats.month(month) }) : formats.month(month),
          label: formats.shortMonth(month),
          values: isForecast ? [0, gross.value] : [gross.value, 0],
          to: isForecast ? undefined : `/billing/${month}-01`,
        }))}
        series={[
          { label: t('billed'), colour: 'rail-6' },
          { label: t('forecast'), colour: 'rail-3' },
        ]}
        format={formats.money}
        formatTick={formats.roundMoney}
      />
      <Hint mt="xs">{t('perMonthHint')}</Hint>
      <VisuallyHidden>
        <table>
          <caption>{t('perMonth')}</caption>
          <thead>
            <tr>
              <th>{t('month')}</th>
              <th>{t('ticketsLabel')}</th>
              <th>{t('costs')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ month, tickets, gross, isForecast }) => (
              <tr key={month}>
                <th>{isForecast ? t('forecastOf', { month: formats.month(month) }) : formats.month(month)}</th>
                <td>{formats.number(tickets)}</td>
                <td>{formats.money(gross.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </>
  );
}

type Month = Overview['forecast'];

/** Renders the present month, the next one, and the day by which it can be changed. */
function Figures({ overview: { months, forecast, cutOffOn } }: { overview: Overview }) {
  const { t, formats } = useReader(texts);
  const compare = useComparison();
  const [previous, present] = months.slice(-2);
  const hint = (month: Month, before: Month | undefined) =>
    t('ticketsAnd', {
      count: month.tickets,
      difference: compare(month.gross.value - (before?.gross.value ?? 0), formats.money),
    });
  const [year = 0, month = 0] = cutOffOn.split('-').map(Number);
  const affected = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 7);
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {present && (
        <Stat
          label={formats.month(present.month)}
          value={formats.money(present.gross.value)}
          hint={hint(present, previous)}
          icon={IconReceiptEuro}
        />
      )}
      <Stat
        label={t('forecastOf', { month: formats.month(forecast.month) })}
        value={formats.money(forecast.gross.value)}
        hint={hint(forecast, present)}
        icon={IconChartBar}
      />
      <Stat
        label={t('cutOff')}
        value={<DateText date={cutOffOn} />}
        hint={t('cutOffHint', { month: formats.month(affected) })}
        icon={IconCalendarTime}
      />
    </SimpleGrid>
  );
}

function Glance({ overview }: { overview: Overview }) {
  const { t } = useReader(texts);
  const { months, forecast, employeesByStatus } = overview;
  const first = months.findIndex(({ gross }) => gross.value !== 0);
  const isChart = first !== -1;
  // With the forecast there are at most twelve, which all have room for their names.
  const shown = months.slice(Math.max(first, 1));
  return (
    <Stack component="section" gap="sm" aria-labelledby="glance">
      <Title order={2} id="glance">
        {t('glance')}
      </Title>
      <Figures overview={overview} />
      <Grid>
        {isChart && (
          <Grid.Col span={{ base: 12, lg: 8 }}>
            <Section isTall title={t('perMonth')}>
              <Months months={shown} forecast={forecast} />
            </Section>
          </Grid.Col>
        )}
        <Grid.Col span={{ base: 12, lg: isChart ? 4 : 12 }}>
          <Section isTall title={t('byStatus')}>
            <Statuses statuses={employeesByStatus} />
          </Section>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

function Content({ overview }: { overview: Overview }) {
  const { t } = useReader(texts);
  const hasEmployees = overview.employeesByStatus.some(({ employees }) => employees > 0);
  return (
    <Stack gap="lg">
      {(hasEmployees || overview.tasks.length > 0) && <Tasks overview={overview} />}
      {hasEmployees ? (
        <Glance overview={overview} />
      ) : (
        <EmptyState icon={IconUsers} title={t('noEmployees')} hint={t('noDataHint')} inCard />
      )}
    </Stack>
  );
}

export function Component() {
  const { t } = useReader(texts);
  return (
    <Page title={t('overview')}>
      <Query of={useOverview()} skeleton={<RowsSkeleton />}>
        {(overview) => <Content overview={overview} />}
      </Query>
    </Page>
  );
}
