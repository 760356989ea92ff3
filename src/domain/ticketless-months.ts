import { compareDays, type Day, firstOfMonthOnOrAfter, isBefore, laterOf, type Months } from './calendar.ts';
import { coveredMonths } from './subscription/absences.ts';
import { type Requested, requestedPauses } from './subscription/requested.ts';
import type { Facts } from './subscription/subscription.ts';

/** A day before every day that a roster can contain. */
const beginning = new Temporal.PlainDate(1, 1, 1);

/** Returns the months that begin before the first day of work, or none if already employed. */
export const monthsBeforeWork = (employedFrom: Day | null): Months[] =>
  employedFrom === null ? [] : [{ from: beginning, until: firstOfMonthOnOrAfter(employedFrom) }];

/** Returns the ranges, oldest first. Those that touch are one. */
function joinMonths(ranges: readonly Months[]): Months[] {
  if (ranges.length < 2) return [...ranges];
  const joined: Months[] = [];
  for (const range of ranges.toSorted((a, b) => compareDays(a.from, b.from))) {
    const last = joined.at(-1);
    if (last === undefined || (last.until !== null && isBefore(last.until, range.from))) joined.push(range);
    else if (last.until !== null) {
      joined[joined.length - 1] = { from: last.from, until: range.until && laterOf(last.until, range.until) };
    }
  }
  return joined;
}

/** Returns the months that are paused: by the employee, by the company, or by absences. */
export const pausedMonths = (requested: Requested, { absences }: Pick<Facts, 'absences'>): Months[] =>
  joinMonths([...coveredMonths(absences), ...requestedPauses(requested)]);

/** Returns the months without a ticket, oldest first: before the first day of work, and paused. */
export const ticketlessMonths = (requested: Requested, facts: Pick<Facts, 'employedFrom' | 'absences'>): Months[] =>
  joinMonths([...monthsBeforeWork(facts.employedFrom), ...pausedMonths(requested, facts)]);
