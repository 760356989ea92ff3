import type { Employee } from '../../../../src/features/employees/contract.ts';
import { dayBefore, upcomingDay } from '../../app/i18n/formats.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useReader } from '../../app/i18n/reader.ts';
import { writeDate } from '../csv-line.ts';
import { ExportButton } from '../export.tsx';
import { texts } from './texts.ts';

const headings = [
  ...(['id', 'hrId', 'firstName', 'lastName', 'email', 'status', 'plan', 'contract', 'share', 'start'] as const),
  ...(['nextTicket', 'pausedFrom', 'end', 'upcoming', 'upcomingDate', 'ticket'] as const),
] as const;

/** One that never started has no last day. */
const lastDayOf = ({ startAt, cancelledAt }: Employee['subscription']) =>
  startAt === null || cancelledAt === null ? cancelledAt : dayBefore(cancelledAt);

/** Exports the employees that match the filters of the page. */
export function ExportEmployees({ query }: { query: object }) {
  const { t, words } = useReader(texts);
  const { language } = useLanguage();
  const toCells = ({ id, firstName, lastName, email, subscription, plan, ticket, ...employee }: Employee) => [
    id,
    [...new Set(employee.hrIntergartionLinks.map(({ hrId }) => hrId))].join(', '),
    firstName,
    lastName,
    email,
    words.subscriptionStatus[subscription.status],
    words.plan[plan.type],
    plan.contractSigningStatus === null ? '' : words.contract[plan.contractSigningStatus],
    plan.employeeContributionAmount === null ? '' : plan.employeeContributionAmount.value / 100,
    writeDate(subscription.startAt, language),
    writeDate(subscription.nextTicketAt, language),
    writeDate(subscription.pausedAt, language),
    writeDate(lastDayOf(subscription), language),
    subscription.upcoming === null ? '' : words.upcoming[subscription.upcoming.type],
    writeDate(subscription.upcoming && upcomingDay(subscription.upcoming), language),
    ticket?.ticketId ?? '',
  ];
  return (
    <ExportButton
      path="/employees/export"
      query={query}
      name={t('employees')}
      headings={headings.map((heading) => t(heading))}
      toCells={toCells}
    />
  );
}
