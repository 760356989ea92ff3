/** A date without a time, in the company's time zone. The caller knows the time zone and today's date. */
export type Day = Temporal.PlainDate;

/** A range of months, each named by its first day. `from` is included, `until` is not. A null `until` means no end. */
export interface Months {
  from: Day;
  until: Day | null;
}

/** Compares by fields, since a large roster compares millions of days: 0.05 µs instead of 1 µs. */
export const compareDays = (a: Day, b: Day): number => a.year - b.year || a.month - b.month || a.day - b.day;

export const isBefore = (a: Day, b: Day): boolean => compareDays(a, b) < 0;
export const earlierOf = (a: Day, b: Day): Day => (isBefore(b, a) ? b : a);
export const laterOf = (a: Day, b: Day): Day => (isBefore(a, b) ? b : a);

export const earliestOf = (days: readonly Day[]): Day | null =>
  days.reduce<Day | null>((earliest, day) => (earliest === null ? day : earlierOf(earliest, day)), null);

/** Returns whether the day has been reached. An unknown date is never due. */
export const isDue = (day: Day | null, today: Day): boolean => day !== null && !isBefore(today, day);

export const isSameDay = (a: Day | null, b: Day | null): boolean =>
  a === b || (a !== null && b !== null && compareDays(a, b) === 0);

/** Returns every day from the first to the last, both included. Returns none if the last is before the first. */
export function listDays(first: Day, last: Day): Day[] {
  const days: Day[] = [];
  for (let day = first; !isBefore(last, day); day = day.add({ days: 1 })) days.push(day);
  return days;
}

const firstDays = new Map<number, Day>();

/** Returns a shared instance per month: few are in use, and deriving one by `with` and `add` takes 2.5 µs. */
function firstDay(year: number, month: number): Day {
  const key = year * 12 + month;
  const known = firstDays.get(key);
  if (known !== undefined) return known;
  const day = new Temporal.PlainDate(year, month, 1);
  firstDays.set(key, day);
  return day;
}

export const firstOfMonth = ({ year, month }: Day): Day => firstDay(year, month);
export const firstOfNextMonth = ({ year, month }: Day): Day =>
  month === 12 ? firstDay(year + 1, 1) : firstDay(year, month + 1);
export const firstOfMonthOnOrAfter = (day: Day): Day => (day.day === 1 ? day : firstOfNextMonth(day));

export function wholeMonths(startDate: Day, endDate: Day | null): Months | null {
  const from = firstOfMonthOnOrAfter(startDate);
  const isLastOfMonth = endDate !== null && endDate.day === endDate.daysInMonth;
  const until = endDate && (isLastOfMonth ? firstOfNextMonth(endDate) : firstOfMonth(endDate));
  return until === null || isBefore(from, until) ? { from, until } : null;
}

/**
 * Returns the day on which a pause or cancellation that becomes known on `knownOn` can take effect. In a month shorter
 * than the cut-off day, every day is in time: with a cut-off on the 31st, so is 28 February. The cut-off day is at
 * least 1, so a change that becomes known on the first of a month is always in time for the next month.
 */
export function earliestEffect(knownOn: Day, cutOffDay: number): Day {
  const next = firstOfNextMonth(knownOn);
  return knownOn.day <= cutOffDay ? next : firstOfNextMonth(next);
}

/** Returns the last day, today included, on which a change still takes effect next month. */
export function nextCutOff(today: Day, cutOffDay: number): Day {
  const month = today.day <= cutOffDay ? today : firstOfNextMonth(today);
  return month.with({ day: Math.min(cutOffDay, month.daysInMonth) });
}
