import type { Day } from '../../domain/calendar.ts';
import type { CommandContext } from '../../platform/cli/define.ts';
import { todayIn } from '../../platform/clock/clock.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { withEngine } from '../command-context.ts';
import { runDueDays, travelTo } from './time-travel.ts';

export const runLifecycle = (_options: unknown, { config }: CommandContext) =>
  withEngine(config, ({ db, clock, queue, notices }) => runDueDays(db, { clock, queue, notices }));

/** The time zone of the environment's current day. The days of each company follow its own time zone. */
const timeZone = 'Europe/Berlin';

export async function timeTravel({ to }: { to: Day }, { config }: CommandContext) {
  if (config.environment !== 'staging')
    throw new OperatorError('Time travel is possible on staging only: this environment is production.');
  return withEngine(config, async ({ db, clock, queue, notices }) => {
    const today = todayIn(clock, timeZone);
    if (Temporal.PlainDate.compare(to, today) <= 0) {
      throw new OperatorError(`--to must be later than today, which is ${today} here: time moves forward only.`);
    }
    return {
      from: today.toString(),
      to: to.toString(),
      ...(await travelTo(db, { clock, queue, notices }, to, timeZone)),
    };
  });
}
