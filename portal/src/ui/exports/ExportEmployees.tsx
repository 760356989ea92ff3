import { dayBefore } from '../../../../src/domain/messages/render.ts';
import type { Employee } from '../../../../src/features/employees/contract.ts';
import { upcomingDay } from '../../app/i18n/formats.ts';
import { useLanguage } from '../../app/i18n/language.tsx';
import { useReader } from '../../app/i18n/reader.ts';
import { writeDate } from '../csv-line.ts';
import { ExportButton } from '../export.tsx';
import { texts } from './texts.ts';

/** One that never started has no last day. */
const lastDayOf = ({ startAt, cancelledAt }: Employee['subscription']) =>
  startAt === null || cancelledAt === null ? cancelledAt : dayBefore(cancelledAt);

/** Exports the employees that match the filters of the page. */
export function ExportEmployees({ query }: { query: object }) {
  const { t, words } = useReader(texts);
  const { language } = useLanguage();
  const day = (of: (subscription: Employee['subscription']) => string | null) => (employee: Employee) =>
    writeDate(of(employee.subscription), language);
  return (
    <ExportButton<Employee>
      path="/employees/export"
      query={query}
      name={t('employees')}
      columns={[
        [t('id'), ({ id }) => id],
        [t('hrId'), ({ hrIntergartionLinks }) => [...new Set(hrIntergartionLinks.map(({ hrId }) => hrId))].join(', ')],
        [t('firstName'), ({ firstName }) => firstName],
        [t('lastName'), ({ lastName }) => lastName],
        [t('email'), ({ email }) => email],
        [t('status'), ({ subscription }) => words.subscriptionStatus[subscription.status]],
        [t('plan'), ({ plan }) => words.plan[plan.type]],
        [t('contract'), ({ plan: { contractSigningStatus: status } }) => status && words.contract[status]],
        [t('share'), ({ plan: { employeeContributionAmount: amount } }) => amount && amount.value / 100],
        [t('start'), day(({ startAt }) => startAt)],
        [t('nextTicket'), day(({ nextTicketAt }) => nextTicketAt)],
        [t('pausedFrom'), day(({ pausedAt }) => pausedAt)],
        [t('end'), day(lastDayOf)],
        [t('upcoming'), ({ subscription: { upcoming } }) => upcoming && words.upcoming[upcoming.type]],
        [t('upcomingDate'), day(({ upcoming }) => upcoming && upcomingDay(upcoming))],
        [t('ticket'), ({ ticket }) => ticket?.ticketId],
      ]}
    />
  );
}
