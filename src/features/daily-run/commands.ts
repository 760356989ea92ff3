import { type CommandDefinition, type CommandGroup, command } from '../../platform/cli/define.ts';
import { day, id, month, required } from '../../platform/cli/options.ts';
import { engineCommand, sharedEngineCommand } from '../company-command.ts';

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

/** Commands of the group `billing`, besides corrections. */
export const billingCommands: Record<string, CommandDefinition> = {
  run: engineCommand({
    description: 'Bill what is not billed yet in a period. The daily run does this automatically.',
    options: { period: required(month('First day of the period')) },
    examples: ['billing run --company 1 --period 2026-11-01'],
    load: async () => (await import('./bill-now.ts')).billNow,
  }),
};

export const eraseEmployeeCommand = engineCommand({
  description: 'Erase a removed employee now instead of after the retention period.',
  options: { employee: required(id('Id of the employee')) },
  examples: ['employee erase --company 1 --employee 1'],
  load: async () => (await import('./erase-now.ts')).eraseNow,
});
