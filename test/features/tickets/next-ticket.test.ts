import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Day } from '../../../src/domain/calendar.ts';
import { derivePlan, emptyEmployee } from '../../../src/domain/employee.ts';
import { type Facts, isRunning, type Subscription } from '../../../src/domain/subscription/subscription.ts';
import { findCertainMonth } from '../../../src/features/tickets/rules/next-ticket.ts';
import { runsOf } from '../../support/domain/runs.ts';
import { absence, active, day, runScenario, steps } from '../../support/domain/scenario.ts';
import { overYears, runTimeline, timeline } from '../../support/domain/timeline.ts';

const certainMonth = (subscription: Subscription, facts: Facts, today: Day, cutOffDay = 10) => {
  const known = emptyEmployee(subscription);
  const { employee } = derivePlan(known, { ...known, facts }, { subscription, changes: [] }, today);
  return findCertainMonth(employee, today, cutOffDay)?.toString() ?? null;
};

/** Returns the certain month on a day after the steps, if nothing happens until then. */
const monthOn = (date: string, events: ReturnType<typeof steps>, cutOffDay = 10) => {
  const last = runScenario({ settings: { cutOffDay }, steps: [...active, ...events] }).at(-1);
  assert(last);
  return certainMonth(last.subscription, last.facts, day(date), cutOffDay);
};

describe('the ticket of the next month', () => {
  it('is certain from three days before it', () => {
    assert.equal(monthOn('2026-11-27', []), null);
    assert.equal(monthOn('2026-11-28', []), '2026-12-01');
    assert.equal(monthOn('2026-11-30', []), '2026-12-01');
  });

  it('is not certain before the cut-off has passed', () => {
    assert.equal(monthOn('2026-11-29', [], 29), null);
    assert.equal(monthOn('2026-11-30', [], 29), '2026-12-01');
    // In a month of 30 days, every day is in time.
    assert.equal(monthOn('2026-11-30', [], 31), null);
  });

  it('is certain although the subscription ends or pauses later', () => {
    assert.equal(monthOn('2026-11-30', steps`2026-11-20 | cancel | scheduled-cancellation`), '2026-12-01');
    assert.equal(monthOn('2026-11-30', steps`2026-11-20 | pause | scheduled-pause`), '2026-12-01');
  });

  it('does not exist if the subscription ends or pauses before it', () => {
    assert.equal(monthOn('2026-11-30', steps`2026-11-05 | cancel | scheduled-cancellation`), null);
    assert.equal(monthOn('2026-11-30', steps`2026-11-05 | pause | scheduled-pause`), null);
    const absent = { absences: [absence('2026-12-01/2026-12-31')] };
    assert.equal(monthOn('2026-11-30', steps`2026-11-05 | ${absent} | scheduled-pause`), null);
    assert.equal(monthOn('2026-11-30', steps`2026-11-20 | ${{ offboarded: true }} | scheduled-cancellation`), null);
  });

  it('is not certain while the subscription is to start or to resume: both can still be taken back', () => {
    const [scheduled] = runScenario({ steps: active.slice(0, 1) });
    assert(scheduled);
    assert.equal(certainMonth(scheduled.subscription, scheduled.facts, day('2026-01-30')), null);
    const resuming = steps`
      2026-10-05 | pause  | scheduled-pause
      2026-11-01 |        | paused
      2026-11-20 | resume | paused`;
    assert.equal(monthOn('2026-11-30', resuming), null);
  });

  it('is the one that the daily run issues, whatever happens meanwhile', () => {
    let handedOut = 0;
    const certain = (scenario: Parameters<typeof runTimeline>[0]) => {
      let expected: string | null = null;
      runTimeline(scenario, {
        evening(subscription, facts, today) {
          const month = certainMonth(subscription, facts, today, scenario.settings.cutOffDay);
          if (expected !== null) assert(month === expected || facts.offboarded, `${expected} is not certain any more`);
          expected = month ?? expected;
        },
        morning(_before, { subscription }, _facts, today) {
          if (today.day !== 1) return;
          if (expected !== null) {
            handedOut++;
            assert.equal(today.toString(), expected);
            assert(isRunning(subscription.status), `the ticket of ${expected} was handed out, but is not issued`);
          }
          expected = null;
        },
      });
    };
    fc.assert(fc.property(fc.oneof(timeline, overYears(timeline)), certain), { numRuns: runsOf(3_000) });
    assert(handedOut > 100, `only ${handedOut} tickets were handed out ahead`);
  });
});
