import { Anchor, Button, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useEmployees } from '../../api/employees.ts';
import { planTypes, subscriptionStatuses } from '../../api/enums.ts';
import type { Employee } from '../../api/types.gen.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { EmailText } from '../../components/EmailText.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { DateText } from '../../components/figures.tsx';
import { useListState } from '../../components/list-state.ts';
import { Page } from '../../components/Page.tsx';
import { StatusBadge } from '../../components/StatusBadge.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useWords } from '../../i18n/words.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { Filters, orderOf, sortOf } from './Filters.tsx';

function useColumns(): Column<Employee>[] {
  const t = useTexts({ en, de });
  const words = useWords();
  return [
    {
      header: t('name'),
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
      header: t('status'),
      render: ({ subscription, plan }) => (
        <Stack gap={2} align="flex-start">
          <StatusBadge of="subscriptionStatus" word={subscription.status} />
          {plan.contractSigningStatus === 'pending' && (
            <Text size="xs" c="dimmed">
              {t('contractPending')}
            </Text>
          )}
        </Stack>
      ),
    },
    { header: t('plan'), render: ({ plan }) => words.plan[plan.type], wideOnly: true },
    {
      header: t('nextTicket'),
      render: ({ subscription }) => <DateText date={subscription.nextTicketAt} />,
      wideOnly: true,
    },
    {
      header: t('ticket'),
      render: ({ ticket }) => <span className="figures">{ticket?.ticketId ?? '–'}</span>,
      wideOnly: true,
    },
    {
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
  const t = useTexts({ en, de });
  const columns = useColumns();
  const list = useListState();
  const filters = {
    search: list.text('search'),
    subscriptionStatuses: list.words('subscriptionStatuses', subscriptionStatuses),
    planTypes: list.words('planTypes', planTypes),
  };
  const employees = useEmployees({
    page: list.page,
    perPage: list.perPage,
    ...sortOf(orderOf(list)),
    ...filters,
  });
  const isNarrowed = Object.values(filters).some((filter) => filter.length > 0);
  const toIntegrations = (
    <Button component={Link} to="/integrations" variant="light">
      {t('toIntegrations')}
    </Button>
  );
  return (
    <Page title={t('title')} description={t('description')}>
      <Filters list={list} />
      <DataTable
        label={t('title')}
        columns={columns}
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
