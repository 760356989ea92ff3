import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';

export interface Figure {
  figure: string;
  value: number;
  limit: number | null;
  verdict: 'ok' | 'SHORT' | '';
}

const judged = (name: string, value: number, limit: number | null, isReached: boolean): Figure => ({
  figure: name,
  value: Number(value.toFixed(2)),
  limit,
  verdict: limit === null ? '' : isReached ? 'ok' : 'SHORT',
});

export const figure = (name: string, value: number, atMost: number | null = null): Figure =>
  judged(name, value, atMost, atMost === null || value <= atMost);

export const figureAtLeast = (name: string, value: number, atLeast: number): Figure =>
  judged(name, value, atLeast, value >= atLeast);

/** Prints the table, writes `bench/out/NAME.json`, and fails the run when a figure falls short. */
export async function report(name: string, about: Record<string, number>, figures: Figure[]): Promise<void> {
  const cores = cpus().length;
  const facts = Object.entries({ ...about, cores }).map(([what, count]) => `${count} ${what}`);
  console.log(facts.join(', '));
  console.table(figures);
  const out = join(import.meta.dirname, 'out');
  await mkdir(out, { recursive: true });
  await writeFile(join(out, `${name}.json`), `${JSON.stringify({ ...about, cores, figures }, null, 2)}\n`);
  if (figures.some(({ verdict }) => verdict === 'SHORT')) process.exitCode = 1;
}
