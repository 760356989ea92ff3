import { type Day, isBefore } from '../../domain/calendar.ts';
import type { PlanType } from '../../domain/enums.ts';
import type { Clock } from '../../platform/clock/clock.ts';

/** The year of the demo company, which joined shortly before the first of the last twelve months. */
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

export interface DemoClock extends Clock {
  moveTo(date: Day, time: string): void;
}

/** Advances the clock by this much on every reading, because actions take time. */
const perLookMillis = 150;

/** Creates a clock that never shows a time later than the real one: nothing lies in the future. */
export function createDemoClock(calendar: Calendar): DemoClock {
  let moment = calendar.at(calendar.joined, '00:00');
  const now = () => (Temporal.Instant.compare(moment, calendar.now) > 0 ? calendar.now : moment);
  return {
    now() {
      moment = moment.add({ milliseconds: perLookMillis });
      return now();
    },
    moveTo(date, time) {
      moment = calendar.at(date, time);
    },
  };
}

export interface Offer {
  since: Day;
  planType: PlanType;
  contributionCents: number;
}

/** Returns the offers over the year, several, so that its employees have every plan type. */
export const offersOf = ({ joined, day }: Calendar): Offer[] => [
  { since: joined, planType: 'deferred-plan', contributionCents: 0 },
  { since: day(-9, 2), planType: 'split-pay-plan', contributionCents: 2000 },
  { since: day(-5, 2), planType: 'fully-subsidized-plan', contributionCents: 0 },
  { since: day(-3, 2), planType: 'split-pay-plan', contributionCents: 2000 },
];

export function offerOn(calendar: Calendar, on: Day): Offer {
  const offer = offersOf(calendar).findLast(({ since }) => !isBefore(on, since));
  if (offer === undefined) throw new Error(`The demo company has not joined on ${on}.`);
  return offer;
}
