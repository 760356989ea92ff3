import { type CommandGroup, command } from '../../platform/cli/define.ts';
import { day, required } from '../../platform/cli/options.ts';
import { sharedEngineCommand } from '../company-command.ts';

/** The time zone of the environment's current day. The days of each company follow its own time zone. */
const timeZone = 'Europe/Berlin';

export const lifecycleCommands: CommandGroup = {
  description: 'Run what the worker does every day',
  commands: {
    run: sharedEngineCommand({
      description: 'Process the days that are due. The worker does this automatically.',
      examples: ['lifecycle run'],
      async load() {
        const { runDueDays } = await import('./time-travel.ts');
        return ({ db, ...deps }) => runDueDays(db, deps);
      },
    }),
  },
};

export const timeTravelCommand = command({
  description: 'Move the clock of a staging environment forward and process every day on the way.',
  options: { to: required(day('Day to move to')) },
  examples: ['time-travel --to 2027-01-02'],
  async load() {
    const { withEngine } = await import('../command-context.ts');
    const { assertStaging, travel } = await import('./time-travel.ts');
    return ({ to }, { config }) => {
      assertStaging(config);
      return withEngine(config, (engine) => travel({ config, ...engine }, { to, timeZone }));
    };
  },
});
