import type { Day } from '../../domain/calendar.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import type { Calendar } from './calendar.ts';

/** The clock of the demo company while its year is processed. */
export interface DemoClock extends Clock {
  moveTo(date: Day, time: string): void;
}

/** Advances the clock by this much on every reading, because actions take time. */
const perLookMillis = 150;

/**
 * Creates a clock that never shows a time later than the real one, so that no action of the company lies in the future.
 */
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
