import type { Day } from '../domain/calendar.ts';

/** The year of the demo company: it joined shortly before the oldest of the twelve months that end with this one. */
export interface Calendar {
  now: Temporal.Instant;
  today: Day;
  /** The last day on which anybody does anything; today brings only what the calendar brings. */
  yesterday: Day;
  /** When the company joined, and when its HR system first sent a roster. */
  joined: Day;
  firstPush: Day;
  /** The first day of the current month (0), of a coming (1 …) or of a past one (-1 …). */
  month(offset: number): Day;
  /** Another day of such a month; every month has 28. */
  day(offset: number, dayOfMonth: number): Day;
  /** So many days before today. */
  ago(days: number): Day;
  /** The moment of a time of day where the company is. */
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
