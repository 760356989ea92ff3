import assert from 'node:assert/strict';
import { test } from 'node:test';
import { roundTicks } from '../../portal/src/ui/round-ticks.ts';

test('ticks are round, few, and reach the largest value', () => {
  assert.deepEqual(roundTicks(0), [0, 1]);
  assert.deepEqual(roundTicks(3), [0, 1, 2, 3]);
  assert.deepEqual(roundTicks(17), [0, 5, 10, 15, 20]);
  assert.deepEqual(roundTicks(2_407), [0, 1000, 2000, 3000]);
  for (let value = 1; value < 1_000_000; value = Math.ceil(value * 1.37)) {
    const ticks = roundTicks(value);
    const last = ticks.at(-1) ?? 0;
    assert.ok(last >= value && ticks.length <= 5, `${value}: ${ticks}`);
  }
});
