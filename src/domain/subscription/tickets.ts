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
 * Whether a ticket is issued for the month that begins on `month`, by the dates after the calendar has moved them to that
 * day. What becomes known later in the month changes only later firsts, so a run that comes late issues the same tickets.
 */
export const ticketDue = (dates: SubscriptionDates, month: Day): boolean => isRunning(statusOf(dates, month));

/** The month of the next ticket while the subscription waits, lasts or is paused, whether or not it ends before. */
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
 * The next first of a month after today on which, by what is known, a ticket will be issued. A start that waits for a
 * signature or for the end of an absence is not known to come.
 */
export function nextTicketOn(subscription: Subscription, facts: Facts, today: Day): Day | null {
  if (isUnsubscribed(subscription.status)) return null;
  const month = nextMonth(subscription, facts, today);
  return month === null || isDue(subscription.cancelledOn, month) ? null : month;
}

/**
 * The next ticket as it was told on an earlier day, seen today. While tickets follow each other month by month it is not
 * told anew each month: one that has come is followed by the next first.
 */
export const nextTicketSeenOn = (told: Day | null, today: Day): Day | null =>
  isDue(told, today) ? firstOfNextMonth(today) : told;

/**
 * Until when that holds: from a month before a pause or an end on, no ticket follows simply. Null: nothing of the kind is
 * planned beyond the next month.
 */
export function nextTicketHoldsUntil(subscription: Subscription, today: Day): Day | null {
  const breaks = [openPause(subscription), subscription.cancelledOn].flatMap(
    (day) => day?.subtract({ months: 1 }) ?? [],
  );
  return earliestOf(breaks.filter((day) => isBefore(today, day)));
}
