import { compareDays, type Day, isBefore, laterOf, type Months, wholeMonths } from '../calendar.ts';

export interface Absence {
  startDate: Day;
  endDate: Day | null;
  approved: boolean;
  /** A user has entered it, and no roster. */
  byHand?: true;
}

type Span = Pick<Absence, 'startDate' | 'endDate'>;

const touches = (first: Span, second: Span) =>
  first.endDate === null || !isBefore(first.endDate.add({ days: 1 }), second.startDate);

/** Returns whether two absences have a day in common. */
export const overlaps = (one: Span, other: Span): boolean =>
  (one.endDate === null || !isBefore(one.endDate, other.startDate)) &&
  (other.endDate === null || !isBefore(other.endDate, one.startDate));

const join = (first: Span, second: Span): Span => ({
  startDate: first.startDate,
  endDate: first.endDate === null || second.endDate === null ? null : laterOf(first.endDate, second.endDate),
});

/** Returns the approved absences, oldest first. Those that touch count as one. */
export function joinAbsences(absences: readonly Absence[]): Span[] {
  const spans: Span[] = [];
  const approved = absences.filter((absence) => absence.approved);
  for (const absence of approved.sort((a, b) => compareDays(a.startDate, b.startDate))) {
    const last = spans.at(-1);
    if (last !== undefined && touches(last, absence)) spans[spans.length - 1] = join(last, absence);
    else spans.push(absence);
  }
  return spans;
}

/** Returns the months that approved absences cover completely, oldest first. */
export const coveredMonths = (absences: readonly Absence[]): Months[] =>
  joinAbsences(absences).flatMap(({ startDate, endDate }) => wholeMonths(startDate, endDate) ?? []);

const endsAfter = ({ until }: Months, month: Day) => until === null || isBefore(month, until);

export function firstCoveredMonth(covered: readonly Months[], month: Day): Day | null {
  const range = covered.find((months) => endsAfter(months, month));
  return range === undefined ? null : laterOf(range.from, month);
}

/** Returns the first month that is not covered, or null. Touching absences are joined: after a range, one is free. */
export function firstFreeMonth(covered: readonly Months[], month: Day): Day | null {
  const range = covered.find((months) => endsAfter(months, month));
  return range === undefined || isBefore(month, range.from) ? month : range.until;
}

export const isCovered = (covered: readonly Months[], month: Day): boolean =>
  covered.some((months) => endsAfter(months, month) && !isBefore(month, months.from));
