import { sql } from 'kysely';
import { type Day, firstOfMonth } from '../../domain/calendar.ts';
import type { BlockReason } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { getCompany, lockCompany } from '../companies/companies.ts';
import { listOrders, type OrderRow, updateIssuer } from './store.ts';

export interface TicketChange {
  employeeId: number;
  month: Day;
  reason: BlockReason;
}

const refuse = (detail: string) => new ApiError('ticket-not-possible', detail);
const describeMonth = (month: Day) => month.toString().slice(0, 7);

/** Returns the last order of an employee and month. */
async function findLastOrder(
  tx: Tx,
  companyId: CompanyId,
  { employeeId, month }: TicketChange,
): Promise<OrderRow | undefined> {
  const orders = await listOrders(
    tx,
    companyId,
    sql`o.employee_id = ${employeeId} and o.month = ${month.toString()}::date`,
  );
  return orders.at(-1);
}

/** Ends an order. Its code is shown no more from now on; the issuer is told as soon as it can be. */
async function endOrder(
  tx: Tx,
  companyId: CompanyId,
  order: OrderRow,
  { state, reason, now }: { state: 'blocked' | 'replaced'; reason: BlockReason; now: string },
): Promise<void> {
  const message = createMessage(state === 'blocked' ? 'order-blocked' : 'order-replaced', {
    detail: `block-${reason}`,
  });
  // A replacement tells the issuer itself. It needs no word about an order that it never got.
  const isTold = state === 'replaced' || order.orderedAt === null || (order.state === 'failed' && !order.isAtIssuer);
  await sql`
    update ticket_orders o set state = ${state}, reason = ${JSON.stringify(message)}::jsonb, reason_code = ${reason},
      responsible = 'nobody', ended_at = ${now}::timestamptz, failures = 0, barcode = null, barcode_format = null,
      next_attempt_at = ${isTold ? null : now}::timestamptz
    where ${ofCompany(companyId, 'o')} and o.order_id = ${order.orderId}`.execute(tx);
}

/** Takes a ticket out of use. Returns whether there was one. */
async function endTicket(tx: Tx, companyId: CompanyId, { employeeId, month, reason }: TicketChange, now: string) {
  const { numAffectedRows = 0n } = await sql`
    update tickets t set blocked_at = ${now}::timestamptz, block_reason = ${reason}, barcode = null, barcode_format = null
    where ${ofCompany(companyId, 't')} and t.employee_id = ${employeeId} and t.month = ${month.toString()}::date
      and t.blocked_at is null`.execute(tx);
  return numAffectedRows > 0n;
}

async function record(tx: Tx, companyId: CompanyId, change: TicketChange, { actor, at, ...by }: Acting) {
  await insertAudit(tx, companyId, {
    action: by.action,
    target: String(change.employeeId),
    detail: { employeeId: change.employeeId, month: describeMonth(change.month), reason: change.reason },
    at,
    ...(actor ? { actor } : {}),
  });
  await updateIssuer(tx, companyId, { next_run_at: sql`least(next_run_at, ${at.toString()}::timestamptz)` });
}

type Acting = By & { at: Temporal.Instant; action: 'ticket.block' | 'ticket.replace' };

/**
 * Blocks the ticket of an employee and month, or its order: the code is shown no more, and the issuer is told. The charge
 * of a ticket that was valid stays.
 */
export async function blockTicket(
  tx: Tx,
  companyId: CompanyId,
  change: TicketChange,
  by: Omit<Acting, 'action'>,
): Promise<{ employeeId: number; month: string; state: 'blocked' }> {
  await lockCompany(tx, companyId);
  const order = await findLastOrder(tx, companyId, change);
  const now = by.at.toString();
  const hadTicket = await endTicket(tx, companyId, change, now);
  if (order === undefined && !hadTicket) {
    throw refuse(`There is no ticket of employee ${change.employeeId} for ${describeMonth(change.month)}. Check both.`);
  }
  const isEnded = order !== undefined && (order.state === 'blocked' || order.state === 'replaced');
  if (isEnded && !hadTicket) throw refuse('The ticket is blocked already.');
  if (order !== undefined && !isEnded) {
    await endOrder(tx, companyId, order, { state: 'blocked', reason: change.reason, now });
  }
  await record(tx, companyId, change, { ...by, action: 'ticket.block' });
  return { employeeId: change.employeeId, month: describeMonth(change.month), state: 'blocked' };
}

/**
 * Orders another ticket in place of the one of an employee and month, which is shown no more. For tickets of an issuer:
 * those of the service itself are replaced by `replaceTicket` of the tickets.
 */
export async function replaceIssuedTicket(
  tx: Tx,
  companyId: CompanyId,
  change: TicketChange,
  by: Omit<Acting, 'action'>,
): Promise<{ employeeId: number; month: string; state: 'replaced'; orderId: string }> {
  await lockCompany(tx, companyId);
  const company = await getCompany(tx, companyId);
  const order = await findLastOrder(tx, companyId, change);
  if (order === undefined) {
    throw refuse(`There is no order of employee ${change.employeeId} for ${describeMonth(change.month)}. Check both.`);
  }
  if (Temporal.PlainDate.compare(change.month, firstOfMonth(company.processedThrough)) < 0) {
    throw refuse('The month is over: its ticket cannot be replaced any more.');
  }
  if (order.state === 'required' || order.state === 'ordered') {
    throw refuse('The ticket is being issued already. Wait for it, or block it first.');
  }
  const now = by.at.toString();
  await endTicket(tx, companyId, change, now);
  const isEnded = order.state === 'blocked' || order.state === 'replaced';
  if (!isEnded) await endOrder(tx, companyId, order, { state: 'replaced', reason: change.reason, now });
  const { rows } = await sql<{ orderId: string }>`
    insert into ticket_orders (company_id, employee_id, month, attempt, order_id, state, required_at, next_attempt_at,
      replaces_attempt)
    values (${companyId}, ${change.employeeId}, ${change.month.toString()}::date, ${order.attempt + 1},
      'ord-' || replace(gen_random_uuid()::text, '-', ''), 'required', ${now}::timestamptz, ${now}::timestamptz,
      ${isEnded ? null : order.attempt})
    returning order_id as "orderId"`.execute(tx);
  await record(tx, companyId, change, { ...by, action: 'ticket.replace' });
  const orderId = rows[0]?.orderId ?? '';
  return { employeeId: change.employeeId, month: describeMonth(change.month), state: 'replaced', orderId };
}
