import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Actor } from '../../domain/actor.ts';
import type { Day } from '../../domain/calendar.ts';
import type { ReplacementReason } from '../../domain/enums.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import type { EmployeeMails } from '../employee-mails/queue.ts';
import { changeMakerOf } from '../employee-mails/texts.ts';
import { replacementNumber } from './numbers.ts';

/** Every replacement is one more code that inspectors accept until the end of the month. */
export const mostPerMonth = 3;

interface ReplacementRow {
  ticketId: string;
  reason: ReplacementReason;
  actorType: Actor['type'];
  replacedAt: string;
}

/** Returns the tickets of an employee that were replaced, newest first. */
export async function listReplacements(db: Db, companyId: CompanyId, employeeId: number): Promise<ReplacementRow[]> {
  const { rows } = await sql<ReplacementRow>`
    select p.ticket_id as "ticketId", p.reason, p.actor_type as "actorType", p.replaced_at as "replacedAt"
    from ticket_replacements p where ${ofCompany(companyId, 'p')} and p.employee_id = ${employeeId}
    order by p.month desc, p.number desc`.execute(db);
  return rows;
}

interface Replacement {
  employeeId: number;
  /** The first day of the month. */
  month: Day;
  reason: ReplacementReason;
  /** The number of the ticket to replace. Absent: the present one. */
  ticketId?: string | undefined;
}

/**
 * Gives a ticket that the service has issued itself another number, and with it another code and other passes. The former
 * ones are shown no more. Replacing the same number again has no further effect. Returns how often it can still be replaced.
 */
export async function replaceTicket(
  tx: Tx,
  { employeeMails }: { employeeMails: EmployeeMails },
  companyId: CompanyId,
  { employeeId, month, reason, ticketId, ...by }: Replacement & { actor: Actor; at: Temporal.Instant },
): Promise<{ remaining: number }> {
  const first = month.toString();
  const { rows } = await sql<{ ticketId: string; isBlocked: boolean }>`
    select t.ticket_id as "ticketId", t.blocked_at is not null as "isBlocked" from tickets t
    where ${ofCompany(companyId, 't')} and t.employee_id = ${employeeId} and t.month = ${first}::date
      and t.issuer_number is null for update`.execute(tx);
  const current = rows[0]?.ticketId;
  // What others have blocked, an employee cannot bring back.
  const isOut = rows[0]?.isBlocked === true && by.actor.type === 'employee';
  if (current === undefined || isOut) throw new ApiError('decision-refused', createMessage('no-ticket-to-replace'));
  const { rows: replaced } = await sql<{ ticketId: string }>`
    select p.ticket_id as "ticketId" from ticket_replacements p
    where ${ofCompany(companyId, 'p')} and p.employee_id = ${employeeId} and p.month = ${first}::date`.execute(tx);
  const remaining = Math.max(0, mostPerMonth - replaced.length);
  if (replaced.some((one) => one.ticketId === ticketId)) return { remaining };
  if (ticketId !== undefined && ticketId !== current) {
    throw new ApiError('decision-refused', createMessage('no-ticket-to-replace'));
  }
  if (remaining === 0) {
    throw new ApiError('decision-refused', createMessage('ticket-replaced-too-often', { limit: mostPerMonth }));
  }
  const number = replaced.length + 1;
  const next = replacementNumber(month, employeeId, number);
  const at = by.at.toString();
  await sql`
    insert into ticket_replacements (company_id, employee_id, month, number, ticket_id, reason, actor_type, replaced_at)
    values (${companyId}, ${employeeId}, ${first}::date, ${number}, ${current}, ${reason}, ${by.actor.type},
      ${at}::timestamptz)`.execute(tx);
  await sql`
    update tickets t set ticket_id = ${next}, wallet_token = ${randomBytes(32).toString('base64url')}, blocked_at = null, block_reason = null
    where ${ofCompany(companyId, 't')} and t.employee_id = ${employeeId} and t.month = ${first}::date`.execute(tx);
  await insertAudit(tx, companyId, {
    action: 'ticket.replace',
    target: String(employeeId),
    detail: { employeeId, month: first.slice(0, 7), reason, from: current, to: next },
    ...by,
  });
  const values = { by: changeMakerOf(by.actor), month: first.slice(0, 7), reason };
  await employeeMails.queue(tx, companyId, [{ employeeId, kind: 'ticket-replaced', occasion: next, values }]);
  return { remaining: remaining - 1 };
}
