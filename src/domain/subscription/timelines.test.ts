import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../../test/support/domain/runs.ts';
import { runTimeline, type Timeline, timeline } from '../../../test/support/domain/timeline.ts';
import { type Day, firstOfMonth, firstOfNextMonth, isBefore } from '../calendar.ts';
import { advance } from './advance.ts';
import type { Change, Planned } from './changes.ts';
import { planRemovalDate, planSubscription } from './plan.ts';
import { type Facts, isRunning, type Subscription, statusOf } from './subscription.ts';
import { nextTicketOn, ticketDue } from './tickets.ts';
import { isTransition } from './transitions.ts';

const json = (value: unknown) => JSON.stringify(value);

/** Checks 1,000 random timelines. A failure names the seed that repeats it. */
const always = (witness: (scenario: Timeline) => void) =>
  fc.assert(fc.property(timeline, witness), { numRuns: runsOf(1000) });

/** Checks the dates that the contract's table allows for each status, independently of the implementation. */
function assertDatesFit(subscription: Subscription, today: Day): void {
  const { status, startOn, pausedOn, resumesOn, cancelledOn, reactivatedOn } = subscription;
  const dates = [startOn, pausedOn, resumesOn, cancelledOn, reactivatedOn];
  const has = (day: Day | null) => day !== null && !isBefore(today, day);
  const will = (day: Day | null) => day !== null && isBefore(today, day);
  const isResumed =
    reactivatedOn !== null && has(reactivatedOn) && pausedOn !== null && isBefore(pausedOn, reactivatedOn);
  const isPauseOver = pausedOn === null || isResumed;
  const fits: Record<Subscription['status'], boolean> = {
    'no-subscription': dates.every((day) => day === null),
    scheduled: will(startOn) && !has(cancelledOn) && !will(pausedOn) && resumesOn === null,
    active: has(startOn) && isPauseOver && resumesOn === null && cancelledOn === null,
    'scheduled-pause': has(startOn) && will(pausedOn) && cancelledOn === null,
    paused: has(startOn) && has(pausedOn) && !isPauseOver && !has(resumesOn) && !has(cancelledOn),
    'scheduled-cancellation': has(startOn) && will(cancelledOn) && (isPauseOver || will(pausedOn)),
    cancelled: has(cancelledOn) && dates.every((day) => day === null || has(day)),
  };
  assert.ok(fits[status], `${status} does not fit ${dates.join(', ')} on ${today}`);
  for (const day of [startOn, pausedOn, resumesOn, reactivatedOn]) assert.ok(day === null || day.day === 1);
  if (status !== 'cancelled') assert.ok(cancelledOn === null || cancelledOn.day === 1);
}

function assertChangesTellAll(before: Subscription, { subscription, changes }: Planned): void {
  const reported = JSON.parse(json(before));
  for (const { cause, rule, from, to, fields, knownOn, effectiveOn } of changes) {
    assert.equal(from, reported.status);
    assert.ok(isTransition(cause, from, to), `${cause}: ${from} to ${to} (${rule.sentence})`);
    assert.ok(!isBefore(effectiveOn, knownOn), rule.sentence);
    for (const change of fields) {
      if (change.field === 'past') continue;
      assert.deepEqual(reported[change.field], change.from);
      reported[change.field] = change.to;
    }
    reported.status = to;
  }
  assert.deepEqual(
    {
      ...reported,
      autoSubscribe: subscription.autoSubscribe,
      employedFrom: JSON.parse(json(subscription.employedFrom)),
      // Only readers need them: src/domain/subscription/public-dates.test.ts.
      past: JSON.parse(json(subscription.past)),
    },
    JSON.parse(json(subscription)),
  );
}

test('only transitions of the table occur, and the changes are complete', () => {
  always((scenario) => runTimeline(scenario, { planned: assertChangesTellAll, morning: assertChangesTellAll }));
});

test('the stored status is the derived one on every day, and its dates are those of the contract', () => {
  always((scenario) =>
    runTimeline(scenario, {
      evening: (subscription, _facts, today) => {
        assert.equal(subscription.status, statusOf(subscription, today));
        assertDatesFit(subscription, today);
      },
    }),
  );
});

test('planning again changes nothing, on the same day and on every later one', () => {
  always((scenario) =>
    runTimeline(scenario, {
      evening: (subscription, facts, today) => {
        const again = planSubscription(subscription, facts, today, scenario.settings);
        assert.equal(json(again), json({ subscription, changes: [] }), `${today}`);
      },
    }),
  );
});

test('catching up at once equals running day by day', () => {
  always((scenario) => {
    let left: Subscription | undefined;
    let changes: Change[] = [];
    runTimeline(scenario, {
      planned: (_before, { subscription }) => {
        left = subscription;
        changes = [];
      },
      morning: (_before, { subscription, changes: today }, facts, day) => {
        changes.push(...today);
        if (left !== undefined) assert.equal(json(advance(left, facts, day)), json({ subscription, changes }));
      },
    });
  });
});

test('the next ticket is the one that is issued when nothing else becomes known', () => {
  always((scenario) =>
    runTimeline(scenario, {
      planned: (_before, planned, facts, today) => {
        let { subscription } = planned;
        let issued: Day | null = null;
        let month = firstOfNextMonth(today);
        for (let months = 0; months < 18 && issued === null; months++, month = firstOfNextMonth(month)) {
          subscription = advance(subscription, facts, month).subscription;
          if (ticketDue(subscription, month)) issued = month;
        }
        assert.equal(String(nextTicketOn(planned.subscription, facts, today)), String(issued));
      },
    }),
  );
});

test('a run that comes late issues the same tickets', () => {
  always((scenario) => {
    let isIssued: boolean | undefined;
    runTimeline(scenario, {
      morning: (_before, { subscription }, _facts, today) => {
        if (today.day === 1) isIssued = ticketDue(subscription, today);
      },
      evening: (subscription, _facts, today) => {
        if (isIssued !== undefined) assert.equal(ticketDue(subscription, firstOfMonth(today)), isIssued, `${today}`);
      },
    });
  });
});

test('a missing employee is removed immediately, or when the last ticket ends', () => {
  always((scenario) => {
    let knownBefore: Facts | undefined;
    runTimeline(scenario, {
      planned: (_before, { subscription }, facts, today) => {
        const removal = planRemovalDate(subscription, facts, today);
        if (!facts.offboarded) assert.equal(removal, null);
        else if (isRunning(subscription.status)) assert.equal(String(removal), String(subscription.cancelledOn));
        else if (knownBefore?.offboarded !== true) assert.equal(String(removal), String(today));
        else assert.ok(removal !== null);
        knownBefore = facts;
      },
    });
  });
});
