import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../db/company-scope.ts';
import type { Tx } from '../db/database.ts';
import { type Day, firstOfNextMonth } from '../domain/calendar.ts';
import { runningStatuses } from '../domain/subscription.ts';

/** Random bits enough that nobody guesses a pass, written as 43 characters that need no escaping in an address. */
const walletToken = sql`
  translate(encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'base64'), '+/=', '-_')`;

/**
 * One ticket for everybody whose subscription runs on the first of the month, after the calendar has moved statuses to that
 * day. Answers how many are new: the primary key lets nobody have two for a month.
 */
export async function issueTickets(tx: Tx, companyId: CompanyId, month: Day, now: Temporal.Instant): Promise<number> {
  const prefix = `DT-${month.toString().slice(0, 7).replace('-', '')}-`;
  const lastDay = firstOfNextMonth(month).subtract({ days: 1 });
  const { numAffectedRows } = await sql`
    insert into tickets (company_id, employee_id, month, ticket_id, valid_from, valid_until, wallet_token, issued_at,
      plan_type, contribution_cents)
    select e.company_id, e.id, ${month.toString()}::date, ${prefix} || lpad(e.id::text, greatest(6, length(e.id::text)), '0'),
      ${month.toString()}::date, ${lastDay.toString()}::date, ${walletToken}, ${now.toString()}::timestamptz,
      e.plan_type, e.contribution_cents
    from employees e where ${ofCompany(companyId, 'e')} and e.removed_at is null
      and e.subscription_status = any(${runningStatuses})
    order by e.id
    on conflict do nothing`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
