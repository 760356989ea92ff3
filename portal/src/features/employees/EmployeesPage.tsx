import { Group, Select, Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { contractStatuses, planTypes, subscriptionStatuses } from '../../../../src/domain/enums.ts';
import type { Employee } from '../../../../src/features/employees/contract.ts';
import { useAbility } from '../../app/api/me.ts';
import { upcomingDay } from '../../app/i18n/formats.ts';
import { useReader } from '../../app/i18n/reader.ts';
import { Action } from '../../ui/Action.tsx';
import { StatusBadge } from '../../ui/badges.tsx';
import { useDialog } from '../../ui/Dialog.tsx';
import { ExportEmployees } from '../../ui/exports/ExportEmployees.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { IconUsers } from '../../ui/icons.gen.ts';
import { Page } from '../../ui/layout.tsx';
import { type ListState, useListState } from '../../ui/list-state.ts';
import { EmptyState } from '../../ui/Query.tsx';
import type { Column } from '../../ui/rows.tsx';
import { ChoiceFilter, ColumnChoice, DataTable, FilterCard, useColumnChoice, WordsFilter } from '../../ui/table.tsx';
import { DateText, EmployeeLink, Small } from '../../ui/text.tsx';
import { SavedViews } from '../../ui/views/SavedViews.tsx';
import { useIntegrations } from '../connectors/api.ts';
import { ContractBar } from '../contracts/ContractBar.tsx';
import { useEmployeeSelection, useSelectColumn } from '../contracts/selection.tsx';
import { useEmployees, useGroups } from './api.ts';
import { texts } from './texts.ts';

/** Loaded when it is opened: it needs a calendar. */
const AddEmployee = lazy(async () => ({ default: (await import('./by-hand/ByHand.tsx')).AddEmployee }));

const sortFields = ['id', 'createdAt', 'updatedAt', 'name', 'status', 'start', 'nextTicket'] as const;

/** The orders that the choice offers. The heads of the columns offer both directions. */
const orders = {
  byName: 'name asc',
  newestFirst: 'createdAt desc',
  oldestFirst: 'id asc',
  changedFirst: 'updatedAt desc',
  byStatus: 'status asc',
  byStart: 'start asc',
  byNextTicket: 'nextTicket asc',
} as const;

/** Returns the API's `sortField` and `sortOrder`. The address bar may contain anything. */
function sortOf({ sortField, sortOrder }: ListState) {
  const known = sortFields.find((field) => field === sortField);
  const direction: 'asc' | 'desc' = known !== undefined && sortOrder === 'desc' ? 'desc' : 'asc';
  return { sortField: known ?? ('name' as const), sortOrder: direction };
}

/** Renders the filters of the list. The address bar stores all of them. */
function Filters({ list }: { list: ListState }) {
  const { t, words } = useReader(texts);
  const choices = [
    ['subscriptionStatuses', subscriptionStatuses, words.subscriptionStatus, t('subscription')],
    ['planTypes', planTypes, words.plan, t('plan')],
    ['contractStatuses', contractStatuses, words.contract, t('contract')],
  ] as const;
  const integrations = useIntegrations().data ?? [];
  const groups = useGroups().data ?? [];
  const order = Object.values(sortOf(list)).join(' ');
  const setOrder = (value: string) => {
    const [sortField, sortOrder] = value.split(' ');
    list.set({ sortField, sortOrder });
  };
  return (
    <FilterCard
      list={list}
      label={t('employees')}
      cols={{ base: 2, lg: 6 }}
      search={
        <SearchField
          label={t('search')}
          placeholder={t('searchHint')}
          value={list.text('search')}
          onSearch={(search) => list.set({ search })}
        />
      }
    >
      {choices.map(([name, values, names, label]) => (
        <WordsFilter
          key={name}
          list={list}
          name={name}
          values={values}
          names={names}
          label={label}
          all={t('all')}
          maxDropdownHeight={340}
        />
      ))}
      <ChoiceFilter
        list={list}
        name="hrIntegrationId"
        label={t('integration')}
        all={t('all')}
        data={integrations.map(({ id, name }) => ({ value: String(id), label: name }))}
        searchable
      />
      <Select
        label={t('sort')}
        data={Object.entries(orders).map(([name, value]) => ({ value, label: t(name as keyof typeof orders) }))}
        value={Object.values<string>(orders).includes(order) ? order : null}
        placeholder={t('byColumn')}
        onChange={(value) => value && setOrder(value)}
        allowDeselect={false}
      />
      {/* Last, in a place that is free without it: it moves nothing when the groups arrive. */}
      {(groups.length > 0 || list.text('group') !== '') && (
        <ChoiceFilter
          list={list}
          name="group"
          label={t('group')}
          all={t('all')}
          data={groups.map(({ group }) => ({ value: group, label: group }))}
          searchable
        />
      )}
    </FilterCard>
  );
}

function useColumns(): Column<Employee>[] {
  const { t, words, formats } = useReader(texts);
  const { date } = formats;
  return [
    {
      header: t('name'),
      sort: 'name',
      render: (employee) => <EmployeeLink {...employee} />,
    },
    {
      id: 'status',
      header: t('subscription'),
      sort: 'status',
      render: ({ subscription, plan }) => (
        <Stack gap={2} align="flex-start">
          <StatusBadge of="subscriptionStatus" word={subscription.status} />
          {subscription.upcoming !== null && (
            <Small>
              {words.upcoming[subscription.upcoming.type]} {date(upcomingDay(subscription.upcoming))}
            </Small>
          )}
          {plan.contractSigningStatus === 'pending' && <Small>{t('contractPending')}</Small>}
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
      header: t('byNextTicket'),
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
  const { t } = useReader(texts);
  const list = useListState('name');
  const choice = useColumnChoice('employees', useColumns());
  const integrationId = Number(/^\d{1,15}$/.exec(list.text('hrIntegrationId'))?.[0]);
  const group = list.text('group');
  const filters = {
    search: list.text('search'),
    subscriptionStatuses: list.words('subscriptionStatuses', subscriptionStatuses),
    planTypes: list.words('planTypes', planTypes),
    contractStatuses: list.words('contractStatuses', contractStatuses),
    ...(integrationId > 0 ? { hrIntegrationId: integrationId } : {}),
    ...(group !== '' && group.length <= 100 ? { group } : {}),
  };
  const employees = useEmployees({
    page: list.page,
    place: list.place,
    perPage: list.perPage,
    ...sortOf(list),
    ...filters,
  });
  const canDecide = useAbility('decisions');
  const { show, dialog } = useDialog();
  const selected = useEmployeeSelection(filters, employees.data?.total ?? 0);
  const selectColumn = useSelectColumn<Employee>(selected, employees.data?.data ?? [], ({ id }) => id);
  const toIntegrations = <Action to="/integrations" variant="light" label={t('toIntegrations')} />;
  return (
    <Page
      title={t('employees')}
      description={t('description')}
      actions={
        <>
          {canDecide && (
            <Action
              variant="default"
              onClick={() =>
                show((modal) => (
                  <Suspense>
                    <AddEmployee {...modal} />
                  </Suspense>
                ))
              }
              label={t('addEmployee')}
            />
          )}
          <ExportEmployees query={{ ...sortOf(list), ...filters }} />
        </>
      }
    >
      {dialog}
      <Filters list={list} />
      <Group gap="xs" justify="flex-end" className="no-print" visibleFrom="sm">
        <SavedViews name="employees" list={list} choice={choice} />
        <ColumnChoice choice={choice} />
      </Group>
      {canDecide && <ContractBar selected={selected} total={employees.data?.total ?? 0} of="employees" />}
      <DataTable
        label={t('employees')}
        columns={canDecide ? [selectColumn, ...choice.shown] : choice.shown}
        query={employees}
        list={list}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={IconUsers} title={t('noEmployees')} hint={t('noEmployeesHint')} actions={toIntegrations} />
        }
      />
    </Page>
  );
}
