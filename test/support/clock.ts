import type { Clock } from '../../src/platform/clock/clock.ts';

/**
 * A clock that a test moves. It stands at noon in Berlin, unless the test gives another time, on the day to which it
 * was last moved.
 */
export interface MovableClock extends Clock {
  moveTo(day: string, time?: string): void;
}

export function movableClock(day: string): MovableClock {
  const at = (date: string, time: string) =>
    Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: 'Europe/Berlin', plainTime: time }).toInstant();
  let now = at(day, '12:00');
  return {
    now: () => now,
    moveTo: (date, time = '12:00') => {
      now = at(date, time);
    },
  };
}
