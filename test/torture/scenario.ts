import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { failedMetrics } from '../../harness/metrics.ts';
import type { Scenario } from '../../harness/scenario.ts';

/** Differs in each run. `TORTURE_SEED=… npm test` repeats the same choices. */
const seed = Number(process.env.TORTURE_SEED ?? Math.floor(Math.random() * 1_000_000));

/** Runs the quick form of a scenario of `npm run torture`, and throws unless every metric holds. */
export async function assertPasses<Plan>(t: TestContext, { plans, run }: Scenario<Plan>): Promise<void> {
  t.diagnostic(`seed ${seed} (repeat with TORTURE_SEED=${seed})`);
  const metrics = await run(plans.quick, { seed, log: (line) => t.diagnostic(line) });
  assert.ok(metrics.length > 0);
  assert.deepEqual(failedMetrics(metrics), []);
}
