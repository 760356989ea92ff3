import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFailingTooLong, isSuccess, nextDelay, parseRetryAfter } from './retry.ts';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

describe('attempts of a delivery', () => {
  it('follow each other with growing delays, ten in all', () => {
    const delays = Array.from({ length: 10 }, (_, index) =>
      nextDelay({ failures: index + 1, retryAfter: 0, random: 0 }),
    );
    assert.deepEqual(delays, [
      5 * second,
      5 * minute,
      30 * minute,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
      undefined,
    ]);
  });

  it('are spread by up to a tenth of the delay', () => {
    assert.equal(nextDelay({ failures: 2, retryAfter: 0, random: 1 }), 5.5 * minute);
    assert.equal(nextDelay({ failures: 2, retryAfter: 0, random: 0.5 }), 5.25 * minute);
  });

  it('do not follow before the receiver wants them to, for up to a day', () => {
    const now = Date.parse('2026-11-16T08:00:00Z');
    assert.equal(nextDelay({ failures: 1, retryAfter: parseRetryAfter('60', now), random: 1 }), minute);
    assert.equal(nextDelay({ failures: 2, retryAfter: parseRetryAfter('1', now), random: 0 }), 5 * minute);
    assert.equal(parseRetryAfter('Mon, 16 Nov 2026 09:00:00 GMT', now), hour);
    assert.equal(parseRetryAfter('Mon, 16 Nov 2020 09:00:00 GMT', now), 0);
    assert.equal(parseRetryAfter('99999999', now), day);
    assert.equal(parseRetryAfter('9'.repeat(400), now), day);
    for (const wrong of [undefined, '', '-5', '1.5', 'soon', '5 minutes']) assert.equal(parseRetryAfter(wrong, now), 0);
  });

  it('succeed with 2xx only', () => {
    for (const status of [200, 201, 202, 204, 299]) assert(isSuccess(status));
    for (const status of [null, 100, 199, 300, 301, 304, 307, 400, 404, 410, 429, 500, 503]) assert(!isSuccess(status));
  });

  it('end for the whole endpoint after five days of failures', () => {
    assert(!isFailingTooLong(0, 5 * day - 1));
    assert(isFailingTooLong(0, 5 * day));
  });
});
