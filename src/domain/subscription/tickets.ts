import { type Day, earliestOf, firstOfNextMonth, isBefore, isDue } from '../calendar.ts';
import { ticketlessMonths } from '../ticketless-months.ts';
import { isCovered } from './absences.ts';
import {
  type Facts,
  isRunning,
  isUnsubscribed,
  openPause,
  type Subscription,
  type SubscriptionDates,
  statusOf,
} from './subscription.ts';

/**
 * Returns whether a ticket is issued for the month that begins on `month`. The calendar must have advanced the dates to
 * that day. Facts that become known later in the month affect only later months, so a late run issues the same tickets.
 */
export const ticketDue = (dates: SubscriptionDates, month: Day): boolean => isRunning(statusOf(dates, month));

/** Returns the month of the next ticket of a scheduled, running or paused subscription, ignoring a planned end. */
function nextMonth(subscription: Subscription, facts: Facts, today: Day): Day | null {
  const { status, startOn, resumesOn, contractStatus } = subscription;
  if (status === 'scheduled') {
    const isHeldUp = startOn !== null && isCovered(ticketlessMonths(facts), startOn);
    return contractStatus === 'pending' || isHeldUp ? null : startOn;
  }
  const next = firstOfNextMonth(today);
  return statusOf({ ...subscription, cancelledOn: null }, next) === 'paused' ? resumesOn : next;
}

/**
 * Returns the next first of a month after today on which a ticket will be issued by the known facts. Returns null for a
 * start that waits for a signature or for the end of an absence, because it is not certain.
 */
export function nextTicketOn(subscription: Subscription, facts: Facts, today: Day): Day | null {
  if (isUnsubscribed(subscription.status)) return null;
  const month = nextMonth(subscription, facts, today);
  return month === null || isDue(subscription.cancelledOn, month) ? null : month;
}

/**
 * Returns the next ticket as of today from the value stored on an earlier day. The value is not updated every month
 * while tickets follow each other: a date that has been reached is replaced by the next first of a month.
 */
export const nextTicketSeenOn = (planned: Day | null, today: Day): Day | null =>
  isDue(planned, today) ? firstOfNextMonth(today) : planned;

/**
 * Returns the day until which `nextTicketSeenOn` is correct: from a month before a pause or an end, the next month may
 * have no ticket. Returns null if no pause or end is planned beyond the next month.
 */
export function nextTicketHoldsUntil(subscription: Subscription, today: Day): Day | null {
  const breaks = [openPause(subscription), subscription.cancelledOn].flatMap(
    (day) => day?.subtract({ months: 1 }) ?? [],
  );
  return earliestOf(breaks.filter((day) => isBefore(today, day)));
}
