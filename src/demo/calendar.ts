/** The year of the demo company: it joined shortly before the oldest of the twelve months that end with this one. */
export interface Calendar {
  today: Temporal.PlainDate;
  yesterday: Temporal.PlainDate;
  /** When the company joined. */
  joined: Temporal.PlainDate;
  /** First days, oldest first; the last is the current month's. */
  months: Temporal.PlainDate[];
  /** The first day of the current month (0), of a coming (1 …) or of a past one (-1 …). */
  month(offset: number): Temporal.PlainDate;
  /** An instant as the database takes it, for a time of day where the company is. */
  at(date: Temporal.PlainDate, time: string): string;
}

export const firstMonthOffset = -11;
const timeZone = 'Europe/Berlin';

export function createCalendar(now: Temporal.Instant): Calendar {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  const month = (offset: number) => today.with({ day: 1 }).add({ months: offset });
  return {
    today,
    yesterday: today.subtract({ days: 1 }),
    joined: month(firstMonthOffset).subtract({ days: 20 }),
    months: Array.from({ length: 1 - firstMonthOffset }, (_, index) => month(firstMonthOffset + index)),
    month,
    at: (date, time) => date.toZonedDateTime({ timeZone, plainTime: time }).toInstant().toString(),
  };
}

export const isBefore = (a: Temporal.PlainDate, b: Temporal.PlainDate) => Temporal.PlainDate.compare(a, b) < 0;
export const earlier = (a: Temporal.PlainDate, b: Temporal.PlainDate) => (isBefore(a, b) ? a : b);
export const later = (a: Temporal.PlainDate, b: Temporal.PlainDate) => (isBefore(a, b) ? b : a);
