import { parseArgs } from 'node:util';
import { failedMetrics, type Metric } from './metrics.ts';
import { publish, record } from './results.ts';

/**
 * What a scenario receives in addition to its plan. The same seed makes the same choices, at times as equal as clocks
 * allow.
 */
export interface Context {
  seed: number;
  log(line: string): void;
}

/** One part of `npm run bench` or `npm run torture`. */
export interface Scenario<Plan = unknown> {
  /** The name for `--only`. */
  name: string;
  title: string;
  /** The amount of work: `full` is published, and `quick` is for `--quick` and `npm test`. */
  plans: { full: Plan; quick: Plan };
  /** Rejects if the scenario could not run. A finding is a metric that misses its limit. */
  run(plan: Plan, scene: Context): Promise<Metric[]>;
}

const usage = '[--quick] [--seed N] [--only NAME,NAME] [--publish]';

function readWords(command: string, trials: Scenario[]) {
  const options = {
    quick: { type: 'boolean', default: false },
    seed: { type: 'string' },
    only: { type: 'string' },
    publish: { type: 'boolean', default: false },
  } as const;
  const { values } = parseArgs({ options });
  const names = values.only?.split(',') ?? trials.map(({ name }) => name);
  const unknown = names.filter((name) => !trials.some((trial) => trial.name === name));
  const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
  if (unknown.length > 0 || !Number.isSafeInteger(seed)) {
    const known = trials.map(({ name }) => name).join(', ');
    throw new Error(`npm run ${command} -- ${usage}\nN is a whole number, NAME one of ${known}.`);
  }
  return { ...values, seed, chosen: trials.filter(({ name }) => names.includes(name)) };
}

/** Runs one scenario after another, prints a table of each and stores the results in `bench/out`. */
export async function runScenarios(command: 'bench' | 'torture', trials: Scenario[]): Promise<void> {
  const { quick, seed, chosen, publish: isPublished } = readWords(command, trials);
  console.log(`seed ${seed} (repeat with --seed ${seed})`);
  const failed: string[] = [];
  for (const { name, title, plans, run } of chosen) {
    console.log(`\n${name}: ${title}`);
    const begun = performance.now();
    try {
      const figures = await run(quick ? plans.quick : plans.full, { seed, log: (line) => console.log(`  ${line}`) });
      console.table(figures);
      const seconds = Math.round((performance.now() - begun) / 1_000);
      await record(command, quick, { name, title, seed, seconds, at: new Date().toISOString(), metrics: figures });
      if (failedMetrics(figures).length > 0) failed.push(name);
    } catch (error) {
      console.error(`${name} could not be carried out (seed ${seed}):`, error);
      failed.push(name);
    }
  }
  if (isPublished) await publish();
  console.log(`\n${chosen.length - failed.length} of ${chosen.length} hold${failed.length ? `; not: ${failed}` : ''}`);
  if (failed.length > 0) process.exitCode = 1;
}
