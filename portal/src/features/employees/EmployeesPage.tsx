import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Link } from 'react-router';
import { contractStatuses, planTypes, subscriptionStatuses } from '../../../../src/domain/enums.ts';
import type { Employee } from '../../../../src/features/employees/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { upcomingDay, useFormats } from '../../app/i18n/formats.ts';
import { useTexts } from '../../app/i18n/texts.ts';
import { useWords } from '../../app/i18n/words.ts';
import { ColumnChoice } from '../../ui/ColumnChoice.tsx';
import { useColumnChoice } from '../../ui/column-choice.ts';
import { type Column, DataTable } from '../../ui/DataTable.tsx';
import { EmailText } from '../../ui/EmailText.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ExportEmployees } from '../../ui/exports/ExportEmployees.tsx';
import { DateText } from '../../ui/figures.tsx';
import { useListState } from '../../ui/list-state.ts';
import { Page } from '../../ui/Page.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { SavedViews } from '../../ui/views/SavedViews.tsx';
import { ContractBar } from '../contracts/ContractBar.tsx';
import { useEmployeeSelection, useSelectColumn } from '../contracts/selection.tsx';
import { AddEmployee } from './AddEmployee.tsx';
import { useEmployees } from './api.ts';
import { Filters, sortOf } from './Filters.tsx';
import { texts } from './texts.ts';

function useColumns(): Column<Employee>[] {
  const t = useTexts(texts);
  const words = useWords();
  const { date } = useFormats();
  return [
    {
      header: t('name'),
      sort: 'name',
      render: ({ id, firstName, lastName, email }) => (
        <div style={{ overflowWrap: 'anywhere' }}>
          <Anchor component={Link} to={`/employees/${id}`} inherit fw={600}>
            {firstName} {lastName}
          </Anchor>
          <Text size="xs" c="dimmed">
            <EmailText email={email} />
          </Text>
        </div>
      ),
    },
    {
      id: 'status',
      header: t('status'),
      sort: 'status',
      render: ({ subscription, plan }) => (
        <Stack gap={2} align="flex-start">
          <StatusBadge of="subscriptionStatus" word={subscription.status} />
          {subscription.upcoming !== null && (
            <Text size="xs" c="dimmed">
              {words.upcoming[subscription.upcoming.type]} {date(upcomingDay(subscription.upcoming))}
            </Text>
          )}
          {plan.contractSigningStatus === 'pending' && (
            <Text size="xs" c="dimmed">
              {t('contractPending')}
            </Text>
          )}
        </Stack>
      ),
    },
    { id: 'plan', header: t('plan'), render: ({ plan }) => words.plan[plan.type], wideOnly: true },
    {
      id: 'start',
      header: t('start'),
      sort: 'start',
      render: ({ subscription: { startAt, upcoming } }) => (
        <DateText date={upcoming?.type === 'start' ? upcoming.at : startAt} />
      ),
      wideOnly: true,
    },
    {
      id: 'nextTicket',
      header: t('nextTicket'),
      sort: 'nextTicket',
      render: ({ subscription }) => <DateText date={subscription.nextTicketAt} />,
      wideOnly: true,
    },
    {
      id: 'ticket',
      header: t('ticket'),
      render: ({ ticket }) => <span className="figures">{ticket?.ticketId ?? '–'}</span>,
      wideOnly: true,
    },
    {
      id: 'hrIds',
      header: t('hrIds'),
      render: ({ hrIntergartionLinks: links }) => (
        <div style={{ overflowWrap: 'anywhere', minWidth: '9ch' }}>
          {links.length === 0 && '–'}
          {links.map(({ type, hrIntegrationId, hrId }) => (
            <div key={`${type} ${hrIntegrationId} ${hrId}`}>{hrId}</div>
          ))}
        </div>
      ),
      wideOnly: true,
    },
  ];
}

export function Component() {
  const t = useTexts(texts);
  const list = useListState();
  const choice = useColumnChoice('employees', useColumns());
  const filters = {
    search: list.text('search'),
    subscriptionStatuses: list.words('subscriptionStatuses', subscriptionStatuses),
    planTypes: list.words('planTypes', planTypes),
    contractStatuses: list.words('contractStatuses', contractStatuses),
  };
  const employees = useEmployees({
    page: list.page,
    place: list.place,
    perPage: list.perPage,
    ...sortOf(list),
    ...filters,
  });
  const canDecide = useAbility('decisions');
  const selected = useEmployeeSelection(filters, employees.data?.total ?? 0);
  const selectColumn = useSelectColumn(selected);
  const isNarrowed = Object.values(filters).some((filter) => filter.length > 0);
  const toIntegrations = (
    <Button component={Link} to="/integrations" variant="light">
      {t('toIntegrations')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <>
          {canDecide && <AddEmployee />}
          <ExportEmployees query={{ ...sortOf(list), ...filters }} />
        </>
      }
    >
      <Filters list={list} />
      <Group gap="xs" justify="flex-end" className="no-print">
        <SavedViews name="employees" list={list} choice={choice} />
        <ColumnChoice choice={choice} />
      </Group>
      {canDecide && (
        <ContractBar
          selected={selected}
          total={employees.data?.total ?? (employees.error ? 0 : undefined)}
          pageIds={employees.data?.data.map(({ id }) => id) ?? []}
        />
      )}
      <DataTable
        label={t('title')}
        columns={canDecide ? [selectColumn, ...choice.shown] : choice.shown}
        query={employees}
        list={list}
        rowKey={({ id }) => id}
        empty={
          isNarrowed ? undefined : (
            <EmptyState icon={IconUsers} title={t('emptyTitle')} hint={t('emptyHint')} actions={toIntegrations} />
          )
        }
      />
    </Page>
  );
}
