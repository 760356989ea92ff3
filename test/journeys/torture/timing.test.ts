import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { createRandom } from '../../../src/operator/demo/random.ts';
import { compareUpTo, cutOffOf, timing } from '../../../torture/timing.ts';

import { assertPasses } from './scenario.ts';

test('the response time of a refusal does not reveal whether the user exists', (t) => assertPasses(t, timing));

describe('The comparison of response times', () => {
  const random = createRandom(1);
  /** Returns response times of around 500 µs. Some are far longer, as on a busy machine. */
  const times = (count: number, longer = 0) =>
    Array.from({ length: count }, () => {
      const spread = Array.from({ length: 6 }, () => random.int(0, 40)).reduce((sum, part) => sum + part, 380);
      return spread + longer + (random.chance(0.02) ? random.int(500, 20_000) : 0);
    });
  const compare = (a: number[], b: number[]) => compareUpTo(cutOffOf([a, b]), a, b);

  it('finds a difference of three microseconds in 50,000 requests', () => {
    const { times: found } = compare(times(50_000, 3), times(50_000));
    assert(found.t > 4.5, `t = ${found.t}`);
    assert(found.from > 2 && found.to < 4, `from ${found.from} to ${found.to}`);
  });

  it('finds no difference where there is none', () => {
    for (let tries = 0; tries < 20; tries++) {
      const { times: found, beyond } = compare(times(5_000), times(5_000));
      assert(Math.abs(found.t) <= 4.5 && Math.abs(beyond.t) <= 4.5, `t = ${found.t} and ${beyond.t}`);
    }
  });

  it('finds a difference that the cut-off would hide', () => {
    const sometimes = times(50_000).map((time) => time + (random.chance(0.02) ? 10_000 : 0));
    const { beyond } = compare(sometimes, times(50_000));
    assert(beyond.t > 4.5, `t = ${beyond.t}`);
  });
});
