import { type Day, firstOfMonthOnOrAfter, isBefore, laterOf, type Months } from './calendar.ts';
import { coveredMonths } from './subscription/absences.ts';
import type { Facts } from './subscription/subscription.ts';

/** A day before every day that a roster can contain. */
const beginning = new Temporal.PlainDate(1, 1, 1);

/** Returns the months that begin before the first day of work, or none if already employed. */
export const monthsBeforeWork = (employedFrom: Day | null): Months[] =>
  employedFrom === null ? [] : [{ from: beginning, until: firstOfMonthOnOrAfter(employedFrom) }];

/** Returns the months without a ticket, oldest first: before the first day of work, and covered by absences. */
export function ticketlessMonths({ employedFrom, absences }: Pick<Facts, 'employedFrom' | 'absences'>): Months[] {
  const covered = coveredMonths(absences);
  const [before] = monthsBeforeWork(employedFrom);
  if (before === undefined) return covered;
  let { until } = before;
  const later: Months[] = [];
  for (const months of covered) {
    if (until !== null && isBefore(until, months.from)) later.push(months);
    else if (until !== null) until = months.until && laterOf(until, months.until);
  }
  return [{ from: before.from, until }, ...later];
}
