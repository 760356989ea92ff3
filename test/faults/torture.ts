import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type FaultReport, type Recovery, runFaults } from './sync-stream.ts';

/** `npm run torture -- [--quick] [--seed N]`: the same seed causes the same faults, at moments as equal as clocks allow. */
const { values } = parseArgs({ options: { quick: { type: 'boolean' }, seed: { type: 'string' } } });
const seed = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const plan = values.quick
  ? { kills: 4, databaseStops: 1, largeSize: 3_000, patience: 0 }
  : { kills: 20, databaseStops: 5, largeSize: 20_000, patience: 0.5 };

const worst = (recoveries: Recovery[], kind: Recovery['kind']) => {
  const seconds = recoveries.filter((recovery) => recovery.kind === kind).map((recovery) => recovery.seconds);
  return seconds.length === 0 ? 'none interrupted' : `${Math.max(...seconds).toFixed(1)} s of ${seconds.length}`;
};

const table = (report: FaultReport) => ({
  'syncs accepted and applied once': report.syncs,
  'workers killed': report.kills,
  'database crashes': report.databaseStops,
  'requests repeated': report.retriedRequests,
  'worst recovery from a kill (limit 30 s)': worst(report.recoveries, 'worker'),
  'worst recovery from a crash (limit 30 s)': worst(report.recoveries, 'database'),
  'duration, s': Math.round(report.seconds),
});

console.log(`seed ${seed} (repeat with --seed ${seed})`);
try {
  const report = await runFaults({ seed, ...plan, log: (line) => console.log(`  ${line}`) });
  console.table(table(report));
  const folder = join(import.meta.dirname, '../../bench/out');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'torture.json'), `${JSON.stringify(report, null, 2)}\n`);
} catch (error) {
  console.error(`FAILED with --seed ${seed}:`, error);
  process.exitCode = 1;
}
