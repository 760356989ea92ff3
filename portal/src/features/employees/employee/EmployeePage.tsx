import type { EmployeeDetails } from '../../../../../src/features/employees/contract.ts';
import { Notice } from '../../../ui/Action.tsx';
import './employee.css';
import '../../../ui/records/records.css';
import { Grid, Stack } from '@mantine/core';
import { IconFileText, IconUserMinus } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { useReader } from '../../../app/i18n/reader.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { type Fact, Facts } from '../../../ui/Facts.tsx';
import { Page } from '../../../ui/layout.tsx';
import { Query } from '../../../ui/Query.tsx';
import { DateText, EmailText } from '../../../ui/text.tsx';
import { useEmployee } from '../api.ts';
import { Decisions } from './Decisions.tsx';
import { Absences, Charges, Documents, HrLinks, Subscription, Ticket } from './parts.tsx';
import { Timeline } from './Timeline.tsx';
import { texts } from './texts.ts';

function Person({ details: { employee, startDate, terminationDate } }: { details: EmployeeDetails }) {
  const { t } = useReader(texts);
  const facts: Fact[] = [
    [t('id'), String(employee.id)],
    [t('email'), <EmailText key="email" email={employee.email} />],
    [t('dateOfBirth'), <DateText key="birth" date={employee.dateOfBirth} />],
    [t('startDate'), <DateText key="first" date={startDate} />],
    [t('terminationDate'), <DateText key="last" date={terminationDate} />],
  ];
  return <Facts title={t('profile')} facts={facts} />;
}

function Notices({ details: { isLeaving, employee } }: { details: EmployeeDetails }) {
  const { t } = useReader(texts);
  const isPending = employee.plan.contractSigningStatus === 'pending' && employee.subscription.status === 'scheduled';
  return (
    <>
      {isLeaving && (
        <Notice color="orange" icon={<IconUserMinus size={18} />} title={t('leavingTitle')} text={t('leaving')} />
      )}
      {isPending && (
        <Notice color="yellow" icon={<IconFileText size={18} />} title={t('contractPending')} text={t('pending')} />
      )}
    </>
  );
}

function Content({ details }: { details: EmployeeDetails }) {
  const { employee } = details;
  return (
    <>
      <Notices details={details} />
      <Grid columns={24}>
        <Grid.Col span={{ base: 24, md: 15 }}>
          <Stack>
            <Timeline details={details} />
            <Charges charges={details.charges} />
            <Documents documents={details.documents} employee={details.employee} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 24, md: 9 }}>
          <Stack>
            <Subscription details={details} />
            <Ticket details={details} />
            <Person details={details} />
            <HrLinks employee={employee} />
            <Absences absences={details.absences} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}

export function Component() {
  const { t, formats } = useReader(texts);
  const id = Number(useParams().id);
  const query = useEmployee(id);
  const parent = { title: t('employees'), to: '/employees' };
  const details = query.data;
  const employee = details?.employee;
  const nextTicketAt = employee?.subscription.nextTicketAt ?? null;
  const next = nextTicketAt === null ? t('noNextTicket') : t('nextTicket', { date: formats.longDate(nextTicketAt) });
  return (
    <Page
      title={employee ? `${employee.firstName} ${employee.lastName}` : t('title')}
      parents={[parent]}
      aside={employee && <StatusBadge of="subscriptionStatus" word={employee.subscription.status} />}
      description={employee && next}
      actions={details && <Decisions details={details} />}
    >
      <Query of={query} parent={parent} rows={12}>
        {(loaded) => <Content details={loaded} />}
      </Query>
    </Page>
  );
}
