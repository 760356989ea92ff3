import { type RawBuilder, sql } from 'kysely';
import { type Day, firstOfMonth, firstOfNextMonth, isBefore, isSameDay } from '../../domain/calendar.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { runningStatuses } from '../../domain/subscription/subscription.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { countInserted } from '../../platform/db/count-inserted.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import type { Company } from '../companies/companies.ts';
import { appendEvents } from '../events/append.ts';
import { walletToken } from '../tickets/issue.ts';
import { idDigits, ticketPrefix } from '../tickets/numbers.ts';
import { isFirstDayOfOrders, listOrderedMonths, monthToReconcile } from './rules/schedule.ts';
import { findIssuerRow, updateIssuer } from './store.ts';

/**
 * Returns the condition that employee `e` held a running subscription in a month that is over, by the last status that was
 * known in it. Statuses are read from the history: the present one says nothing about that month.
 */
function heldTicketIn({ id: companyId, timeZone }: RequiringCompany, month: Day): RawBuilder<boolean> {
  const next = firstOfNextMonth(month);
  const ends = next.toZonedDateTime(timeZone).toInstant().toString();
  return sql<boolean>`(e.removed_at is null or e.removed_at >= ${ends}::timestamptz)
    and coalesce(
      (select h.to_status from subscription_changes h where ${ofCompany(companyId, 'h')} and h.employee_id = e.id
        and h.known_on < ${next.toString()}::date order by h.id desc limit 1),
      (select h.from_status from subscription_changes h where ${ofCompany(companyId, 'h')} and h.employee_id = e.id
        order by h.id limit 1),
      e.subscription_status) = any(${runningStatuses})`;
}

type RequiringCompany = Pick<Company, 'id' | 'timeZone'>;

/**
 * Returns a condition that holds if employee `e` must hold a ticket of a month, as far as it is known on a day: a month
 * that is over by the history, the present one by the status, a later one by the next ticket of the rules.
 */
export function mustHoldTicket(company: RequiringCompany, month: Day, day: Day): RawBuilder<boolean> {
  const present = firstOfMonth(day);
  if (isBefore(month, present)) return heldTicketIn(company, month);
  return isSameDay(month, present)
    ? sql<boolean>`e.removed_at is null and e.subscription_status = any(${runningStatuses})`
    : sql<boolean>`e.removed_at is null and e.next_ticket_on <= ${month.toString()}::date`;
}

/** The code of orders that were ended because nobody needs them. They are placed again if somebody does. */
export const notRequired = 'not-required';

/** Returns the condition for the last order `o` of an employee and month: earlier ones are replaced or ended. */
export const isLastAttempt = (company: Company) => sql<boolean>`not exists (
  select from ticket_orders l where ${ofCompany(company.id, 'l')} and l.employee_id = o.employee_id
    and l.month = o.month and l.attempt > o.attempt)`;

/** Adds an order for everybody who must hold a ticket of the month and has none. */
function insertOrders(tx: Tx, company: Company, { month, day, now }: Step): Promise<number> {
  const { id: companyId } = company;
  return countInserted(
    tx,
    sql`
    insert into ticket_orders (company_id, employee_id, month, attempt, order_id, state, required_at, next_attempt_at)
    select e.company_id, e.id, ${month.toString()}::date, coalesce(l.attempt, 0) + 1,
      'ord-' || replace(gen_random_uuid()::text, '-', ''), 'required', ${now.toString()}::timestamptz,
      ${now.toString()}::timestamptz
    from employees e
    left join lateral (
      select o.attempt, o.state, o.reason_code from ticket_orders o
      where ${ofCompany(companyId, 'o')} and o.employee_id = e.id and o.month = ${month.toString()}::date
      order by o.attempt desc limit 1
    ) l on true
    where ${ofCompany(companyId, 'e')} and ${mustHoldTicket(company, month, day)}
      and (l.attempt is null or (l.state = 'blocked' and l.reason_code = ${notRequired}))
      and not exists (select from tickets t where ${ofCompany(companyId, 't')} and t.employee_id = e.id
        and t.month = ${month.toString()}::date)
    order by e.id
    on conflict do nothing`,
  );
}

/**
 * Ends the orders of those who need no ticket of the month any more. The issuer is told of those that it knows. A ticket
 * that is already valid stays valid.
 */
async function endOrders(tx: Tx, company: Company, { month, day, now }: Step): Promise<number> {
  const { id: companyId } = company;
  const { rows } = await sql`
    update ticket_orders o set state = 'blocked', reason_code = ${notRequired},
      reason = ${JSON.stringify(createMessage('order-not-required'))}::jsonb, responsible = 'nobody',
      ended_at = ${now.toString()}::timestamptz, failures = 0, barcode = null, barcode_format = null,
      next_attempt_at = case when o.ordered_at is not null and (o.state <> 'failed' or o.is_at_issuer)
        then ${now.toString()}::timestamptz end
    where ${ofCompany(companyId, 'o')} and o.month = ${month.toString()}::date
      and o.state = any(${['required', 'ordered', 'issued', 'failed']})
      and not exists (select from employees e where ${ofCompany(companyId, 'e')} and e.id = o.employee_id
        and ${mustHoldTicket(company, month, day)})
      and not exists (select from tickets t where ${ofCompany(companyId, 't')} and t.employee_id = o.employee_id
        and t.month = o.month)
    returning 1`.execute(tx);
  if (rows.length === 0) return 0;
  // The issuer was to replace these tickets by those that were just ended, so it is told to block them instead.
  await sql`
    update ticket_orders o set next_attempt_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 'o')} and o.month = ${month.toString()}::date and o.state = 'replaced' and o.is_at_issuer
      and exists (select from ticket_orders n where ${ofCompany(companyId, 'n')} and n.employee_id = o.employee_id
        and n.month = o.month and n.replaces_attempt = o.attempt and n.state = 'blocked')`.execute(tx);
  return rows.length;
}

