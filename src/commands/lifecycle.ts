import { todayIn } from '../clock.ts';
import { runDueDays, travelTo } from '../daily-run/time-travel.ts';
import { OperatorError } from '../operator-error.ts';
import { type Command, withEngine } from './command.ts';

export const lifecycleRun: Command = {
  usage: 'lifecycle run',
  run: (_args, config) => withEngine(config, ({ db, clock, queue }) => runDueDays(db, { clock, queue })),
};

/** The time zone of the environment's current day. The days of each company follow its own time zone. */
const timeZone = 'Europe/Berlin';

export const timeTravel: Command = {
  usage: 'time-travel --to YYYY-MM-DD',
  run: async (args, config) => {
    if (config.environment !== 'staging') throw new OperatorError('Time travel is possible on staging only.');
    const to = args.day('to');
    return withEngine(config, async ({ db, clock, queue }) => {
      const today = todayIn(clock, timeZone);
      if (Temporal.PlainDate.compare(to, today) <= 0) {
        throw new OperatorError(`--to must be later than today, which is ${today} here: time moves forward only.`);
      }
      return { from: today.toString(), to: to.toString(), ...(await travelTo(db, { clock, queue }, to, timeZone)) };
    });
  },
};
