import { firstOfNextMonth } from '../../domain/calendar.ts';
import { type EmployeeState, planningFor } from '../../domain/employee.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { canJoin } from '../../domain/subscription/subscription.ts';
import { createSecret, formatToken, hashSecret } from '../../platform/crypto/company-token.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { loadPrices } from '../billing/prices.ts';
import { chargeTicket, priceOn } from '../billing/rules/charges.ts';
import type { Company } from '../companies/companies.ts';
import type { EmployeeMails } from '../employee-mails/queue.ts';
import { loadEmployees } from '../employees/load.ts';
import { type Choice, endOf, planInvitation } from './rules/invitation.ts';
import {
  deleteLinks,
  findInvitations,
  insertLinks,
  listNewIds,
  type Remindable,
  takeDueReminders,
  takeReminders,
  upsertInvitations,
} from './store.ts';

/** One transaction invites so many, and other changes of the company wait for it. */
export const invitedAtOnce = 2_000;

export function assertCanJoin(company: Pick<Company, 'joining'>): void {
  if (canJoin(company)) return;
  throw new ApiError('joining-not-allowed', createMessage('joining-not-allowed'));
}

/** Returns what tells what a ticket of the next month costs the company and an employee, by the policy that applies to them. */
export async function loadOffers(db: Db | Tx, company: Company, today: Temporal.PlainDate) {
  const price = priceOn((await loadPrices(db as Db)).tickets, firstOfNextMonth(today));
  return (employee: EmployeeState | undefined) => {
    const plan = employee === undefined ? company : planningFor(employee, company, today).settings;
    const charge = price && chargeTicket(price, plan);
    return {
      planType: plan.planType,
      ticketCents: charge?.grossCents ?? 0,
      companyCents: charge?.companyShareCents ?? 0,
      employeeCents: charge?.employeeShareCents ?? 0,
    };
  };
}

/** Creates a link for each of these employees. Returns what follows # in the address of each. */
async function createTokens(
  tx: Tx,
  companyId: CompanyId,
  employeeIds: readonly number[],
): Promise<Map<number, string>> {
  const links = employeeIds.map((employeeId) => ({ employeeId, secret: createSecret() }));
  await insertLinks(
    tx,
    companyId,
    links.map(({ employeeId, secret }) => ({ employeeId, tokenHash: hashSecret(secret) })),
  );
  return new Map(links.map(({ employeeId, secret }) => [employeeId, formatToken({ companyId, secret })]));
}

interface Sent extends Remindable {
  kind: 'invitation' | 'invitation-reminder';
  /** Distinguishes the reminders of an invitation. */
  occasion: string;
}

/** Writes the mails of invitations, each with a link of its own. Returns how many were written. */
async function queueMails(
  tx: Tx,
  employeeMails: EmployeeMails,
  company: Company,
  { sent, today }: { sent: readonly Sent[]; today: Temporal.PlainDate },
): Promise<number> {
  if (!employeeMails.isConfigured || sent.length === 0) return 0;
  const { id: companyId, timeZone } = company;
  const offerTo = await loadOffers(tx, company, today);
  const ids = sent.map(({ employeeId }) => employeeId);
  const employees = await loadEmployees(tx as Db, companyId, ids, today);
  const tokens = await createTokens(tx, companyId, ids);
  const mails = sent.map(({ employeeId, invitedOn, ...mail }) => {
    const { employeeCents, companyCents } = offerTo(employees.get(employeeId));
    return {
      ...{ employeeId, kind: mail.kind, occasion: mail.occasion },
      values: {
        token: tokens.get(employeeId) ?? '',
        expiresAt: endOf(Temporal.PlainDate.from(invitedOn), timeZone).toString(),
        ...{ employeeCents, companyCents },
      },
    };
  });
  return employeeMails.queue(tx, companyId, mails);
}

