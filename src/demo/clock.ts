import type { Clock } from '../clock.ts';
import type { Day } from '../domain/calendar.ts';
import type { Calendar } from './calendar.ts';

/** The clock by which the company lives through its year. */
export interface DemoClock extends Clock {
  moveTo(date: Day, time: string): void;
}

/** Things take their time: some passes with every look at the clock. */
const perLookMillis = 150;

/** It never shows a time later than the real one: nothing the company has done lies in the future. */
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
