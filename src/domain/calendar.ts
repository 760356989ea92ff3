/** Days without a time, in the company's time zone. Which zone that is, and which day is today, the caller knows. */
export type Day = Temporal.PlainDate;

/** Months named by their first days: from the first of them to before `until`; null means without end. */
export interface Months {
  from: Day;
  until: Day | null;
}

/** A large roster compares days by the million: reading numbers takes 0.05 µs, `PlainDate.compare` takes 1 µs. */
export const compareDays = (a: Day, b: Day): number => a.year - b.year || a.month - b.month || a.day - b.day;

export const isBefore = (a: Day, b: Day): boolean => compareDays(a, b) < 0;
export const earlierOf = (a: Day, b: Day): Day => (isBefore(b, a) ? b : a);
export const laterOf = (a: Day, b: Day): Day => (isBefore(a, b) ? b : a);

/** Of none it is none. */
export const earliestOf = (days: readonly Day[]): Day | null =>
  days.reduce<Day | null>((earliest, day) => (earliest === null ? day : earlierOf(earliest, day)), null);

/** Dates that are not known have not come. */
export const isDue = (day: Day | null, today: Day): boolean => day !== null && !isBefore(today, day);

export const isSameDay = (a: Day | null, b: Day | null): boolean =>
  a === b || (a !== null && b !== null && compareDays(a, b) === 0);

/** Every day from the first to the last, both included; none if the last comes before the first. */
export function listDays(first: Day, last: Day): Day[] {
  const days: Day[] = [];
  for (let day = first; !isBefore(last, day); day = day.add({ days: 1 })) days.push(day);
  return days;
}

const firstDays = new Map<number, Day>();

/** First days are made once and shared: few are in use, and to derive one by `with` and `add` takes 2.5 µs. */
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

/** The months of which a span covers every day; null when there is none. */
export function wholeMonths(startsOn: Day, endsOn: Day | null): Months | null {
  const from = firstOfMonthOnOrAfter(startsOn);
  const isLastOfMonth = endsOn !== null && endsOn.day === endsOn.daysInMonth;
  const until = endsOn && (isLastOfMonth ? firstOfNextMonth(endsOn) : firstOfMonth(endsOn));
  return until === null || isBefore(from, until) ? { from, until } : null;
}

/**
 * When a pause or a cancellation that becomes known today can take effect. In a month that is shorter than the cut-off
 * day every day is in time: with a cut-off on the 31st, so is the 28th of February. The cut-off day is at least 1, so
 * what becomes known on the first of a month is always in time for the next one.
 */
export function earliestEffect(knownOn: Day, cutOffDay: number): Day {
  const next = firstOfNextMonth(knownOn);
  return knownOn.day <= cutOffDay ? next : firstOfNextMonth(next);
}

/** The last day, today included, on which what becomes known takes effect on the first of the next month. */
export function nextCutOff(today: Day, cutOffDay: number): Day {
  const month = today.day <= cutOffDay ? today : firstOfNextMonth(today);
  return month.with({ day: Math.min(cutOffDay, month.daysInMonth) });
}
