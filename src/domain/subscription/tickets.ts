import { type Day, earliestOf, firstOfMonth, firstOfNextMonth, isBefore, isDue } from '../calendar.ts';
import { ticketlessMonths } from '../ticketless-months.ts';
import { isCovered } from './absences.ts';
import { advance } from './advance.ts';
import {
  awaitsContract,
  type Facts,
  isRunning,
  isUnsubscribed,
  openPause,
  type Subscription,
  type SubscriptionDates,
  statusOf,
} from './subscription.ts';

/** Returns whether a month has a ticket. Later facts affect later months only, so a late run issues the same ones. */
export const ticketDue = (dates: SubscriptionDates, month: Day): boolean => isRunning(statusOf(dates, month));

/** Returns the month of the next ticket of a scheduled, running or paused subscription, ignoring a planned end. */
function nextMonth(subscription: Subscription, facts: Facts, today: Day): Day | null {
  const { status, startOn, resumesOn } = subscription;
  if (status === 'scheduled') {
    const isHeldUp = startOn !== null && isCovered(ticketlessMonths(subscription, facts), startOn);
    return awaitsContract(subscription) || isHeldUp ? null : startOn;
  }
  const next = firstOfNextMonth(today);
  return statusOf({ ...subscription, cancelledOn: null }, next) === 'paused' ? resumesOn : next;
}

/** Returns the next month that gets a ticket by the known facts. Null for a start that is not certain. */
export function nextTicketOn(subscription: Subscription, facts: Facts, today: Day): Day | null {
  if (isUnsubscribed(subscription.status)) return null;
  const month = nextMonth(subscription, facts, today);
  return month === null || isDue(subscription.cancelledOn, month) ? null : month;
}

/** Returns the month of the last ticket that is still to be issued before the planned end. Null: none is, or no end. */
export function lastTicketOn(subscription: Subscription, facts: Facts, today: Day): Day | null {
  const { cancelledOn } = subscription;
  const next = nextTicketOn(subscription, facts, today);
  if (cancelledOn === null || next === null) return null;
  const statusIn = (month: Day) => advance(subscription, facts, month).subscription.status;
  let month = firstOfMonth(cancelledOn.subtract({ days: 1 }));
  while (isBefore(next, month) && !isRunning(statusIn(month))) month = month.subtract({ months: 1 });
  return month;
}

/** Returns the next ticket as of today: a stored date that was reached means the next first of a month. */
export const nextTicketSeenOn = (planned: Day | null, today: Day): Day | null =>
  isDue(planned, today) ? firstOfNextMonth(today) : planned;

/** Returns until when `nextTicketSeenOn` is correct: a month before a pause or an end. Null: none is planned. */
export function nextTicketHoldsUntil(subscription: Subscription, today: Day): Day | null {
  const breaks = [openPause(subscription), subscription.cancelledOn].flatMap(
    (day) => day?.subtract({ months: 1 }) ?? [],
  );
  return earliestOf(breaks.filter((day) => isBefore(today, day)));
}
