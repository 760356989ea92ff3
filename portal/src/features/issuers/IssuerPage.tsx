import { Alert, Badge, Card, Group, Stack } from '@mantine/core';
import type {
  IssuerPage,
  OpenOrder,
  OrderGroup,
  StoredReconciliation,
} from '../../../../src/features/issuers/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { useGet } from '../../app/api/queries.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { SmallAction } from '../../ui/Action.tsx';
import { type Show, useDialog } from '../../ui/Dialog.tsx';
import { IconAlertTriangle, IconInfoCircle, IconTicket } from '../../ui/icons.gen.ts';
import { Page, Section } from '../../ui/layout.tsx';
import { MessageText } from '../../ui/MessageText.tsx';
import { EmptyState, Query } from '../../ui/Query.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { Small } from '../../ui/text.tsx';
import { colours } from './colours.ts';
import { EmployeeName } from './EmployeeName.tsx';
import { Invoices } from './Invoices.tsx';
import { OrderLists } from './OrderLists.tsx';
import { TicketChange } from './TicketChange.tsx';
import { texts } from './texts.ts';

type Settings = IssuerPage['settings'];

/** Says why the issuer cannot be worked with, and when it is tried next. */
function Failing({ lastError, nextAttemptAt }: Settings) {
  const { t, formats } = useReader(texts);
  return (
    <Alert color="orange" title={t('failingTitle')} icon={<IconAlertTriangle size={18} />}>
      <MessageText message={lastError} /> {nextAttemptAt && t('nextAttempt', { time: formats.time(nextAttemptAt) })}
    </Alert>
  );
}

function Months({ months }: Pick<Settings, 'months'>) {
  const { t, formats } = useReader(texts);
  const count = (state: keyof typeof colours, wideOnly: boolean): Column<Settings['months'][number]> => ({
    header: t(state),
    align: 'right',
    ...(wideOnly ? { wideOnly } : {}),
    render: (row) => formats.number(row[state]),
  });
  const columns: Column<Settings['months'][number]>[] = [
    { header: t('month'), render: ({ month }) => formats.month(`${month}-01`) },
    ...[count('required', true), count('ordered', true), count('issued', false), count('failed', false)],
    ...[count('blocked', true), count('replaced', true)],
  ];
  return (
    <Section title={t('months')} flush>
      <Rows label={t('months')} rows={months} rowKey={({ month }) => month} columns={columns} isQuiet />
    </Section>
  );
}

/** Shows how many orders are open for which reason, and who must act. */
function OpenGroups({ groups }: { groups: OrderGroup[] }) {
  const { t, formats } = useReader(texts);
  const columns: Column<OrderGroup>[] = [
    { header: t('orderCount'), align: 'right', render: ({ orders }) => formats.number(orders) },
    { header: t('month'), wideOnly: true, render: ({ month }) => formats.month(`${month}-01`) },
    { header: t('state'), render: ({ state }) => <Badge color={colours[state]}>{t(state)}</Badge> },
    { header: t('who'), wideOnly: true, render: ({ responsible }) => t(`by-${responsible ?? 'nobody'}`) },
    { header: t('what'), render: ({ message }) => <MessageText message={message} /> },
  ];
  return (
    <Section title={t('groups')} flush>
      <Rows label={t('groups')} rows={groups} rowKey={(_, index) => index} columns={columns} isQuiet />
    </Section>
  );
}

function OrderActions({ order, show }: { order: OpenOrder; show: Show }) {
  const { t } = useReader(texts);
  const { name, state } = order;
  const open = (kind: 'block' | 'replace') =>
    show((dialog) => (
      <TicketChange {...dialog} kind={kind} ticket={order} usualReason={kind === 'block' ? 'returned' : 'wrong'} />
    ));
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {state === 'failed' && (
        <SmallAction label={t('replace')} aria-label={t('replaceOf', { name })} onClick={() => open('replace')} />
      )}
      <SmallAction label={t('block')} aria-label={t('blockOf', { name })} onClick={() => open('block')} />
    </Group>
  );
}

