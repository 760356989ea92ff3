import { type Day, firstOfMonth, firstOfNextMonth, isBefore } from '../../../domain/calendar.ts';

export interface OrderDates {
  /** The last day of a month on which the issuer accepts orders for the next one. */
  cutOffDay: number;
  /** How many days before it orders are placed. */
  leadDays: number;
}

/** Returns the last day on which the issuer accepts orders for a month. */
function cutOffOf(month: Day, { cutOffDay }: OrderDates): Day {
  const before = month.subtract({ months: 1 });
  return before.with({ day: Math.min(cutOffDay, before.daysInMonth) });
}

/** Returns the months for which tickets are ordered on a day: the present one, and the next one ahead of its cut-off. */
export function listOrderedMonths(day: Day, dates: OrderDates): Day[] {
  const next = firstOfNextMonth(day);
  const start = cutOffOf(next, dates).subtract({ days: dates.leadDays });
  return isBefore(day, start) ? [firstOfMonth(day)] : [firstOfMonth(day), next];
}

/** Returns whether the orders of the next month begin on a day. */
export const isFirstDayOfOrders = (day: Day, dates: OrderDates): boolean =>
  listOrderedMonths(day, dates).length > listOrderedMonths(day.subtract({ days: 1 }), dates).length;

/** Before the first there is still time to act, after it everything should be there. */
const daysBefore = 3;
const dayAfter = 2;

/** Returns the month to reconcile on a day, if there is one. */
export function monthToReconcile(day: Day): Day | undefined {
  const next = firstOfNextMonth(day);
  if (day.until(next).days === daysBefore) return next;
  return day.day === dayAfter ? firstOfMonth(day) : undefined;
}

const [second, minute] = [1_000, 60_000];

/** How long after a failure the issuer is asked again: soon at first, as the first of the month may be near. */
const delays = [5 * second, 30 * second, 2 * minute, 5 * minute, 10 * minute, 15 * minute];

export const nextDelay = (failures: number): number => delays[Math.min(failures, delays.length) - 1] ?? 5 * second;

/** How long after an answer without a ticket the issuer is asked again. */
const polls = [30 * second, minute, 2 * minute, 5 * minute, 15 * minute, 30 * minute, 60 * minute];

export const nextPoll = (polled: number): number => polls[Math.min(polled, polls.length - 1)] ?? 60 * minute;

/** An order that the issuer could not carry out, but may be able to later, is placed so many times. */
export const maxRetries = 12;
