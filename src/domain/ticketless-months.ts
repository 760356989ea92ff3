import { type Day, firstOfMonthOnOrAfter, isBefore, laterOf, type Months } from './calendar.ts';
import { coveredMonths } from './subscription/absences.ts';
import type { Facts } from './subscription/subscription.ts';

/** Before every day that a roster can name. */
const beginning = new Temporal.PlainDate(1, 1, 1);

/** Returns the months that begin before the first day of work; none when employed already. */
export const monthsBeforeWork = (employedFrom: Day | null): Months[] =>
  employedFrom === null ? [] : [{ from: beginning, until: firstOfMonthOnOrAfter(employedFrom) }];

/**
 * Returns the months without a ticket by what the HR system says, oldest first: those that begin before the first day of
 * work and those that absences cover. Absences that follow the former without a free month are joined to them.
 */
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
