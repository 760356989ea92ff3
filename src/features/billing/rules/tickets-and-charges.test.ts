import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chargeFor } from '../../../../test/support/domain/prices.ts';
import { runsOf } from '../../../../test/support/domain/runs.ts';
import { overYears, runTimeline, timeline, timelineOfPlans } from '../../../../test/support/domain/timeline.ts';
import { type Day, firstOfMonth, firstOfNextMonth, isDue } from '../../../domain/calendar.ts';
import { advance } from '../../../domain/subscription/advance.ts';
import type { Change } from '../../../domain/subscription/changes.ts';
import { type Facts, isUnsubscribed, type Plan, type Subscription } from '../../../domain/subscription/subscription.ts';
import { ticketDue } from '../../../domain/subscription/tickets.ts';

const always = <T>(timelines: fc.Arbitrary<T>, witness: (scenario: T) => void) =>
  fc.assert(fc.property(timelines, witness), { numRuns: runsOf(1000) });

/** Every field as the recorded changes leave it. */
type Reported = Record<string, unknown>;

const applyChanges = (reported: Reported, changes: readonly Change[]) => {
  for (const { field, to } of changes.flatMap(({ fields }) => fields)) reported[field] = to;
};

/** Returns whether there is a ticket for the month that begins on `first`, by the dates alone. */
function hasTicket({ startOn, pausedOn, cancelledOn, reactivatedOn }: Reported, first: string): boolean {
  const by = (date: unknown) => typeof date === 'string' && date <= first;
  const isResumed = by(reactivatedOn) && String(pausedOn) < String(reactivatedOn);
  return by(startOn) && !by(cancelledOn) && (!by(pausedOn) || isResumed);
}

test('the recorded changes alone determine which months have a ticket', () => {
  let months = 0;
  always(fc.oneof(timeline, overYears(timeline)), (scenario) => {
    const reported: Reported = {};
    const due: string[] = [];
    const expected: string[] = [];
    runTimeline(scenario, {
      planned: (_before, { changes }) => applyChanges(reported, changes),
      morning: (_before, { subscription, changes }, _facts, today) => {
        applyChanges(reported, changes);
        if (ticketDue(subscription, firstOfMonth(today))) due.push(today.toString().slice(0, 7));
        if (today.day === 1 && hasTicket(reported, today.toString())) expected.push(today.toString().slice(0, 7));
      },
    });
    // A run on every day finds the same ticket due on each of them, beginning with the first of the month.
    const begun = scenario.begin.toString().slice(0, 7);
    assert.deepEqual(
      [...new Set(due)].filter((month) => month !== begun),
      expected,
    );
    months += expected.length;
  });
  assert.ok(months > runsOf(1000), 'many travel');
});

test('runs on few days issue the tickets and charges of runs on every day', () => {
  always(fc.tuple(overYears(timeline), fc.integer({ min: 2, max: 70 })), ([scenario, everyDays]) => {
    const daily: string[] = [];
    const late: string[] = [];
    let left: { subscription: Subscription; facts: Facts; on: Day } | undefined;
    /** Processes every missed first of a month in order, and then today. */
    const catchUp = (today: Day) => {
      if (left === undefined) return;
      const { facts } = left;
      for (let month = firstOfNextMonth(left.on); isDue(month, today); month = firstOfNextMonth(month)) {
        left.subscription = advance(left.subscription, facts, month).subscription;
        late.push(`${month} ${JSON.stringify(chargeFor(left.subscription, month))}`);
      }
      left = { subscription: advance(left.subscription, facts, today).subscription, facts, on: today };
    };
    runTimeline(scenario, {
      planned: (before, { subscription }, facts, today) => {
        catchUp(today);
        assert.equal(JSON.stringify(left?.subscription ?? before), JSON.stringify(before));
        assert.deepEqual(late, daily);
        left = { subscription, facts, on: today };
      },
      morning: (_before, { subscription }, _facts, today) => {
        if (today.day === 1) daily.push(`${today} ${JSON.stringify(chargeFor(subscription, today))}`);
        if (today.dayOfYear % everyDays === 0) catchUp(today);
      },
    });
  });
});

