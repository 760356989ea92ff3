import {
  Anchor,
  Box,
  Card,
  ColorSwatch,
  Grid,
  Group,
  RingProgress,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  ThemeIcon,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import {
  IconCalendarTime,
  IconCircleCheck,
  IconClockExclamation,
  IconFileText,
  IconPlugConnected,
  IconPlugConnectedX,
  IconReceiptEuro,
  IconTicket,
  IconUserMinus,
  IconUsers,
  IconWebhookOff,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import type { SubscriptionStatus } from '../../../../src/domain/enums.ts';
import type { HrIntegration } from '../../../../src/features/integrations/contract.ts';
import type { Overview } from '../../../../src/portal/contract.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { useWords } from '../../app/i18n/words.ts';
import { Action, SmallAction } from '../../ui/Action.tsx';
import { BarChart } from '../../ui/BarChart.tsx';
import { IntegrationBadge, LastOutcome } from '../../ui/badges.tsx';
import { Comparison } from '../../ui/comparison/Comparison.tsx';
import { DocumentsProgress } from '../../ui/documents-progress/DocumentsProgress.tsx';
import { Page, Section, Stat } from '../../ui/layout.tsx';
import { EmptyState, Query, RowsSkeleton } from '../../ui/Query.tsx';
import { DateText, Hint, Small, TimeText } from '../../ui/text.tsx';
import { useDocumentsProgress } from '../documents/api.ts';
import { useOverview } from './api.ts';
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

function StatusRing({ statuses }: { statuses: Overview['employeesByStatus'] }) {
  const { t, formats } = useReader(texts);
  const words = useWords().subscriptionStatus;
  const total = statuses.reduce((sum, { employees }) => sum + employees, 0);
  return (
    <Group gap="lg" justify="center" wrap="wrap">
      <Stack gap={0} pos="relative" align="center" aria-hidden>
        <RingProgress
          size={180}
          thickness={20}
          sections={statuses.map(({ status, employees }) => ({
            value: (employees / total) * 100,
            color: statusColours[status],
            tooltip: `${words[status]}: ${formats.number(employees)}`,
          }))}
        />
        <Stack gap={0} align="center" justify="center" pos="absolute" inset={0} style={{ pointerEvents: 'none' }}>
          <Text fz={24} fw={650} lh={1.2}>
            {formats.number(total)}
          </Text>
          <Small>{t('employees')}</Small>
        </Stack>
      </Stack>
      <Box component="ul" className="plain-list" flex="1 1 200px">
        {statuses.map(({ status, employees }) => (
          <Group key={status} component="li" justify="space-between" wrap="nowrap" px="sm" py={4}>
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
    </Group>
  );
}

interface ChartOptions {
  format(value: number): string;
  formatTick?(value: number): string;
  colour: string;
  /** Narrows the list behind a bar. */
  filter?: string;
}

/** Renders two small charts, because one chart with two scales is easily misread. */
function MonthsChart({ months }: Pick<Overview, 'months'>) {
  const { t, formats } = useReader(texts);
  const [previous, latest] = months.slice(-2);
  type Month = Overview['months'][number];
  const chart = (
    label: string,
    measure: (month: Month) => number,
    { format, formatTick = format, colour, filter = '' }: ChartOptions,
  ) => (
    <div>
      <Hint mb={6}>{label}</Hint>
      {previous && latest && (
        <Comparison
          name={formats.month(latest.month)}
          value={format(measure(latest))}
          difference={measure(latest) - measure(previous)}
          format={format}
        />
      )}
      <BarChart
        bars={months.map((one) => ({
          id: formats.month(one.month),
          label: formats.shortMonth(one.month),
          values: [measure(one)],
          to: `/billing/${one.month.slice(0, 7)}-01${filter}`,
        }))}
        series={[{ label, colour }]}
        format={format}
        formatTick={formatTick}
      />
    </div>
  );
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" aria-hidden>
        {chart(t('ticketsLabel'), ({ tickets }) => tickets, {
          format: formats.number,
          colour: 'rail-6',
          filter: '?chargeType=ticket-charge',
        })}
        {chart(t('grossLabel'), ({ gross }) => gross.value, {
          format: formats.money,
          formatTick: formats.roundMoney,
          colour: 'indigo-5',
        })}
      </SimpleGrid>
      <VisuallyHidden>
        <table>
          <caption>{t('perMonth')}</caption>
          <thead>
            <tr>
              <th>{t('month')}</th>
              <th>{t('ticketsLabel')}</th>
              <th>{t('grossLabel')}</th>
            </tr>
          </thead>
          <tbody>
            {months.map(({ month, tickets, gross }) => (
              <tr key={month}>
                <th>{formats.month(month)}</th>
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

function Integrations({ integrations }: { integrations: HrIntegration[] }) {
  const { t } = useReader(texts);
  if (integrations.length === 0) {
    const action = <Action to="/integrations" variant="light" label={t('toIntegrations')} />;
    return (
      <EmptyState
        icon={IconPlugConnected}
        title={t('noIntegrations')}
        hint={t('noIntegrationsHint')}
        actions={action}
      />
    );
  }
  return (
    <Stack gap="sm">
      {integrations.map((integration) => (
        <Group key={integration.id} justify="space-between" gap="xs">
          <div>
            <Anchor component={Link} to={`/integrations/${integration.id}`} fw={600}>
              {integration.name}
            </Anchor>
            <Small>
              {integration.lastSynced ? (
                <>
                  {t('lastSync')} <TimeText at={integration.lastSynced} />
                </>
              ) : (
                t('never')
              )}
            </Small>
          </div>
          <Group gap={6}>
            {(integration.status !== 'active' || integration.initialConnectionStatus !== 'completed') && (
              <IntegrationBadge integration={integration} />
            )}
            <LastOutcome integration={integration} />
          </Group>
        </Group>
      ))}
    </Stack>
  );
}

type Item = Overview['waiting'][number];

function useWaitingItem(item: Item) {
  const { t, words, formats } = useReader(texts);
  switch (item.kind) {
    case 'pending-removals':
      return {
        icon: IconUserMinus,
        title: t('heldTitle', { integration: item.integrationName }),
        text: t('held', { count: item.removals }),
        to: `/integrations/${item.integrationId}/syncs/${encodeURIComponent(item.syncId)}`,
      };
    case 'pending-contracts':
      return {
        icon: IconFileText,
        title: t('pendingTitle'),
        text: t('pending', { count: item.employees }),
        to: `/employees?contractStatuses=pending&${item.statuses.map((one) => `subscriptionStatuses=${one}`).join('&')}`,
      };
    case 'integration-unhealthy':
      return {
        icon: IconPlugConnectedX,
        title: t('unhealthyTitle', { integration: item.integrationName }),
        text: t('unhealthy', {
          status: item.status === 'invalid' ? words.integrationStatus.invalid : words.syncState[item.status],
        }),
        to: `/integrations/${item.integrationId}`,
      };
    case 'roster-overdue':
      return {
        icon: IconClockExclamation,
        title: t('overdueTitle', { integration: item.integrationName }),
        text:
          item.lastSynced === null
            ? t('overdueNever', { time: formats.time(item.since) })
            : t('overdue', { time: formats.time(item.since), last: formats.time(item.lastSynced) }),
        to: `/integrations/${item.integrationId}`,
      };
    case 'endpoint-unhealthy':
      return {
        icon: IconWebhookOff,
        title: t('endpointTitle', { host: item.host }),
        text: t(item.status === 'failing' ? 'endpointFailing' : 'endpointDisabled', { time: formats.time(item.since) }),
        to: `/webhooks/${item.endpointId}`,
      };
  }
}

function WaitingItem({ item }: { item: Item }) {
  const { t } = useReader(texts);
  const { icon: Picture, title, text, to } = useWaitingItem(item);
  return (
    <Group component="li" justify="space-between" gap="xs" px="lg" py="sm" className="lined">
      <Group gap="sm" wrap="nowrap" flex="1 1 260px">
        <ThemeIcon
          variant="light"
          color={item.kind === 'pending-contracts' ? 'yellow' : 'orange'}
          size={36}
          aria-hidden
        >
          <Picture size={19} stroke={1.7} />
        </ThemeIcon>
        <div>
          <Text fw={600}>{title}</Text>
          <Hint>{text}</Hint>
        </div>
      </Group>
      <SmallAction to={to} aria-label={`${t('review')}: ${title}`} label={t('review')} />
    </Group>
  );
}

/** Renders what needs a user's attention, above everything else. */
function Waiting({ items }: { items: Overview['waiting'] }) {
  const { t } = useReader(texts);
  if (items.length === 0) {
    return (
      <Group gap={6} c="dimmed">
        <IconCircleCheck size={18} color="var(--mantine-color-teal-6)" aria-hidden />
        <Text>{t('nothingWaiting')}</Text>
      </Group>
    );
  }
  return (
    <Card component="section" padding={0} aria-labelledby="waiting" className="waiting">
      <Title order={2} id="waiting" px="lg" pt="md" pb="xs">
        {t('waiting')}
      </Title>
      <Stack component="ul" gap={0} m={0} p={0} style={{ listStyle: 'none' }}>
        {items.map((item) => (
          <WaitingItem key={JSON.stringify(item)} item={item} />
        ))}
      </Stack>
    </Card>
  );
}

function NextDates({ next }: { next: Overview['next'] }) {
  const { t } = useReader(texts);
  const dates = [
    [t('cutOff'), next.cutOffOn, t('cutOffHint'), IconCalendarTime],
    [t('tickets'), next.ticketsOn, t('expected', { count: next.ticketsExpected }), IconTicket],
    [t('nextBilling'), next.billingOn, t('billingHint'), IconReceiptEuro],
  ] as const;
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      {dates.map(([label, date, hint, icon]) => (
        <Stat key={label} label={label} value={<DateText date={date} />} hint={hint} icon={icon} />
      ))}
    </SimpleGrid>
  );
}

function Content({ overview }: { overview: Overview }) {
  const { t } = useReader(texts);
  const hasEmployees = overview.employeesByStatus.some(({ employees }) => employees > 0);
  const start = <Action to="/getting-started" variant="light" label={t('gettingStarted')} />;
  const all = (
    <Anchor component={Link} to="/integrations">
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
          <Section isTall title={t('byStatus')}>
            {hasEmployees ? (
              <StatusRing statuses={overview.employeesByStatus} />
            ) : (
              <EmptyState icon={IconUsers} title={t('noEmployees')} hint={t('noEmployeesHint')} actions={start} />
            )}
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Section isTall title={t('integrations')} aside={all}>
            <Integrations integrations={overview.integrations} />
          </Section>
        </Grid.Col>
        <Grid.Col span={12}>
          <Section isTall title={t('perMonth')}>
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
  const { t } = useReader(texts);
  // All at once, because the progress would move what is below it.
  const { isLoading } = useDocumentsProgress();
  return (
    <Page title={t('overview')}>
      <Query of={useOverview()} skeleton={<OverviewSkeleton />} isWaiting={isLoading}>
        {(overview) => <Content overview={overview} />}
      </Query>
    </Page>
  );
}
