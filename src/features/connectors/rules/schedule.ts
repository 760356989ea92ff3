import type { Day } from '../../../domain/calendar.ts';

/** When an integration pulls: every night at a time of the company's clock. */
export interface NightlySchedule {
  nightlyTime: string;
  timeZone: string;
}

export const defaultNightlyTime = '02:00';

export const isNightlyTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

const at = (day: Day, { nightlyTime, timeZone }: NightlySchedule) =>
  day.toZonedDateTime({ timeZone, plainTime: nightlyTime }).toInstant();

/** Returns the local date of the last nightly time, today's included. */
export function nightOf(now: Temporal.Instant, schedule: NightlySchedule): Day {
  const today = now.toZonedDateTimeISO(schedule.timeZone).toPlainDate();
  return Temporal.Instant.compare(at(today, schedule), now) <= 0 ? today : today.subtract({ days: 1 });
}

export const nextNightlyTime = (now: Temporal.Instant, schedule: NightlySchedule): Temporal.Instant =>
  at(nightOf(now, schedule).add({ days: 1 }), schedule);
