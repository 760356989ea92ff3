import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../test/support/domain/runs.ts';
import { contractPlan, day, runScenarios, type Scenario, steps } from '../../test/support/domain/scenario.ts';
import { overYears, runTimeline, type Timeline, timeline } from '../../test/support/domain/timeline.ts';
import { type Day, isBefore, isDue } from './calendar.ts';
import { derivePlan, type EmployeeState, emptyEmployee, planDay } from './employee.ts';
import { planRemovalDate, planSubscription } from './subscription/plan.ts';
import { statusOf } from './subscription/subscription.ts';
import { nextTicketOn, nextTicketSeenOn } from './subscription/tickets.ts';

const json = (value: unknown) => JSON.stringify(value);

/** Returns a stored employee as loaded on a later day. */
const seenOn = (stored: EmployeeState, today: Day): EmployeeState => ({
  ...stored,
  nextTicketOn: nextTicketSeenOn(stored.nextTicketOn, today),
});

/**
 * Runs an employee who is processed only on events and on due days, beside a subscription that the calendar advances
 * every day. Returns the number of days in total and of those on which the employee had to be processed.
 */
function keep(scenario: Timeline): { looks: number; days: number } {
  const count = { looks: 0, days: 0 };
  let stored = emptyEmployee(scenario.settings);
  runTimeline(scenario, {
    planned: (before, planned, facts, today) => {
      // So a plan for one holds for the other.
      assert.equal(json(stored.subscription), json(before));
      const known = seenOn(stored, today);
      stored = derivePlan(known, { ...known, facts }, planned, today).employee;
    },
    morning: (_before, _lived, _facts, today) => {
      const hasEvent = isDue(stored.dueOn, today);
      const { employee, changes, subscriptionChanges, documents } = planDay(seenOn(stored, today), today);
      if (hasEvent) stored = employee;
      else assert.deepEqual([...changes, ...subscriptionChanges, ...documents], [], `${today}`);
      count.looks += Number(hasEvent);
      count.days++;
    },
    evening: (subscription, facts, today) => {
      assert.equal(stored.subscription.status, statusOf(subscription, today), `${today}`);
      const next = nextTicketSeenOn(stored.nextTicketOn, today);
      assert.equal(String(next), String(nextTicketOn(subscription, facts, today)), `${today}`);
      const removesOn = planRemovalDate(subscription, facts, today);
      assert.equal(stored.isRemoved, isDue(removesOn, today), `${today}`);
      if (!stored.isRemoved) assert.equal(String(stored.removesOn), String(removesOn));
      assert.ok(stored.dueOn === null || isBefore(today, stored.dueOn), `${today}`);
    },
  });
  return count;
}

test('somebody removed before the start gets the confirmation of the end', () => {
  const settings = {
    cutOffDay: 10,
    planType: 'fully-subsidized-plan',
    contributionCents: null,
    joining: 'roster',
  } as const;
  const [today, later] = [day('2026-01-20'), day('2026-01-25')];
  const empty = emptyEmployee(settings);
  const subscribed = { ...empty.facts, autoSubscribe: true };
  const plan = (known: EmployeeState, facts: typeof subscribed, on: Day) =>
    derivePlan(known, { ...known, facts }, planSubscription(known.subscription, facts, on, settings), on);
  const { employee } = plan(empty, subscribed, today);
  const removal = plan(employee, { ...subscribed, offboarded: true }, later);
  assert.equal(removal.employee.isRemoved, true);
  assert.deepEqual(
    removal.documents.map(({ kind, about }) => `${kind} ${about}`),
    ['cancellation-confirmation 2026-01-25'],
  );
});

test('an employee processed only on due days is as up to date as one processed every day', () => {
  const total = { looks: 0, days: 0 };
  // Timelines over years have few due days. Timelines over months have many events close together.
  const timelines = fc.oneof({ weight: 10, arbitrary: timeline }, { weight: 1, arbitrary: overYears(timeline) });
  const witness = (scenario: Timeline) => {
    const { looks, days } = keep(scenario);
    total.looks += looks;
    total.days += days;
  };
  fc.assert(fc.property(timelines, witness), { numRuns: runsOf(1100) });
  assert.ok(total.looks * 20 < total.days, `${total.looks} looks in ${total.days} days`);
});

const running: Scenario['steps'] = [
  ['2026-01-20', { autoSubscribe: true }, '2026-02-01'],
  ['2026-02-01', null, 'null'],
];

runScenarios(
  {
    'due: nothing while it runs without planned changes': steps`
      ${running}
      2026-02-02 | autoSubscribe=true | null
    `,
    'due: every first of a month while the contract is pending': {
      settings: contractPlan,
      steps: steps`
      2026-01-20 | autoSubscribe=true | 2026-02-01
      2026-02-01 | | 2026-03-01
      2026-02-15 | contract-accepted | 2026-03-01
      2026-03-01 | | null
    `,
    },
    'due: every first of a month while an absence without an end delays the start, else the start': steps`
      2026-01-20 | autoSubscribe=true absences=2026-01-15/ | 2026-02-01
      2026-02-01 | | 2026-03-01
      2026-02-15 | absences=2026-01-15/2026-05-31 | 2026-06-01
      2026-06-01 | | null
    `,
    'due: a month before a distant end, when the last ticket is issued, then the end': steps`
      ${running}
      2026-02-05 | terminationDate=2026-06-30 | 2026-06-01
      2026-06-01 | | 2026-07-01
      2026-07-01 | | null
    `,
    'due: only the end if the last ticket is already issued': steps`
      ${running}
      2026-02-05 | cancel | 2026-03-01
      2026-03-01 | | null
    `,
    'due: a month before a pause, the pause, and the resumption': steps`
      ${running}
      2026-02-05 | absences=2026-05-01/2026-07-31 | 2026-04-01
      2026-04-01 | | 2026-05-01
      2026-05-01 | | 2026-08-01
      2026-08-01 | | null
    `,
    'due: nothing while paused until further notice': steps`
      ${running}
      2026-02-05 | pause | 2026-03-01
      2026-03-01 | | null
      2026-04-15 | resume | 2026-05-01
      2026-05-01 | | null
    `,
    'due: the pause before a known end, and the end during the pause': steps`
      ${running}
      2026-02-05 | absences=2026-03-01/ terminationDate=2026-06-30 | 2026-03-01
      2026-03-01 | | 2026-06-01
      2026-06-01 | | 2026-07-01
      2026-07-01 | | null
    `,
    'due: the removal of an employee who leaves, and nothing after it': steps`
      ${running}
      2026-02-15 | offboarded=true | 2026-03-01
      2026-03-01 | | 2026-04-01
      2026-04-01 | | null
    `,
    'due: nothing after the cancellation': steps`
      2026-01-20 | autoSubscribe=true | 2026-02-01
      2026-01-21 | cancel | null
    `,
  },
  ({ subscription, facts, today }) =>
    String(planDay({ ...emptyEmployee(subscription), subscription, facts }, today).employee.dueOn),
);
