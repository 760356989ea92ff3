import { Anchor, Button, Card, Grid, Group, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { IconCalendarTime, IconReceiptEuro, IconTicket, IconUsers } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { Link } from 'react-router';
import { useOverview } from '../../api/overview.ts';
import type { Overview } from '../../api/types.gen.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { DateText } from '../../components/figures.tsx';
import { Page } from '../../components/Page.tsx';
import { ProblemAlert } from '../../components/ProblemAlert.tsx';
import { Stat } from '../../components/Stat.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { Integrations } from './Integrations.tsx';
import { StatusRing } from './StatusRing.tsx';
import { Waiting } from './Waiting.tsx';

/**
 * Loaded lazily. The charts are larger than the rest of the page, and they must not delay what needs a user's
 * attention.
 */
const MonthsChart = lazy(async () => ({ default: (await import('./MonthsChart.tsx')).MonthsChart }));

function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <Card component="section" h="100%">
      <Group justify="space-between" mb="md">
        <Title order={2}>{title}</Title>
        {aside}
      </Group>
      <Suspense fallback={<Skeleton height={190} />}>{children}</Suspense>
    </Card>
  );
}

function NextDates({ next }: { next: Overview['next'] }) {
  const t = useTexts({ en, de });
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <Stat
        label={t('cutOff')}
        value={<DateText date={next.cutOffOn} />}
        hint={t('cutOffHint')}
        icon={IconCalendarTime}
      />
      <Stat
        label={t('tickets')}
        value={<DateText date={next.ticketsOn} />}
        hint={t('expected', { count: next.ticketsExpected })}
        icon={IconTicket}
      />
      <Stat
        label={t('billing')}
        value={<DateText date={next.billingOn} />}
        hint={t('billingHint')}
        icon={IconReceiptEuro}
      />
    </SimpleGrid>
  );
}

function Content({ overview }: { overview: Overview }) {
  const t = useTexts({ en, de });
  const hasEmployees = overview.employeesByStatus.some(({ employees }) => employees > 0);
  const start = (
    <Button component={Link} to="/getting-started" variant="light">
      {t('start')}
    </Button>
  );
  const all = (
    <Anchor component={Link} to="/integrations" size="sm">
      {t('all')}
    </Anchor>
  );
  return (
    <Stack gap="lg">
      <Waiting items={overview.waiting} />
      <NextDates next={overview.next} />
      <Grid>
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Section title={t('byStatus')}>
            {hasEmployees ? (
              <StatusRing statuses={overview.employeesByStatus} />
            ) : (
              <EmptyState icon={IconUsers} title={t('noEmployees')} hint={t('noEmployeesHint')} actions={start} />
            )}
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Section title={t('integrations')} aside={all}>
            <Integrations integrations={overview.integrations} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Section title={t('perMonth')}>
            <MonthsChart months={overview.months} />
          </Section>
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

export function Component() {
  const t = useTexts({ en, de });
  const { data, error, refetch } = useOverview();
  return (
    <Page title={t('title')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data ? <Content overview={data} /> : !error && <Skeleton height={420} radius="md" />}
    </Page>
  );
}
