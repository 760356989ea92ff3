import { sql } from 'kysely';
import { type Day, firstOfMonth } from '../../domain/calendar.ts';
import type { ActorType, BlockReason } from '../../domain/enums.ts';
import { createMessage, type Message } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import type { By } from '../activity/record.ts';
import { type Company, getCompany, lockCompany } from '../companies/companies.ts';
import type { EmployeeMails } from '../employee-mails/queue.ts';
import { changeMakerOf } from '../employee-mails/texts.ts';
import type { MissingTicket, ReplacementBody } from '../tickets/my-contract.ts';
import type { OrderedTickets } from '../tickets/my-tickets.ts';
import { mostPerMonth, replaceTicket } from '../tickets/replace.ts';
import { replaceIssuedTicket } from './block-ticket.ts';
import { notRequired } from './require.ts';
import { findIssuerRow, listOrders, type OrderRow } from './store.ts';

interface Owner {
  employeeId: number;
  today: Day;
}

/** Returns the last order of an employee for this month and the next, by the first day of the month. */
async function loadLastOrders(db: Db, company: Company, { employeeId, today }: Owner): Promise<Map<string, OrderRow>> {
  if (company.issuer === 'built-in') return new Map();
  const since = firstOfMonth(today).toString();
  const orders = await listOrders(db, company.id, sql`o.employee_id = ${employeeId} and o.month >= ${since}::date`);
  return new Map(orders.map((order) => [order.month, order]));
}

/** Returns when the issuer is asked next: after the order's own wait, and after that for an issuer that fails. */
async function findNextAttempt(db: Db, company: Company, { nextAttemptAt }: OrderRow, now: Temporal.Instant) {
  const row = await findIssuerRow(db, company.id);
  const times = [nextAttemptAt, row?.pausedUntil]
    .flatMap((text) => text ?? [])
    .map((text) => Temporal.Instant.from(text))
    .filter((at) => Temporal.Instant.compare(at, now) > 0);
  return times.sort(Temporal.Instant.compare).at(-1) ?? null;
}

async function isBlocked(db: Db, companyId: CompanyId, { employeeId, today }: Owner): Promise<boolean> {
  const { rows } = await sql`
    select from tickets t where ${ofCompany(companyId, 't')} and t.employee_id = ${employeeId}
      and t.month = ${firstOfMonth(today).toString()}::date and t.blocked_at is not null`.execute(db);
  return rows.length > 0;
}

/** Returns why an employee whose subscription is running has no ticket today. */
async function findMissing(
  db: Db,
  company: Company,
  { order, now, ...owner }: Owner & { order: OrderRow | undefined; now: Temporal.Instant },
): Promise<MissingTicket | null> {
  const isOpen = order?.state === 'required' || order?.state === 'ordered';
  if (order !== undefined && isOpen) {
    const at = await findNextAttempt(db, company, order, now);
    return { state: 'being-issued', nextAttemptAt: at && presentTimestamp(at.toString()) };
  }
  if (order?.state === 'failed') return { state: 'failed', nextAttemptAt: null };
  if (await isBlocked(db, company.id, owner)) return { state: 'blocked', nextAttemptAt: null };
  if (order?.state === 'blocked' && order.reasonCode !== notRequired) return { state: 'blocked', nextAttemptAt: null };
  // The next daily run orders it.
  return company.issuer === 'built-in' ? null : { state: 'being-issued', nextAttemptAt: null };
}

export interface OwnOrders {
  /** Tickets that the issuer has issued and the daily run puts into force. Undefined: the service issues them itself. */
  ordered: OrderedTickets | undefined;
  /** Returns why there is no ticket today. */
  findMissing(): Promise<MissingTicket | null>;
}

