import { Anchor, Button, Card, Grid, Group, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { IconCalendarTime, IconReceiptEuro, IconTicket, IconUsers } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Overview } from '../../../../src/portal/contract.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { DocumentsProgress } from '../../ui/documents-progress/DocumentsProgress.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { DateText } from '../../ui/figures.tsx';
import { Page } from '../../ui/Page.tsx';
import { ProblemAlert } from '../../ui/ProblemAlert.tsx';
import { RowsSkeleton } from '../../ui/RowsSkeleton.tsx';
import { Stat } from '../../ui/Stat.tsx';
import { useDocumentsProgress } from '../documents/api.ts';
import { useOverview } from './api.ts';
import { Integrations } from './Integrations.tsx';
import { MonthsChart } from './MonthsChart.tsx';
import { StatusRing } from './StatusRing.tsx';
import { texts } from './texts.ts';
import { Waiting } from './Waiting.tsx';

function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <Card component="section" h="100%">
      <Group justify="space-between" mb="md">
        <Title order={2}>{title}</Title>
        {aside}
      </Group>
      {children}
    </Card>
  );
}

function NextDates({ next }: { next: Overview['next'] }) {
  const t = useTexts(texts);
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
  const t = useTexts(texts);
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
      <DocumentsProgress />
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

/** Stands for the content while it is loaded, in its shape. */
const OverviewSkeleton = () => (
  <Stack gap="lg" aria-hidden>
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {['cut-off', 'tickets', 'billing'].map((name) => (
        <Skeleton key={name} height={112} radius="md" />
      ))}
    </SimpleGrid>
    <Grid>
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <RowsSkeleton />
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <RowsSkeleton />
      </Grid.Col>
    </Grid>
  </Stack>
);

export function Component() {
  const t = useTexts(texts);
  const { data, error, refetch } = useOverview();
  // All at once, because the progress would move what is below it.
  const { isLoading } = useDocumentsProgress();
  return (
    <Page title={t('title')}>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data && !isLoading ? <Content overview={data} /> : !error && <OverviewSkeleton />}
    </Page>
  );
}
