import { type RawBuilder, sql } from 'kysely';
import { type Day, firstOfNextMonth } from '../../domain/calendar.ts';
import type { SubscriptionStatus } from '../../domain/enums.ts';
import { isRunning, runningStatuses, type SubscriptionDates } from '../../domain/subscription/subscription.ts';
import { ticketDue } from '../../domain/subscription/tickets.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { appendEvents } from '../events/append.ts';
import { idDigits, ticketPrefix } from './numbers.ts';

/**
 * Returns a token that cannot be guessed, as 43 characters that need no escaping in a URL. The random bits are drawn once per
 * statement and stored nowhere: a token, which is a hash of them and the id, reveals nothing about those of other rows.
 */
export const walletToken = (id: RawBuilder<unknown>) => sql`translate(encode(sha256(
  (select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) || int8send(${id})), 'base64'), '+/=', '-_')`;

type DateTexts = { [Name in keyof SubscriptionDates]: string | null };

interface Group extends DateTexts {
  status: SubscriptionStatus;
  employees: number;
  example: number;
}

const toDay = (text: string | null) => (text === null ? null : Temporal.PlainDate.from(text));

const toDates = (group: DateTexts): SubscriptionDates => ({
  startOn: toDay(group.startOn),
  pausedOn: toDay(group.pausedOn),
  resumesOn: toDay(group.resumesOn),
  cancelledOn: toDay(group.cancelledOn),
  reactivatedOn: toDay(group.reactivatedOn),
});

/** Throws if a stored status contradicts the ticket rule, which runs once per distinct set of dates. */
async function assertStatusesFollowRule(tx: Tx, companyId: CompanyId, month: Day): Promise<void> {
  const { rows } = await sql<Group>`
    select e.subscription_status as status, e.start_on as "startOn", e.paused_on as "pausedOn", e.resumes_on as "resumesOn",
      e.cancelled_on as "cancelledOn", e.reactivated_on as "reactivatedOn", count(*) as employees, min(e.id) as example
    from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
    group by 1, 2, 3, 4, 5, 6`.execute(tx);
  for (const group of rows) {
    if (ticketDue(toDates(group), month) === isRunning(group.status)) continue;
    const { status, employees, example } = group;
    throw new Error(
      `No tickets were issued for ${month}: by their dates, ${employees} employees of company ${companyId} with the status ` +
        `${status}, such as ${example}, ${isRunning(status) ? 'get no ticket' : 'get a ticket'}. Correct their dates or ` +
        'their status in the database, and run the day again.',
    );
  }
}

/**
 * Issues the tickets that are still missing in a month. Requires the company lock, and that the calendar has advanced
 * statuses to the month. The primary key refuses a second ticket. Who has one is looked up first: `on conflict` would write a
 * record more for each of the others. See `billTickets` about `offset` and `materialized`.
 */
export async function issueTickets(tx: Tx, companyId: CompanyId, month: Day, now: Temporal.Instant): Promise<number> {
  await assertStatusesFollowRule(tx, companyId, month);
  const first = month.toString();
  const lastDay = firstOfNextMonth(month).subtract({ days: 1 });
  const { rows } = await sql<{ tickets: number }>`
    with due as materialized (
      select e.id, e.plan_type, e.contribution_cents from employees e
      where ${ofCompany(companyId, 'e')} and e.removed_at is null and e.subscription_status = any(${runningStatuses})
        and not exists (select from tickets t where ${ofCompany(companyId, 't')} and t.employee_id = e.id
          and t.month = ${first}::date offset 0)
      order by e.id
    ), issued as (
      insert into tickets (company_id, employee_id, month, ticket_id, valid_from, valid_until, wallet_token, issued_at,
        plan_type, contribution_cents)
      select ${companyId}, d.id, ${first}::date, ${ticketPrefix(month)} || lpad(d.id::text, greatest(${idDigits}::integer, length(d.id::text)), '0'),
        ${first}::date, ${lastDay.toString()}::date, ${walletToken(sql`d.id`)}, ${now.toString()}::timestamptz, d.plan_type,
        d.contribution_cents
      from due d
    )
    select count(*) as tickets from due`.execute(tx);
  const tickets = rows[0]?.tickets ?? 0;
  const payload = { period: month.toString(), tickets };
  if (tickets > 0) appendEvents(tx, companyId, [{ type: 'tickets-issued', occurredAt: now, payload }]);
  return tickets;
}