/**
 * A month that is over needs no ticket any more. Orders that the issuer knows are fetched: their tickets may have been
 * valid. After two more months nobody asks about them.
 */
async function expireOrders(tx: Tx, company: Company, day: Day): Promise<void> {
  await sql`
    update ticket_orders o set state = 'failed', reason_code = 'month-over', responsible = 'nobody', next_attempt_at = null,
      reason = ${JSON.stringify(createMessage('order-month-over'))}::jsonb
    where ${ofCompany(company.id, 'o')} and o.month < ${firstOfMonth(day).toString()}::date and o.state = 'required'
      and o.ordered_at is null`.execute(tx);
  await sql`
    update ticket_orders o set next_attempt_at = null
    where ${ofCompany(company.id, 'o')} and o.month < ${firstOfMonth(day).subtract({ months: 2 }).toString()}::date
      and o.next_attempt_at is not null`.execute(tx);
  // Nobody has said whose tickets these are. They have names of people.
  await sql`
    delete from returned_rows r
    where ${ofCompany(company.id, 'r')} and r.month < ${firstOfMonth(day).subtract({ months: 2 }).toString()}::date`.execute(
    tx,
  );
}

interface Step {
  month: Day;
  day: Day;
  now: Temporal.Instant;
}

/**
 * Adds and ends orders, so that everybody who must hold a ticket has one order per month, ahead of the first. For the
 * daily run of a company whose tickets somebody else issues. Requires the company lock.
 */
export async function requireTickets(
  tx: Tx,
  queue: Pick<Enqueue, 'enqueueOrders'>,
  company: Company,
  { day, now }: Omit<Step, 'month'>,
): Promise<void> {
  const { id: companyId } = company;
  const row = await findIssuerRow(tx, companyId, { lock: true });
  if (row === undefined) return;
  let changed = 0;
  for (const month of listOrderedMonths(day, row)) {
    changed += await endOrders(tx, company, { month, day, now });
    changed += await insertOrders(tx, company, { month, day, now });
  }
  await expireOrders(tx, company, day);
  const reconcile = monthToReconcile(day);
  if (reconcile !== undefined) await updateIssuer(tx, companyId, { reconcile_due: reconcile.toString() });
  // A list of the month is written also if everybody has left.
  if (changed === 0 && reconcile === undefined && !isFirstDayOfOrders(day, row)) return;
  await updateIssuer(tx, companyId, { next_run_at: sql`least(next_run_at, ${now.toString()}::timestamptz)` });
  await queue.enqueueOrders(tx, companyId);
}

/**
 * Puts issued tickets into force: those of a month that has begun. `employeeIds`: only those. A replacement takes the place
 * of the ticket that it replaces: the primary key prevents a second one. Returns how many tickets are new.
 */
export async function insertOrderedTickets(
  tx: Tx,
  company: Company,
  { month, now, employeeIds }: { month: Day; now: Temporal.Instant; employeeIds?: readonly number[] },
): Promise<number> {
  const { id: companyId } = company;
  const lastDay = firstOfNextMonth(month).subtract({ days: 1 });
  const some = employeeIds === undefined ? sql`` : sql`and o.employee_id = any(${employeeIds}::bigint[])`;
  const tickets = await countInserted(
    tx,
    sql`
    insert into tickets (company_id, employee_id, month, ticket_id, valid_from, valid_until, wallet_token, issued_at,
      plan_type, contribution_cents, issuer_number, chip_card_number, activation_code, barcode, barcode_format)
    select o.company_id, o.employee_id, o.month, ${ticketPrefix(month)} || lpad(e.id::text, greatest(${idDigits}::integer, length(e.id::text)), '0'),
      greatest(o.valid_from, ${month.toString()}::date), ${lastDay.toString()}::date, ${walletToken(sql`e.id`)},
      ${now.toString()}::timestamptz, e.plan_type, e.contribution_cents, o.number, o.chip_card_number, o.activation_code,
      o.barcode, o.barcode_format
    from ticket_orders o
    join employees e on ${ofCompany(companyId, 'e')} and e.id = o.employee_id
    where ${ofCompany(companyId, 'o')} and o.month = ${month.toString()}::date and o.state = 'issued' ${some}
    order by o.employee_id
    on conflict (company_id, employee_id, month) do update set issuer_number = excluded.issuer_number,
      chip_card_number = excluded.chip_card_number, activation_code = excluded.activation_code,
      barcode = excluded.barcode, barcode_format = excluded.barcode_format, wallet_token = excluded.wallet_token,
      issued_at = excluded.issued_at, blocked_at = null, block_reason = null
    where tickets.issuer_number is distinct from excluded.issuer_number
      or tickets.barcode is distinct from excluded.barcode or tickets.blocked_at is not null`,
  );
  const payload = { period: month.toString(), tickets };
  if (tickets > 0) appendEvents(tx, companyId, [{ type: 'tickets-issued', occurredAt: now, payload }]);
  return tickets;
}
