import type { Day } from '../../../domain/calendar.ts';
import type { PullSchedule } from '../../../domain/enums.ts';

/** When an integration pulls: every night at a time of the company's clock, and at intervals from then on. */
export interface Schedule {
  nightlyTime: string;
  timeZone: string;
  every: PullSchedule;
}

type Night = Pick<Schedule, 'nightlyTime' | 'timeZone'>;

export const defaultNightlyTime = '02:00';

const intervalHours: Record<PullSchedule, number> = {
  hourly: 1,
  'every-three-hours': 3,
  nightly: Number.POSITIVE_INFINITY,
};
const hourMillis = 3_600_000;

export const isNightlyTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

const at = (day: Day, { nightlyTime, timeZone }: Night) =>
  day.toZonedDateTime({ timeZone, plainTime: nightlyTime }).toInstant();

/** Returns the local date of the last nightly time, today's included. */
export function nightOf(now: Temporal.Instant, schedule: Night): Day {
  const today = now.toZonedDateTimeISO(schedule.timeZone).toPlainDate();
  return Temporal.Instant.compare(at(today, schedule), now) <= 0 ? today : today.subtract({ days: 1 });
}

/** Returns when the schedule pulls next: at the next interval since the nightly time, or at the next nightly time. */
export function nextPullTime(now: Temporal.Instant, schedule: Schedule): Temporal.Instant {
  const night = nightOf(now, schedule);
  const nextNight = at(night.add({ days: 1 }), schedule).epochMilliseconds;
  const last = at(night, schedule).epochMilliseconds;
  const interval = intervalHours[schedule.every] * hourMillis;
  const passed = Math.floor((now.epochMilliseconds - last) / interval);
  const next = Number.isFinite(interval) ? last + (passed + 1) * interval : nextNight;
  return Temporal.Instant.fromEpochMilliseconds(Math.min(next, nextNight));
}

const minutesBetweenHints = 5;

/** Returns when a hint makes a pull due: at once, unless the last pull began within the last minutes. */
export function hintedPullTime(now: Temporal.Instant, lastPullAt: Temporal.Instant | null): Temporal.Instant {
  const earliest = lastPullAt?.add({ minutes: minutesBetweenHints });
  return earliest !== undefined && Temporal.Instant.compare(earliest, now) > 0 ? earliest : now;
}
