import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FailedPull, planAfterFailure } from './failure.ts';
import { hintedPullTime, isNightlyTime, nextPullTime, nightOf } from './schedule.ts';

const at = (text: string) => Temporal.Instant.from(text);
const berlin = { nightlyTime: '02:30', timeZone: 'Europe/Berlin', every: 'nightly' } as const;

describe('the nightly time', () => {
  it('is by the clock of the company, also when that is changed', () => {
    const next = (now: string) => nextPullTime(at(now), berlin).toString();
    assert.equal(next('2026-11-16T01:29:59Z'), '2026-11-16T01:30:00Z');
    assert.equal(next('2026-11-16T01:30:00Z'), '2026-11-17T01:30:00Z');
    // 02:30 does not exist on this day, and exists twice on the other.
    assert.equal(next('2026-03-28T12:00:00Z'), '2026-03-29T01:30:00Z');
    assert.equal(next('2026-10-24T12:00:00Z'), '2026-10-25T00:30:00Z');
    assert.equal(next('2026-10-25T00:30:00Z'), '2026-10-26T01:30:00Z');
  });

  it('belongs to one night until the next one', () => {
    assert.equal(nightOf(at('2026-11-16T01:29:59Z'), berlin).toString(), '2026-11-15');
    assert.equal(nightOf(at('2026-11-16T01:30:00Z'), berlin).toString(), '2026-11-16');
    assert.equal(nightOf(at('2026-11-16T23:30:00Z'), berlin).toString(), '2026-11-16');
    assert.deepEqual(['02:00', '23:59', '24:00', '2:00', ''].map(isNightlyTime), [true, true, false, false, false]);
  });
});

describe('a schedule of hours', () => {
  const next = (every: 'hourly' | 'every-three-hours', now: string) =>
    nextPullTime(at(now), { ...berlin, every }).toString();

  it('counts from the nightly time, and begins again with it', () => {
    assert.equal(next('hourly', '2026-11-16T01:30:00Z'), '2026-11-16T02:30:00Z');
    assert.equal(next('hourly', '2026-11-16T12:31:07Z'), '2026-11-16T13:30:00Z');
    assert.equal(next('every-three-hours', '2026-11-16T01:29:59Z'), '2026-11-16T01:30:00Z');
    assert.equal(next('every-three-hours', '2026-11-16T01:30:00Z'), '2026-11-16T04:30:00Z');
    assert.equal(next('every-three-hours', '2026-11-16T23:00:00Z'), '2026-11-17T01:30:00Z');
    // A day of 25 hours has one interval more, which the next night cuts short.
    assert.equal(next('every-three-hours', '2026-10-26T00:30:00Z'), '2026-10-26T01:30:00Z');
  });

  it('is brought forward by a hint, but not within five minutes of the last pull', () => {
    const now = at('2026-11-16T12:00:00Z');
    const due = (last: string | null) => hintedPullTime(now, last === null ? null : at(last)).toString();
    assert.deepEqual(
      [due(null), due('2026-11-16T11:55:00Z'), due('2026-11-16T11:58:30Z')],
      ['2026-11-16T12:00:00Z', '2026-11-16T12:00:00Z', '2026-11-16T12:03:30Z'],
    );
  });
});

describe('a pull that failed', () => {
  const failed: FailedPull = {
    code: 'unreachable',
    now: at('2026-11-16T01:00:00Z'),
    attempts: 0,
    refusedAt: null,
    retryAfterMillis: undefined,
    nextScheduled: at('2026-11-17T01:00:00Z'),
  };
  const minutes = (plan: { nextPullAt: Temporal.Instant | null }) =>
    plan.nextPullAt === null ? null : failed.now.until(plan.nextPullAt).total('minutes');

  it('is repeated with growing delays, not later than the next nightly time', () => {
    const delays = [0, 1, 2, 3, 4, 5, 6, 50].map((attempts) => minutes(planAfterFailure({ ...failed, attempts })));
    assert.deepEqual(delays, [5, 10, 20, 40, 80, 160, 240, 240]);
    assert.equal(minutes(planAfterFailure({ ...failed, retryAfterMillis: 3_600_000 })), 60);
    const soon = at('2026-11-16T01:02:00Z');
    assert.equal(minutes(planAfterFailure({ ...failed, nextScheduled: soon })), 2);
    const asked = { code: 'rate-limited', retryAfterMillis: 3_600_000, nextScheduled: soon } as const;
    assert.equal(minutes(planAfterFailure({ ...failed, ...asked })), 60, 'as long as the HR system asks');
  });

  it('makes the integration invalid if credentials are refused again an hour later', () => {
    const refused = { ...failed, code: 'credentials-refused' } as const;
    const first = planAfterFailure(refused);
    assert.deepEqual([minutes(first), first.isInvalid], [60, false]);
    const soon = planAfterFailure({ ...refused, refusedAt: at('2026-11-16T00:30:00Z') });
    assert.deepEqual([minutes(soon), soon.isInvalid], [30, false]);
    const later = planAfterFailure({ ...refused, refusedAt: at('2026-11-16T00:00:00Z') });
    assert.deepEqual([later.nextPullAt, later.isInvalid], [null, true]);
  });

  it('forgets a refusal only when the credentials were accepted', () => {
    const refusedAt = at('2026-11-16T00:00:00Z');
    assert.equal(planAfterFailure({ ...failed, refusedAt }).refusedAt, refusedAt);
    assert.equal(planAfterFailure({ ...failed, refusedAt, code: 'incomplete' }).refusedAt, null);
  });
});
