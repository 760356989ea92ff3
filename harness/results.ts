import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Metric } from './metrics.ts';

/** The result of one scenario, and when it ran. */
export interface Result {
  name: string;
  title: string;
  seed: number;
  seconds: number;
  at: string;
  machine: string;
  metrics: Metric[];
}

type Results = Record<string, Result>;

/** Git ignores this folder. */
export const outFolder = join(import.meta.dirname, '../bench/out');
const published = join(import.meta.dirname, '../bench/RESULTS.md');

const fileOf = (command: string, quick: boolean) => join(outFolder, `${command}${quick ? '-quick' : ''}.json`);

async function read(command: string, quick: boolean): Promise<Results> {
  const text = await readFile(fileOf(command, quick), 'utf8').catch(() => '{}');
  return JSON.parse(text) as Results;
}

/** Stores the result together with earlier results of other scenarios, because each scenario can be repeated alone. */
export async function record(command: string, quick: boolean, result: Omit<Result, 'machine'>): Promise<void> {
  await mkdir(outFolder, { recursive: true });
  const results = { ...(await read(command, quick)), [result.name]: { ...result, machine } };
  await writeFile(fileOf(command, quick), `${JSON.stringify(results, null, 2)}\n`);
}

/** The machine and the version of Node. Those of the libraries are in `package-lock.json` of the same commit. */
const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`;

const table = ({ name, title, seed, seconds, at, machine, metrics }: Result) => `### ${name}

${title}. On ${at.slice(0, 10)}, ${machine}, ${seconds} s, seed ${seed}.

| metric | value | limit | |
| --- | ---: | ---: | --- |
${metrics.map(({ metric, value, limit, verdict }) => `| ${metric} | ${value} | ${limit} | ${verdict} |`).join('\n')}
`;

/** Returns the sections of one command in a published text, by the names of their scenarios. */
export function readSections(text: string, command: string): Map<string, string> {
  const part = text.split(/^## /m).find((one) => one.startsWith(`\`npm run ${command}\``)) ?? '';
  const sections = part.split(/^### /m).slice(1);
  return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), `### ${section.trimEnd()}\n`]));
}

/** Replaces the sections of those scenarios that have run here. Each scenario can be published alone. */
export async function publish(): Promise<void> {
  const text = await readFile(published, 'utf8');
  const parts = ['bench', 'torture'].map(async (command) => {
    const sections = readSections(text, command);
    for (const result of Object.values(await read(command, false))) sections.set(result.name, table(result));
    return `## \`npm run ${command}\`\n\n${[...sections.values()].join('\n')}`;
  });
  const head = '# Last published results\n\nWritten by `--publish` of the two commands. Their meaning: [performance]';
  const links = '(../docs/performance.md), [reliability](../docs/reliability.md).';
  const machines =
    'The machines are shared with others. Versions of libraries are those of `package-lock.json` on that day.';
  await writeFile(published, `${head}${links}\n${machines}\n\n${(await Promise.all(parts)).join('\n')}`);
}
