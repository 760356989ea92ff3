import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { failedMetrics, type Metric } from './metrics.ts';

export interface Result {
  name: string;
  title: string;
  seed: number;
  seconds: number;
  metrics: Metric[];
}

export const outFolder = join(import.meta.dirname, '../bench/out');
const published = join(import.meta.dirname, '../bench/RESULTS.md');

/** The machine and the version of Node. Those of the libraries are in `package-lock.json` of the same commit. */
const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`;

const table = ({ name, title, seed, seconds, metrics }: Result) => `### ${name}

${title}. On ${Temporal.Now.plainDateISO()}, ${machine}, ${seconds} s, seed ${seed}.

| metric | value | limit | |
| --- | ---: | ---: | --- |
${metrics.map(({ metric, value, limit, verdict }) => `| ${metric} | ${value} | ${limit} | ${verdict} |`).join('\n')}
`;

export function readSections(text: string, command: string): Map<string, string> {
  const part = text.split(/^## /m).find((one) => one.startsWith(`\`npm run ${command}\``)) ?? '';
  const sections = part.split(/^### /m).slice(1);
  return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), `### ${section.trimEnd()}\n`]));
}

/** Replaces the sections of these scenarios. The others stay, because each can be published alone. */
async function publish(command: 'bench' | 'torture', results: Result[]): Promise<void> {
  const text = await readFile(published, 'utf8');
  const parts = ['bench', 'torture'].map((part) => {
    const sections = readSections(text, part);
    for (const result of part === command ? results : []) sections.set(result.name, table(result));
    return `## \`npm run ${part}\`\n\n${[...sections.values()].join('\n')}`;
  });
  const head = text.slice(0, text.indexOf('## `npm run'));
  await writeFile(published, `${head}${parts.join('\n')}`);
}

/** What a scenario receives in addition to its plan. The same seed makes the same choices. */
export interface Context {
  seed: number;
  log(line: string): void;
}

export interface Scenario<Plan = unknown> {
  name: string;
  title: string;
  /** The amount of work: `full` is published, and `quick` is for `--quick` and `npm run test:slow`. */
  plans: { full: Plan; quick: Plan };
  /** Returns why the scenario cannot run on this machine. Absent: it always can. */
  findObstacle?(): Promise<string | undefined>;
  /** Rejects if the scenario could not run. A finding is a metric that misses its limit. */
  run(plan: Plan, context: Context): Promise<Metric[]>;
}

const usage = '[--quick] [--seed N] [--only NAME,NAME] [--publish]';

function parseOptions(command: string, scenarios: Scenario[]) {
  const options = {
    quick: { type: 'boolean', default: false },
    seed: { type: 'string' },
    only: { type: 'string' },
    publish: { type: 'boolean', default: false },
  } as const;
  const { values } = parseArgs({ options });
  const names = values.only?.split(',') ?? scenarios.map(({ name }) => name);
  const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
  if (unknown.length > 0 || !Number.isSafeInteger(seed)) {
    const known = scenarios.map(({ name }) => name).join(', ');
    throw new Error(`npm run ${command} -- ${usage}\nN is a whole number, NAME one of ${known}.`);
  }
  return { ...values, seed, chosen: scenarios.filter(({ name }) => names.includes(name)) };
}

export async function runScenarios(command: 'bench' | 'torture', scenarios: Scenario[]): Promise<void> {
  const { quick, seed, chosen, publish: isPublished } = parseOptions(command, scenarios);
  console.log(`seed ${seed} (repeat with --seed ${seed})`);
  const [failed, results]: [string[], Result[]] = [[], []];
  let skipped = 0;
  for (const { name, title, plans, findObstacle, run } of chosen) {
    console.log(`\n${name}: ${title}`);
    const obstacle = await findObstacle?.();
    if (obstacle !== undefined) {
      console.log(`  skipped: ${obstacle}`);
      skipped += 1;
      continue;
    }
    const begun = performance.now();
    try {
      const metrics = await run(quick ? plans.quick : plans.full, { seed, log: (line) => console.log(`  ${line}`) });
      console.table(metrics);
      const seconds = Math.round((performance.now() - begun) / 1_000);
      results.push({ name, title, seed, seconds, metrics });
      if (failedMetrics(metrics).length > 0) failed.push(name);
    } catch (error) {
      console.error(`${name} could not run (seed ${seed}):`, error);
      failed.push(name);
    }
  }
  if (isPublished && !quick) await publish(command, results);
  const passed = chosen.length - failed.length - skipped;
  console.log(`\n${passed} of ${chosen.length} passed, ${skipped} skipped, failed: ${failed.join(', ') || 'none'}`);
  if (failed.length > 0) process.exitCode = 1;
}
