import type { EmployeeDetails } from '../../../../../src/features/employees/contract.ts';
import './employee.css';
import '../../../ui/records/records.css';
import { Grid, Stack } from '@mantine/core';
import { Suspense } from 'react';
import { useParams } from 'react-router';
import { useReader } from '../../../app/i18n/reader.ts';
import { StatusBadge } from '../../../ui/badges.tsx';
import { type Fact, Facts } from '../../../ui/Facts.tsx';
import { Page } from '../../../ui/layout.tsx';
import { Query, RowsSkeleton } from '../../../ui/Query.tsx';
import { DateText, EmailText } from '../../../ui/text.tsx';
import { useEmployee } from '../api.ts';
import { Answer } from './Answer.tsx';
import { Decisions } from './Decisions.tsx';
import { Absences, Agreement, Costs, Documents, HrLinks, Ticket } from './parts.tsx';
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

function Content({ details }: { details: EmployeeDetails }) {
  const { employee } = details;
  return (
    <>
      <Answer details={details} />
      <Grid columns={24}>
        <Grid.Col span={{ base: 24, md: 15 }}>
          <Stack>
            <Costs details={details} />
            <Agreement details={details} />
            <Documents documents={details.documents} employee={employee} />
            <Timeline history={details.history} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 24, md: 9 }}>
          <Stack>
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
  const { t } = useReader(texts);
  const id = Number(useParams().id);
  const query = useEmployee(id);
  const parent = { title: t('employees'), to: '/employees' };
  const details = query.data;
  const employee = details?.employee;
  return (
    <Page
      title={employee ? `${employee.firstName} ${employee.lastName}` : t('title')}
      parents={[parent]}
      aside={employee && <StatusBadge of="subscriptionStatus" word={employee.subscription.status} />}
      actions={details && <Decisions details={details} />}
    >
      <Query of={query} parent={parent} rows={12}>
        {(loaded) => (
          <Suspense fallback={<RowsSkeleton rows={12} />}>
            <Content details={loaded} />
          </Suspense>
        )}
      </Query>
    </Page>
  );
}
