import type { EmployeeDetails } from '../../../../../src/features/employees/contract.ts';
import './employee.css';
import '../../../ui/records/records.css';
import { Alert, Grid, Stack } from '@mantine/core';
import { IconFileText, IconUserMinus } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { useFormats } from '../../../app/i18n/formats.ts';
import { useTexts } from '../../../app/i18n/texts.ts';
import { EmailText } from '../../../ui/EmailText.tsx';
import { type Fact, Facts } from '../../../ui/Facts.tsx';
import { DateText } from '../../../ui/figures.tsx';
import { LoadProblem } from '../../../ui/LoadProblem.tsx';
import { Page } from '../../../ui/Page.tsx';
import { RowsSkeleton } from '../../../ui/RowsSkeleton.tsx';
import { Section } from '../../../ui/Section.tsx';
import { StatusBadge } from '../../../ui/StatusBadge.tsx';
import { useEmployee } from '../api.ts';
import { Absences, HrLinks, Subscription, Ticket } from './Aside.tsx';
import { Decisions } from './Decisions.tsx';
import { Charges, Documents } from './Documents.tsx';
import { Timeline } from './Timeline.tsx';
import { texts } from './texts.ts';

function Person({ details: { employee, startDate, terminationDate } }: { details: EmployeeDetails }) {
  const t = useTexts(texts);
  const facts: Fact[] = [
    [t('id'), String(employee.id)],
    [t('email'), <EmailText key="email" email={employee.email} />],
    [t('dateOfBirth'), <DateText key="birth" date={employee.dateOfBirth} />],
    [t('startDate'), <DateText key="first" date={startDate} />],
    [t('terminationDate'), <DateText key="last" date={terminationDate} />],
  ];
  return (
    <Section title={t('profile')}>
      <Facts facts={facts} />
    </Section>
  );
}

function Notices({ details: { isLeaving, employee } }: { details: EmployeeDetails }) {
  const t = useTexts(texts);
  const isPending = employee.plan.contractSigningStatus === 'pending' && employee.subscription.status === 'scheduled';
  return (
    <>
      {isLeaving && (
        <Alert color="orange" icon={<IconUserMinus size={18} />} title={t('leavingTitle')}>
          {t('leaving')}
        </Alert>
      )}
      {isPending && (
        <Alert color="yellow" icon={<IconFileText size={18} />} title={t('pendingTitle')}>
          {t('pending')}
        </Alert>
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
  const t = useTexts(texts);
  const formats = useFormats();
  const id = Number(useParams().id);
  const { data: details, error, refetch } = useEmployee(id);
  const parent = { title: t('employees'), to: '/employees' };
  if (details === undefined) {
    return (
      <Page title={t('title')} parents={[parent]}>
        {error ? (
          <LoadProblem error={error} onRetry={() => void refetch()} parent={parent} />
        ) : (
          <RowsSkeleton rows={12} />
        )}
      </Page>
    );
  }
  const { firstName, lastName, subscription } = details.employee;
  const { nextTicketAt } = subscription;
  return (
    <Page
      title={`${firstName} ${lastName}`}
      parents={[parent]}
      aside={<StatusBadge of="subscriptionStatus" word={subscription.status} />}
      description={
        nextTicketAt === null ? t('noNextTicket') : t('nextTicket', { date: formats.longDate(nextTicketAt) })
      }
      actions={<Decisions details={details} />}
    >
      <Content details={details} />
    </Page>
  );
}