const plans: [Plan, ...Plan[]] = [
  { planType: 'fully-subsidized-plan', contributionCents: null },
  { planType: 'deferred-plan', contributionCents: null },
  { planType: 'split-pay-plan', contributionCents: 2000 },
  { planType: 'split-pay-plan', contributionCents: 4500 },
];

/**
 * Net, tax, gross, company share and employee share, computed by hand, by plan and by the year in which the price
 * begins.
 */
const byHand: Record<number, Record<string, readonly [number, number, number, number, number]>> = {
  2023: {
    'fully-subsidized-plan null': [4350, 305, 4655, 4655, 0],
    'deferred-plan null': [4579, 321, 4900, 0, 4900],
    'split-pay-plan 2000': [4350, 305, 4655, 2655, 2000],
    'split-pay-plan 4500': [4579, 321, 4900, 400, 4500],
  },
  2025: {
    'fully-subsidized-plan null': [5150, 360, 5510, 5510, 0],
    'deferred-plan null': [5421, 379, 5800, 0, 5800],
    'split-pay-plan 2000': [5150, 360, 5510, 3510, 2000],
    'split-pay-plan 4500': [5421, 379, 5800, 1300, 4500],
  },
  2026: {
    'fully-subsidized-plan null': [5593, 392, 5985, 5985, 0],
    'deferred-plan null': [5888, 412, 6300, 0, 6300],
    'split-pay-plan 2000': [5593, 392, 5985, 3985, 2000],
    'split-pay-plan 4500': [5593, 392, 5985, 1485, 4500],
  },
};

test('what is charged is the sum over the tickets of the price of their month for the plan they had', () => {
  let charges = 0;
  always(timelineOfPlans(...plans), (scenario) => {
    let plan: Plan = scenario.settings;
    let company: Plan = scenario.settings;
    const charged = [0, 0, 0, 0, 0];
    const expected = [0, 0, 0, 0, 0];
    runTimeline(scenario, {
      settings: (current) => {
        company = current;
      },
      // The plan is the one that the company had chosen when the employee was last subscribed.
      planned: (_before, { changes }) => {
        if (changes.some(({ from, to }) => isUnsubscribed(from) && to === 'scheduled')) plan = company;
      },
      morning: (_before, { subscription }, _facts, today) => {
        const charge = today.day === 1 ? chargeFor(subscription, today) : undefined;
        if (charge === undefined) return;
        const { netCents, taxCents, grossCents, companyShareCents, employeeShareCents } = charge;
        assert.equal(netCents + taxCents, grossCents);
        assert.equal(companyShareCents + employeeShareCents, grossCents);
        const priced = today.year < 2025 ? 2023 : Math.min(today.year, 2026);
        const row = byHand[priced]?.[`${plan.planType} ${plan.contributionCents}`] ?? [];
        for (const [index, cents] of row.entries()) expected[index] = (expected[index] ?? 0) + cents;
        for (const [index, cents] of [
          netCents,
          taxCents,
          grossCents,
          companyShareCents,
          employeeShareCents,
        ].entries()) {
          charged[index] = (charged[index] ?? 0) + cents;
        }
        charges++;
      },
    });
    assert.deepEqual(charged, expected);
  });
  assert.ok(charges > runsOf(1000), 'many are charged');
});

test('what becomes known in a month changes neither its ticket nor its charge', () => {
  always(timelineOfPlans(...plans), (scenario) => {
    let charged: string | undefined;
    runTimeline(scenario, {
      morning: (_before, { subscription }, _facts, today) => {
        if (today.day === 1) charged = String(JSON.stringify(chargeFor(subscription, today)));
      },
      evening: (subscription, _facts, today) => {
        const charge = String(JSON.stringify(chargeFor(subscription, firstOfMonth(today))));
        if (charged !== undefined) assert.equal(charge, charged, `${today}`);
      },
    });
  });
});
