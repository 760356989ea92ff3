import { sql } from 'kysely';
import { type Day, firstOfMonth, isBefore } from '../../domain/calendar.ts';
import type { BlockReason } from '../../domain/enums.ts';
import { createMessage, type Message } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { presentOptionalTimestamp } from '../../platform/http/view.ts';
import type { EmployeeTicket } from './contract.ts';
import { listOrders, type OrderRow } from './store.ts';

interface InForce {
  month: string;
  number: string;
  blockReason: BlockReason | null;
  isBlocked: boolean;
}

const monthsShown = 12;

async function listTicketsSince(db: Db, companyId: CompanyId, employeeId: number, since: Day): Promise<InForce[]> {
  const { rows } = await sql<InForce>`
    select t.month, coalesce(t.issuer_number, t.ticket_id) as number, t.block_reason as "blockReason",
      t.blocked_at is not null as "isBlocked"
    from tickets t where ${ofCompany(companyId, 't')} and t.employee_id = ${employeeId}
      and t.month >= ${since.toString()}::date order by t.month`.execute(db);
  return rows;
}

async function assertEmployee(db: Db, companyId: CompanyId, employeeId: number): Promise<void> {
  const { rows } = await sql`
    select from employees e where ${ofCompany(companyId, 'e')} and e.id = ${employeeId}
      and e.removed_at is null`.execute(db);
  if (rows.length === 0) throw notFound('employee');
}

const isOpen = ({ state }: Pick<OrderRow, 'state'>) => state === 'required' || state === 'ordered';

const presentOrder = (order: OrderRow, may: Pick<EmployeeTicket, 'mayBlock' | 'mayReplace'>): EmployeeTicket => ({
  ...{ month: order.month.slice(0, 7), number: order.number, state: order.state, reason: order.reason, ...may },
  nextAttemptAt: isOpen(order) ? presentOptionalTimestamp(order.nextAttemptAt) : null,
});

function explainBlock({ isBlocked, blockReason }: InForce): Message | null {
  if (!isBlocked) return null;
  return createMessage('order-blocked', { detail: `block-${blockReason ?? 'wrong'}` });
}

/**
 * Returns the tickets and orders of an employee since this month, newest first, each with why it is in its state, and
 * whether it may be blocked or replaced: of one month, only the last order may be. Of the year before, those that were
 * blocked, replaced or never issued.
 */
export async function listEmployeeTickets(
  db: Db,
  companyId: CompanyId,
  { employeeId, today }: { employeeId: number; today: Day },
): Promise<EmployeeTicket[]> {
  await assertEmployee(db, companyId, employeeId);
  const present = firstOfMonth(today);
  const since = present.subtract({ months: monthsShown - 1 });
  const tickets = await listTicketsSince(db, companyId, employeeId, since);
  const ofSince = sql`o.employee_id = ${employeeId} and o.month >= ${since.toString()}::date`;
  const orders = await listOrders(db, companyId, ofSince);
  const isOver = (month: string) => isBefore(Temporal.PlainDate.from(month), present);
  const inForce = new Map(tickets.map((ticket) => [ticket.month, ticket]));
  const ofOrders = orders.map((order, index) => {
    const isCurrent = orders[index + 1]?.month !== order.month && !isOver(order.month);
    const isEnded = order.state === 'blocked' || order.state === 'replaced';
    const mayBlock = isCurrent && (!isEnded || inForce.get(order.month)?.isBlocked === false);
    return presentOrder(order, { mayBlock, mayReplace: isCurrent && !isOpen(order) });
  });
  const ordered = new Set(orders.map(({ month }) => month));
  const ofService = tickets
    .filter(({ month }) => !ordered.has(month))
    .map((ticket): EmployeeTicket => {
      const { month, number, isBlocked } = ticket;
      const state = isBlocked ? 'blocked' : 'issued';
      const may = { mayBlock: !isBlocked && !isOver(month), mayReplace: !isOver(month) };
      return { month: month.slice(0, 7), number, state, reason: explainBlock(ticket), nextAttemptAt: null, ...may };
    });
  // Within a month, orders are in the order of their attempts.
  return [...ofService, ...ofOrders]
    .filter(({ month, state }) => state !== 'issued' || !isOver(`${month}-01`))
    .reverse()
    .sort((a, b) => b.month.localeCompare(a.month));
}
