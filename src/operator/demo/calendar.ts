import type { Day } from '../../domain/calendar.ts';

/**
 * The year of the demo company. It joined shortly before the oldest of the twelve months that end with the current one.
 */
export interface Calendar {
  now: Temporal.Instant;
  today: Day;
  /** The last day with actions. Today has only the daily run. */
  yesterday: Day;
  /** When the company joined, and when its HR system first sent a roster. */
  joined: Day;
  firstPush: Day;
  /** Returns the first day of the current month (0), of a future (1 …) or of a past one (-1 …). */
  month(offset: number): Day;
  /** Returns another day of such a month. Every month has at least 28. */
  day(offset: number, dayOfMonth: number): Day;
  /** Returns the day this many days before today. */
  ago(days: number): Day;
  /** Returns the instant of a time of day in the company's time zone. */
  at(date: Day, time: string): Temporal.Instant;
}

const firstMonthOffset = -11;
const timeZone = 'Europe/Berlin';

export function createCalendar(now: Temporal.Instant): Calendar {
  const today = now.toZonedDateTimeISO(timeZone).toPlainDate();
  const month = (offset: number) => today.with({ day: 1 }).add({ months: offset });
  const joined = month(firstMonthOffset).subtract({ days: 20 });
  return {
    now,
    today,
    yesterday: today.subtract({ days: 1 }),
    joined,
    firstPush: joined.add({ days: 4 }),
    month,
    day: (offset, dayOfMonth) => month(offset).with({ day: dayOfMonth }),
    ago: (days) => today.subtract({ days }),
    at: (date, time) => date.toZonedDateTime({ timeZone, plainTime: time }).toInstant(),
  };
}
