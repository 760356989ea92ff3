import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { Metric } from './metrics.ts';

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

/** Returns the sections of one command in a published text, by the names of their scenarios. */
export function readSections(text: string, command: string): Map<string, string> {
  const part = text.split(/^## /m).find((one) => one.startsWith(`\`npm run ${command}\``)) ?? '';
  const sections = part.split(/^### /m).slice(1);
  return new Map(sections.map((section) => [section.slice(0, section.indexOf('\n')), `### ${section.trimEnd()}\n`]));
}

/** Replaces the sections of these scenarios. The others stay, because each can be published alone. */
export async function publish(command: 'bench' | 'torture', results: Result[]): Promise<void> {
  const text = await readFile(published, 'utf8');
  const parts = ['bench', 'torture'].map((part) => {
    const sections = readSections(text, part);
    for (const result of part === command ? results : []) sections.set(result.name, table(result));
    return `## \`npm run ${part}\`\n\n${[...sections.values()].join('\n')}`;
  });
  const head = text.slice(0, text.indexOf('## `npm run'));
  await writeFile(published, `${head}${parts.join('\n')}`);
}
