import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { failedMetrics } from '../../../harness/metrics.ts';
import type { Scenario } from '../../../harness/scenario.ts';
import { seed } from '../../support/seed.ts';

/** Runs the quick form of a scenario of `npm run torture`, and throws unless every metric holds. Skips what cannot run. */
export async function assertPasses<Plan>(t: TestContext, { plans, findObstacle, run }: Scenario<Plan>): Promise<void> {
  const obstacle = await findObstacle?.();
  if (obstacle !== undefined) return t.skip(obstacle);
  const lines: string[] = [];
  const metrics = await run(plans.quick, { seed, log: (line) => lines.push(line) });
  assert.ok(metrics.length > 0);
  const failed = failedMetrics(metrics).map(({ metric, value, limit }) => `${metric}: ${value}, allowed: ${limit}`);
  assert.equal(failed.length, 0, [...failed, ...lines, `seed ${seed}`].join('\n'));
}
