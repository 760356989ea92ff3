import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { failedMetrics } from '../../harness/metrics.ts';
import type { Scenario } from '../../harness/scenario.ts';

/** Other choices each time; `TORTURE_SEED=… npm test` makes the same ones again. */
const seed = Number(process.env.TORTURE_SEED ?? Math.floor(Math.random() * 1_000_000));

/** The quick form of a trial of `npm run torture`: every figure must hold. */
export async function assertHolds<Plan>(t: TestContext, { plans, run }: Scenario<Plan>): Promise<void> {
  t.diagnostic(`seed ${seed} (repeat with TORTURE_SEED=${seed})`);
  const figures = await run(plans.quick, { seed, log: (line) => t.diagnostic(line) });
  assert.ok(figures.length > 0);
  assert.deepEqual(failedMetrics(figures), []);
}
