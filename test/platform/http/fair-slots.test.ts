import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApiError } from '../../../src/platform/http/errors.ts';
import { createFairSlots, type Release, type SlotLimits } from '../../../src/platform/http/fair-slots.ts';

const limits: SlotLimits = { what: 'exports', total: 2, perCompany: 2, perCaller: 0, waitMillis: 60_000 };

/** Takes slots and records in which order they were given. */
function watch(changes: Partial<SlotLimits>) {
  const slots = createFairSlots({ ...limits, ...changes });
  const given: string[] = [];
  const held: Release[] = [];
  const take = (companyId: number, name: string) =>
    slots.take({ companyId, name }).then((release) => {
      given.push(`${companyId}${name}`);
      held.push(release);
    });
  const freeOne = async () => {
    held.shift()?.();
    await nextTurn();
  };
  return { slots, given, held, take, freeOne };
}

const refusal = (code: string, detail: RegExp) => (error: unknown) => {
  assert(error instanceof ApiError);
  assert.equal(error.code, code);
  assert.match(error.message, detail);
  assert.match(error.headers['retry-after'] ?? '', /^\d+$/);
  return true;
};

describe('fair slots', () => {
  it('go to companies in turn, however many requests one of them has sent', async () => {
    const { given, take, freeOne } = watch({ total: 1 });
    const taken = [take(1, 'a'), take(1, 'b'), take(1, 'c'), take(1, 'd'), take(2, 'a'), take(2, 'b'), take(3, 'a')];
    for (let free = 0; free < taken.length; free++) await freeOne();
    await Promise.all(taken);
    assert.deepEqual(given, ['1a', '1b', '2a', '3a', '1c', '2b', '1d']);
  });

  it('leave those that a company has no share in to others', async () => {
    const { given, take, freeOne } = watch({ total: 3, perCompany: 2 });
    const first = [take(1, 'a'), take(1, 'b'), take(1, 'c'), take(2, 'a')];
    await nextTurn();
    assert.deepEqual(given, ['1a', '1b', '2a']);
    await freeOne();
    await Promise.all(first);
    assert.deepEqual(given, ['1a', '1b', '2a', '1c']);
  });

  it('are all in use again after every interleaving of requests', async () => {
    const { slots, given, held, take, freeOne } = watch({ total: 2, perCompany: 1 });
    const taken = Array.from({ length: 12 }, (_, index) => take(index % 4, String(index)));
    while (given.length < 12) {
      assert(held.length <= 2);
      await freeOne();
    }
    await Promise.all(taken);
    while (held.length > 0) await freeOne();
    const both = await Promise.all([slots.take({ companyId: 1 }), slots.take({ companyId: 2 })]);
    assert.equal(both.length, 2);
  });

  it('are refused at once to a key that has too many, and not to another key', async () => {
    const { slots } = watch({ perCaller: 1 });
    const release = await slots.take({ companyId: 1, name: 'a' });
    await assert.rejects(
      slots.take({ companyId: 1, name: 'a' }),
      refusal('rate-limited', /^1 of your exports are already in progress\. Wait until/),
    );
    await slots.take({ companyId: 1, name: 'b' });
    release();
    release();
    await slots.take({ companyId: 1, name: 'a' });
  });

  it('that do not become free in time are refused, and name who uses them', async () => {
    const { slots, take } = watch({ total: 2, perCompany: 1, waitMillis: 1 });
    await take(1, 'a');
    await assert.rejects(
      slots.take({ companyId: 1 }),
      refusal('rate-limited', /^1 exports of your company are already in progress/),
    );
    await take(2, 'a');
    await assert.rejects(slots.take({ companyId: 3 }), refusal('unavailable', /^Too many exports are in progress/));
  });

  it('become free when the work fails', async () => {
    const { slots } = watch({ total: 1, perCaller: 1 });
    const caller = { companyId: 1, name: 'a' };
    await assert.rejects(
      slots.run(caller, () => Promise.reject(new Error('the work failed'))),
      /the work failed/,
    );
    assert.equal(await slots.run(caller, async () => 'done'), 'done');
  });
});
