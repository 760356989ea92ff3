import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findRosterDue } from './rhythm.ts';

const start = Temporal.Instant.from('2026-11-02T02:00:00Z'); // A Monday.
const after = (hours: readonly number[]) => hours.map((hour) => start.add({ hours: hour }));
const dueAfter = (hours: readonly number[]) => {
  const due = findRosterDue(after(hours));
  return due?.since(start.add({ hours: Math.max(...hours) })).total('hours');
};
const every = (hours: number, count: number) => Array.from({ length: count }, (_, index) => index * hours);

describe('the rhythm of rosters', () => {
  it('is unknown before the sixth roster', () => {
    assert.equal(findRosterDue([]), undefined);
    assert.equal(dueAfter(every(24, 5)), undefined);
    assert.equal(dueAfter(every(24, 6)), 36);
  });

  it('allows half an interval more, at least six hours and at most twelve', () => {
    assert.equal(dueAfter(every(1, 20)), 7);
    assert.equal(dueAfter(every(16, 20)), 24);
    assert.equal(dueAfter(every(24 * 7, 20)), 24 * 7 + 12);
  });

  it('knows weekends', () => {
    const workdays = every(24, 30).filter((hour) => (hour / 24) % 7 < 5);
    assert.equal(dueAfter(workdays.slice(0, 6)), 84, 'after the first weekend');
    for (let count = 7; count < 20; count++) assert.equal(dueAfter(workdays.slice(0, count)), 84, `${count} rosters`);
  });

  it('forgets one outage and repeated rosters', () => {
    const outage = [...every(24, 6), ...every(24, 6).map((hour) => hour + 24 * 15)];
    assert.equal(dueAfter(outage), 36);
    const repeated = [...every(24, 12), 24 * 11 + 1];
    assert.equal(dueAfter(repeated), 36);
  });

  it('does not depend on the order', () => {
    assert.deepEqual(findRosterDue(after(every(24, 8)).reverse()), findRosterDue(after(every(24, 8))));
  });
});