/** What a change to invitations needs. The caller holds the lock of the company. */
export interface InviteContext {
  company: Company;
  employeeMails: EmployeeMails;
  today: Temporal.PlainDate;
  by: By & { at: Temporal.Instant };
}

export interface InviteResult {
  invited: number;
  mailed: number;
}

/** Invites those of the employees whom the rules allow to be invited. The same again on the same day invites nobody. */
export async function inviteEmployees(
  tx: Tx,
  { company, employeeMails, today, by }: InviteContext,
  { employeeIds, choice }: { employeeIds: readonly number[]; choice: Choice },
): Promise<InviteResult> {
  const { id: companyId } = company;
  const employees = await loadEmployees(tx as Db, companyId, employeeIds, today);
  const invitations = await findInvitations(tx, companyId, employeeIds);
  const ids = [...employees].flatMap(([id, employee]) => {
    const { refusal } = planInvitation(employee, invitations.get(id), { today, choice, settings: company });
    return refusal === null ? [id] : [];
  });
  if (ids.length === 0) return { invited: 0, mailed: 0 };
  const moment = { now: by.at, today };
  const numbers = await upsertInvitations(tx, companyId, ids, { ...moment, isRepeatable: choice !== 'automatic' });
  if (numbers.size === 0) return { invited: 0, mailed: 0 };
  await deleteLinks(tx, companyId, [...numbers.keys()]);
  const sent = [...numbers].map(([employeeId, number]) => ({
    ...{ employeeId, number, invitedOn: today.toString() },
    ...{ kind: 'invitation' as const, occasion: String(number) },
  }));
  const mailed = await queueMails(tx, employeeMails, company, { sent, today });
  const [first] = employeeIds.length === 1 ? sent : [];
  const about = first ? { action: 'employee.invite', target: String(first.employeeId) } : { action: 'joining.invite' };
  await insertAudit(tx, companyId, { ...about, detail: { employees: sent.length }, ...by });
  return { invited: sent.length, mailed };
}

/**
 * Invites whoever has no subscription and was never invited, if the company wants that. The primary key of invitations
 * lets it happen once per employee.
 */
export async function inviteNewcomers(tx: Tx, context: InviteContext): Promise<InviteResult> {
  const total: InviteResult = { invited: 0, mailed: 0 };
  const { company } = context;
  if (!company.inviteAutomatically || !canJoin(company)) return total;
  for (let after = 0; ; ) {
    const employeeIds = await listNewIds(tx, company.id, { after, limit: invitedAtOnce });
    const { invited, mailed } = await inviteEmployees(tx, context, { employeeIds, choice: 'automatic' });
    total.invited += invited;
    total.mailed += mailed;
    after = employeeIds.at(-1) ?? 0;
    if (employeeIds.length < invitedAtOnce) return total;
  }
}

async function queueReminders(
  tx: Tx,
  { company, employeeMails, today, by }: InviteContext,
  reminded: readonly Remindable[],
): Promise<number> {
  const sent = reminded.map((one) => ({
    ...{ ...one, kind: 'invitation-reminder' as const, occasion: `${one.number}/${today}` },
  }));
  await queueMails(tx, employeeMails, company, { sent, today });
  if (sent.length > 0) {
    await insertAudit(tx, company.id, { action: 'joining.remind', detail: { employees: sent.length }, ...by });
  }
  return sent.length;
}

/** Sends the reminders of a day. Reminders of missed days are sent with the next one, once. */
export async function remindInvited(tx: Tx, context: InviteContext): Promise<number> {
  const { company, today } = context;
  if (!canJoin(company)) return 0;
  return queueReminders(tx, context, await takeDueReminders(tx, company.id, today));
}

/** Reminds those of the employees who have neither joined nor declined, each at most once a day. */
export async function remindEmployees(tx: Tx, context: InviteContext, employeeIds: readonly number[]): Promise<number> {
  const { company, today } = context;
  return queueReminders(tx, context, await takeReminders(tx, company.id, employeeIds, today));
}