/** Returns what the issuer of a company has for an employee who looks at their ticket. */
export async function loadOwnOrders(
  db: Db,
  company: Company,
  { now, ...owner }: Owner & { now: Temporal.Instant },
): Promise<OwnOrders> {
  const orders = await loadLastOrders(db, company, owner);
  const issued = [...orders.values()].flatMap(({ state, month, number, ...ticket }) =>
    state === 'issued' && number !== null ? [[month, { ...ticket, number }] as const] : [],
  );
  const order = orders.get(firstOfMonth(owner.today).toString());
  return {
    ordered: company.issuer === 'built-in' ? undefined : new Map(issued),
    findMissing: () => findMissing(db, company, { ...owner, order, now }),
  };
}

interface TicketEvent {
  recordedAt: string;
  effectiveOn: string;
  message: Message;
  by: ActorType;
}

/** Returns the tickets of an employee that were blocked, or replaced at the issuer, as the audit log has them. */
export async function listTicketEvents(db: Db, companyId: CompanyId, employeeId: number): Promise<TicketEvent[]> {
  const { rows } = await sql<{ action: string; reason: BlockReason; at: string; by: ActorType }>`
    select l.action, l.detail ->> 'reason' as reason, l.at, l.actor_type as by from audit_log l
    where ${ofCompany(companyId, 'l')} and audit_subject(l.action, l.target, l.detail) = ${`employee/${employeeId}`}
      and (l.action = 'ticket.block' or l.action = 'ticket.replace' and not l.detail ? 'from')
    order by l.id desc limit 100`.execute(db);
  return rows.map(({ action, reason, at, by }) => ({
    recordedAt: presentTimestamp(at),
    effectiveOn: at.slice(0, 10),
    message: createMessage(action === 'ticket.block' ? 'order-blocked' : 'order-replaced', {
      detail: `block-${reason}`,
    }),
    by,
  }));
}

const refuse = (message: Message) => new ApiError('decision-refused', message);

interface OwnReplacement extends Required<By>, Pick<ReplacementBody, 'reason'> {
  /** The number of the ticket to replace. Absent: the present one. */
  ticketId: string | undefined;
  employeeId: number;
  /** The first day of the month. */
  month: Day;
}

/**
 * Replaces the ticket that an employee shows, whoever has issued it: at once if the service has, else as soon as the
 * issuer answers. Replacing the same number again has no further effect. Returns how often it can still be replaced.
 */
export async function replaceOwnTicket(
  tx: Tx,
  deps: { employeeMails: EmployeeMails },
  companyId: CompanyId,
  { employeeId, month, reason, ticketId, ...by }: OwnReplacement,
): Promise<{ remaining: number }> {
  await lockCompany(tx, companyId);
  const { issuer } = await getCompany(tx, companyId);
  const ofMonth = sql`o.employee_id = ${employeeId} and o.month = ${month.toString()}::date`;
  const orders = issuer === 'built-in' ? [] : await listOrders(tx, companyId, ofMonth);
  const last = orders.at(-1);
  // Of the month in which a company changes its issuer, the service may have issued the ticket itself.
  if (last === undefined) return replaceTicket(tx, deps, companyId, { employeeId, month, reason, ticketId, ...by });
  const replaced = orders.filter(({ state, number }) => state === 'replaced' && number !== null);
  const remaining = Math.max(0, mostPerMonth - replaced.length);
  if (ticketId !== undefined && replaced.some(({ number }) => number === ticketId)) return { remaining };
  if (last.state === 'required' || last.state === 'ordered') throw refuse(createMessage('my-ticket-being-issued'));
  const isShown = last.state === 'issued' && (ticketId ?? last.number) === last.number;
  if (!isShown) throw refuse(createMessage('no-ticket-to-replace'));
  if (remaining === 0) throw refuse(createMessage('ticket-replaced-too-often', { limit: mostPerMonth }));
  const { orderId } = await replaceIssuedTicket(tx, companyId, { employeeId, month, reason }, by);
  const values = { by: changeMakerOf(by.actor), month: month.toString().slice(0, 7), reason };
  await deps.employeeMails.queue(tx, companyId, [{ employeeId, kind: 'ticket-replaced', occasion: orderId, values }]);
  return { remaining: remaining - 1 };
}
