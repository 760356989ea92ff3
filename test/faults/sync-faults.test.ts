import { test } from 'node:test';
import { runFaults } from './sync-stream.ts';

/** The quick version of `npm run torture`. Change the seed to try other moments; a failure names it. */
const seed = 11;

test('rosters are applied once and in order, though workers are killed and the database crashes', async (t) => {
  const report = await runFaults({ seed, kills: 4, databaseStops: 1, largeSize: 3_000, patience: 0 });
  const slowest = Math.max(0, ...report.recoveries.map(({ seconds }) => seconds));
  t.diagnostic(`seed ${seed}: ${report.syncs} syncs in ${report.seconds} s, slowest recovery ${slowest.toFixed(1)} s`);
});
