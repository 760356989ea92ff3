import type { HandField } from '../../../../../src/domain/employee.ts';
import type { EmployeeDetails } from '../../../../../src/features/employees/contract.ts';
import './employee.css';
import '../../../ui/records/records.css';
import { Badge, Group, Stack } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { useParams } from 'react-router';
import { useAbility } from '../../../app/api/me.ts';
import { useReader } from '../../../app/i18n/reader.ts';
import { SmallAction } from '../../../ui/Action.tsx';
import { StatusBadge } from '../../../ui/badges.tsx';
import { useDialog } from '../../../ui/Dialog.tsx';
import { type Fact, Facts } from '../../../ui/Facts.tsx';
import { Page, Section } from '../../../ui/layout.tsx';
import { Query, RowsSkeleton } from '../../../ui/Query.tsx';
import { DateText, EmailText, Hint } from '../../../ui/text.tsx';
import { EmployeeTickets } from '../../issuers/EmployeeTickets.tsx';
import { useEmployee } from '../api.ts';
import { isInRoster, useSource } from '../by-hand/source.ts';
import { texts as handTexts } from '../by-hand/texts.ts';
import { Answer } from './Answer.tsx';
import { Decisions } from './Decisions.tsx';
import { Absences, Agreement, Costs, Documents, HrLinks, Ticket } from './parts.tsx';
import { Timeline } from './Timeline.tsx';
import { texts } from './texts.ts';

/** Loaded when it is opened. */
const AssignPolicy = lazy(async () => ({ default: (await import('../../policies/AssignPolicy.tsx')).AssignPolicy }));

/** Says which benefit policy applies and why, and lets HR assign another one. */
function AppliedPolicy({ details }: { details: EmployeeDetails }) {
  const { t, words } = useReader(texts);
  const mayAssign = useAbility('policies');
  const { show, dialog } = useDialog();
  const { policy, group } = details;
  if (policy === null) return null;
  const why = words.policyReason[policy.reason];
  return (
    <Group gap="xs">
      <span>
        {policy.name} ({policy.reason === 'by-group' ? `${why} ${group}` : why})
      </span>
      {mayAssign && (
        <SmallAction
          label={t('assignPolicy')}
          onClick={() => show((state) => <AssignPolicy {...state} details={details} />)}
        />
      )}
      <Suspense>{dialog}</Suspense>
    </Group>
  );
}

function Person({ details }: { details: EmployeeDetails }) {
  const { t } = useReader(texts);
  const { t: hand } = useReader(handTexts);
  const { employee, startDate, terminationDate, personnelNumber, group, policy, setByHand, rosterFields } = details;
  const source = useSource(details);
  const marked = (field: HandField, value: ReactNode) => (
    <Group gap="xs">
      {value}
      {rosterFields.length > 0 && setByHand.includes(field) && <Badge color="grape">{hand('byHand')}</Badge>}
    </Group>
  );
  const facts: Fact[] = [
    [t('id'), String(employee.id)],
    [t('email'), <EmailText key="email" email={employee.email} />],
    [t('personnelNumber'), marked('personnelNumber', personnelNumber ?? '–')],
    [t('dateOfBirth'), marked('dateOfBirth', <DateText date={employee.dateOfBirth} />)],
    [t('startDate'), marked('startDate', <DateText date={startDate} />)],
    [t('terminationDate'), marked('terminationDate', <DateText date={terminationDate} />)],
    ...(group === null ? [] : [[t('group'), marked('group', group)] satisfies Fact]),
    ...(policy === null ? [] : [[t('policy'), <AppliedPolicy key="policy" details={details} />] satisfies Fact]),
  ];
  const named = rosterFields.filter((field) => field !== 'firstName' && field !== 'lastName');
  const fields = [t('name'), ...named.map((field) => t(field))].join(', ');
  return (
    <Section title={t('profile')}>
      <Facts facts={facts} />
      <Hint mt="sm">{isInRoster(details) ? hand('rosterNote', { fields, source }) : hand('handNote')}</Hint>
    </Section>
  );
}

function Content({ details }: { details: EmployeeDetails }) {
  const { employee } = details;
  return (
    <>
      <Answer details={details} />
      <div className="employee-columns">
        <div>
          <Stack>
            <Costs details={details} />
            <Agreement details={details} />
            <Documents documents={details.documents} employee={employee} />
            <Timeline {...details} />
          </Stack>
        </div>
        <div>
          <Stack>
            <Ticket details={details} />
            <EmployeeTickets id={employee.id} name={`${employee.firstName} ${employee.lastName}`} />
            <Person details={details} />
            <HrLinks employee={employee} />
            <Absences details={details} />
          </Stack>
        </div>
      </div>
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
