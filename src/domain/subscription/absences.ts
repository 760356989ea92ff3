import { compareDays, type Day, isBefore, laterOf, type Months, wholeMonths } from '../calendar.ts';

export interface Absence {
  startsOn: Day;
  endsOn: Day | null;
  approved: boolean;
}

type Span = Pick<Absence, 'startsOn' | 'endsOn'>;

/** The second begins before the first has ended, or on the very next day. */
const touches = (first: Span, second: Span) =>
  first.endsOn === null || !isBefore(first.endsOn.add({ days: 1 }), second.startsOn);

const join = (first: Span, second: Span): Span => ({
  startsOn: first.startsOn,
  endsOn: first.endsOn === null || second.endsOn === null ? null : laterOf(first.endsOn, second.endsOn),
});

/**
 * The months that approved absences cover on every day, oldest first. Absences that touch or overlap count as one: leave
 * to the 14th and sickness from the 15th cover the month together.
 */
export function coveredMonths(absences: readonly Absence[]): Months[] {
  const spans: Span[] = [];
  const approved = absences.filter((absence) => absence.approved);
  for (const absence of approved.sort((a, b) => compareDays(a.startsOn, b.startsOn))) {
    const last = spans.at(-1);
    if (last !== undefined && touches(last, absence)) spans[spans.length - 1] = join(last, absence);
    else spans.push(absence);
  }
  return spans.flatMap(({ startsOn, endsOn }) => wholeMonths(startsOn, endsOn) ?? []);
}

const endsAfter = ({ until }: Months, month: Day) => until === null || isBefore(month, until);

/** The first covered month that is `month` or later; null when none is known. */
export function firstCoveredMonth(covered: readonly Months[], month: Day): Day | null {
  const range = covered.find((months) => endsAfter(months, month));
  return range === undefined ? null : laterOf(range.from, month);
}

/**
 * The first month from `month` on that is not covered; null when the absence has no end. Two ranges never follow each
 * other without a month between them, because absences that touch were joined: the month after a range is free.
 */
export function firstFreeMonth(covered: readonly Months[], month: Day): Day | null {
  const range = covered.find((months) => endsAfter(months, month));
  return range === undefined || isBefore(month, range.from) ? month : range.until;
}

export const isCovered = (covered: readonly Months[], month: Day): boolean =>
  covered.some((months) => endsAfter(months, month) && !isBefore(month, months.from));