function OpenOrders({ orders, total }: { orders: OpenOrder[]; total: number }) {
  const { t, formats } = useReader(texts);
  const mayChange = useAbility('decisions');
  const { show, dialog } = useDialog();
  const columns: Column<OpenOrder>[] = [
    { header: t('person'), render: ({ employeeId, name }) => <EmployeeName id={employeeId} name={name} /> },
    { header: t('month'), wideOnly: true, render: ({ month }) => formats.month(`${month}-01`) },
    { header: t('state'), render: ({ state }) => <Badge color={colours[state]}>{t(state)}</Badge> },
    {
      header: t('what'),
      wideOnly: true,
      render: ({ reason, nextAttemptAt }) => (
        <>
          {reason && <MessageText message={reason} />}
          {nextAttemptAt && <Small>{t('nextAttempt', { time: formats.time(nextAttemptAt) })}</Small>}
        </>
      ),
    },
    ...(mayChange
      ? [
          {
            header: t('actions'),
            align: 'right' as const,
            render: (order: OpenOrder) => <OrderActions order={order} show={show} />,
          },
        ]
      : []),
  ];
  return (
    <Section title={t('open')} flush>
      {total > orders.length && <Small p="md">{t('shownOrders', { shown: orders.length, count: total })}</Small>}
      <Rows label={t('open')} rows={orders} rowKey={({ orderId }) => orderId} columns={columns} isQuiet />
      {dialog}
    </Section>
  );
}

type Listed = StoredReconciliation['listed'][number];

function Reconciled({ month, required, issued, reconciledAt, listed }: StoredReconciliation) {
  const { t, formats } = useReader(texts);
  const title = t('differences', { month: formats.month(`${month}-01`) });
  const columns: Column<Listed>[] = [
    {
      header: t('person'),
      render: ({ employeeId, name }) => employeeId !== null && <EmployeeName id={employeeId} name={name ?? ''} />,
    },
    { header: t('kind'), render: ({ kind }) => <Badge color="orange">{t(kind)}</Badge> },
    { header: t('what'), wideOnly: true, render: ({ message }) => <MessageText message={message} /> },
  ];
  return (
    <Section title={title} flush={listed.length > 0}>
      <Small p={listed.length > 0 ? 'md' : 0}>
        {t('differencesHint', { issued, required, time: formats.time(reconciledAt) })}{' '}
        {listed.length === 0 && t('noDifferences')}
      </Small>
      {listed.length > 0 && <Rows label={title} rows={listed} rowKey={(_, index) => index} columns={columns} isQuiet />}
    </Section>
  );
}

function Content({ settings, lists, openGroups, openOrders, reconciliations, invoices }: IssuerPage) {
  const { t } = useReader(texts);
  if (settings.issuer === 'built-in') {
    return (
      <Alert title={t('builtInTitle')} icon={<IconInfoCircle size={18} />}>
        {t('builtIn')}
      </Alert>
    );
  }
  return (
    <Stack gap="lg">
      {settings.failingSince !== null && <Failing {...settings} />}
      {settings.months.length === 0 ? (
        <Card>
          <EmptyState
            icon={IconTicket}
            title={t('noOrders')}
            hint={t('noOrdersHint', { days: settings.leadDays ?? 0, cutOff: settings.cutOffDay ?? 0 })}
          />
        </Card>
      ) : (
        <Months months={settings.months} />
      )}
      {lists !== null && <OrderLists lists={lists} delivery={settings.delivery} />}
      {openGroups.length > 0 && <OpenGroups groups={openGroups} />}
      {openOrders.length > 0 && (
        <OpenOrders orders={openOrders} total={openGroups.reduce((sum, { orders }) => sum + orders, 0)} />
      )}
      {reconciliations.map((one) => (
        <Reconciled key={one.month} {...one} />
      ))}
      <Invoices invoices={invoices} months={settings.months} />
    </Stack>
  );
}

export function Component() {
  const { t } = useReader(texts);
  return (
    <Page title={t('issuer')} description={t('description')}>
      <Query of={useGet<IssuerPage>(['issuer'], '/issuer')} rows={8}>
        {(page) => <Content {...page} />}
      </Query>
    </Page>
  );
}
