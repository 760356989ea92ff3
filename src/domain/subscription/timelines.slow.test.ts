import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runTimeline, timeline, timelineWithPolicies } from '../../../test/support/domain/timeline.ts';
import type { Planned } from './changes.ts';
import { ruleIds } from './rules.ts';
import type { Subscription } from './subscription.ts';
import { causes, transitions } from './transitions.ts';

test('every transition of the table and every rule occurs', () => {
  const seen = new Set<string>();
  const note = (_before: Subscription, { changes }: Planned) => {
    for (const { cause, rule, from, to } of changes) seen.add(rule.id).add(`${cause}: ${from} to ${to}`);
  };
  // Uses the same timelines every time, so that a rare one is never missed by chance.
  for (const [kind, numRuns] of [[timeline, 15_000] as const, [timelineWithPolicies, 4_000] as const]) {
    for (const scenario of fc.sample(kind, { seed: 6, numRuns }))
      runTimeline(scenario, { planned: note, morning: note });
  }
  const rows = transitions.flatMap(({ cause, from, to }) =>
    from.flatMap((a) => to.map((b) => `${cause}: ${a} to ${b}`)),
  );
  assert.deepEqual(
    [...ruleIds, ...rows].filter((one) => !seen.has(one)),
    [],
  );
  assert.deepEqual(new Set(transitions.map(({ cause }) => cause)), new Set(causes));
});
