import type { Actor } from '../../domain/actor.ts';
import { type Day, firstOfMonth, isBefore } from '../../domain/calendar.ts';
import type { EmployeePlan } from '../../domain/employee.ts';
import type { RequestAction } from '../../domain/enums.ts';
import { isRunning, isUnsubscribed, type Subscription } from '../../domain/subscription/subscription.ts';
import { lastTicketOn } from '../../domain/subscription/tickets.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { loadPrices } from '../billing/prices.ts';
import { chargeTicket, priceOn, type TicketPrice } from '../billing/rules/charges.ts';
import type { EmployeeMails, NewEmployeeMail } from '../employee-mails/queue.ts';
import { changeMakerOf } from '../employee-mails/texts.ts';

/** A request that was stored, and what it does. */
export interface Confirmed {
  employeeId: number;
  requestId: number;
  action: RequestAction | 'undo';
  plan: EmployeePlan;
  from: Day;
  undoUntil: Day | null;
  /** What was undone. */
  undone?: RequestAction;
}

interface Context {
  actor: Actor;
  today: Day;
  prices: readonly TicketPrice[];
}

type ConfirmationKind =
  | 'welcome'
  | 'pause-confirmed'
  | 'resumption-confirmed'
  | 'cancellation-confirmed'
  | 'undo-confirmed';
type Confirmation = NewEmployeeMail<ConfirmationKind>;

const month = (day: Day) => day.toString().slice(0, 7);
const monthOrNull = (day: Day | null) => day && month(day);

/** Returns the month if the employee pays a part of its ticket. */
function deductionOf(day: Day | null, subscription: Subscription, prices: readonly TicketPrice[]): string | null {
  const price = day === null ? undefined : priceOn(prices, day);
  const isPaid = price !== undefined && chargeTicket(price, subscription).employeeShareCents > 0;
  return day !== null && isPaid ? month(day) : null;
}

/** Returns the mail that confirms a request. Undefined: there is nothing to confirm yet, such as before a signature. */
function composeConfirmation(
  { employeeId, requestId, action, plan, from, ...confirmed }: Confirmed,
  { actor, today, prices }: Context,
): Confirmation | undefined {
  const { before, employee } = plan;
  const { subscription, facts, nextTicketOn } = employee;
  const by = changeMakerOf(actor);
  const undoUntil = confirmed.undoUntil?.toString() ?? null;
  const key = { employeeId, occasion: String(requestId) };
  const deduction = (day: Day | null) => deductionOf(day, subscription, prices);
  const present = isRunning(before.status) ? firstOfMonth(today) : null;
  switch (action) {
    case 'subscribe':
    case 'resume': {
      if (nextTicketOn === null) return undefined;
      const next = month(nextTicketOn);
      const nextDeduction = deduction(nextTicketOn);
      return isUnsubscribed(before.status)
        ? { ...key, kind: 'welcome', values: { by, firstTicket: next, firstDeduction: nextDeduction, undoUntil } }
        : { ...key, kind: 'resumption-confirmed', values: { by, nextTicket: next, nextDeduction, undoUntil } };
    }
    case 'pause': {
      const last = present !== null && isBefore(today, from) ? from.subtract({ months: 1 }) : null;
      const resumes = nextTicketOn !== null && isBefore(from, nextTicketOn) ? nextTicketOn : subscription.resumesOn;
      return {
        ...{ ...key, kind: 'pause-confirmed' },
        values: {
          ...{ by, from: month(from), nextTicket: monthOrNull(resumes), undoUntil },
          ...{ lastTicket: monthOrNull(last), lastDeduction: deduction(last) },
        },
      };
    }
    case 'cancel': {
      const last = lastTicketOn(subscription, facts, today) ?? present;
      const values = { by, lastTicket: monthOrNull(last), lastDeduction: deduction(last), undoUntil };
      return { ...key, kind: 'cancellation-confirmed', values };
    }
    case 'undo': {
      const values = { by, action: confirmed.undone ?? 'subscribe', nextTicket: monthOrNull(nextTicketOn) };
      return { ...key, kind: 'undo-confirmed', values };
    }
  }
}

/** Writes to the employees whose requests were applied, whoever made them. Each request is confirmed once. */
export async function confirmRequests(
  tx: Tx,
  { employeeMails }: { employeeMails: EmployeeMails },
  companyId: CompanyId,
  { confirmed, actor, today }: Omit<Context, 'prices'> & { confirmed: readonly Confirmed[] },
): Promise<void> {
  const changed = confirmed.filter(({ plan }) => plan.subscriptionChanges.length > 0);
  if (changed.length === 0 || !employeeMails.isConfigured) return;
  const prices = (await loadPrices(tx)).tickets;
  const mails = changed.flatMap((one) => composeConfirmation(one, { actor, today, prices }) ?? []);
  await employeeMails.queue(tx, companyId, mails);
}
