import assert from 'node:assert/strict';
import { test } from 'node:test';
import { absence, contractPlan, day, nothingKnown } from '../../../test/support/domain/scenario.ts';
import { advance } from './advance.ts';
import { planSubscription } from './plan.ts';
import { type Facts, noSubscription, type Settings } from './subscription.ts';

const settings: Settings = {
  cutOffDay: 10,
  planType: 'fully-subsidized-plan',
  contributionCents: null,
  joining: 'roster',
};

/**
 * Returns the explanation of each change: when it was known, when it takes effect, the cause, the rule and its
 * sentence.
 */
const why = ({ changes }: ReturnType<typeof advance>) =>
  changes.map(
    ({ knownOn, effectiveOn, cause, rule }) => `${knownOn} ${effectiveOn} ${cause} ${rule.id}: ${rule.sentence}`,
  );

const known: Facts = { ...nothingKnown, autoSubscribe: true };
const scheduled = planSubscription(noSubscription(settings), known, day('2026-01-20'), settings);
const running = advance(scheduled.subscription, known, day('2026-02-01')).subscription;

const plan = (facts: Partial<Facts>, today: string) =>
  planSubscription(running, { ...known, ...facts }, day(today), settings);

test('every change has a reason', () => {
  const table: [ReturnType<typeof advance>, string[]][] = [
    [
      scheduled,
      ['2026-01-20 2026-02-01 subscribe start-next-month: Starts on 1 February 2026, with the next whole month.'],
    ],
    [
      plan({ terminationDate: day('2026-11-15') }, '2026-11-10'),
      [
        '2026-11-10 2026-12-01 termination end-after-termination: ' +
          'Employment ends on 15 November 2026: ends after 30 November 2026, with the ticket of that month.',
      ],
    ],
    [
      plan({ terminationDate: day('2026-11-15') }, '2026-11-11'),
      [
        '2026-11-11 2027-01-01 termination end-after-cut-off: Employment ends on 15 November 2026, known on the 11th, ' +
          'after the cut-off on the 10th: takes effect on 1 January 2027 instead of 1 December 2026.',
      ],
    ],
    [
      plan({ absences: [absence('2026-11-20/2027-02-03')] }, '2026-11-22'),
      [
        '2026-11-22 2027-01-01 absence pause-after-cut-off: Absent for whole months, known on the 22nd, ' +
          'after the cut-off on the 10th: takes effect on 1 January 2027 instead of 1 December 2026.',
      ],
    ],
    [
      plan({ absences: [absence('2026-11-20/2027-02-03')] }, '2026-11-03'),
      [
        '2026-11-03 2026-12-01 absence pause-whole-months: ' +
          'Absent for whole months: paused from 1 December 2026 until tickets resume on 1 February 2027.',
      ],
    ],
    [
      plan({ offboarded: true }, '2026-11-03'),
      [
        '2026-11-03 2026-12-01 offboard end-at-earliest: ' +
          "No longer in the roster: ends after 30 November 2026, with the current month's ticket.",
      ],
    ],
    [
      planSubscription(scheduled.subscription, { ...known, autoSubscribe: false }, day('2026-01-21'), settings),
      [
        '2026-01-21 2026-01-21 opt-out end-without-ticket: Opted out in the HR ' +
          'system: no ticket is running or planned, so it ends today.',
      ],
    ],
    [
      planSubscription(
        noSubscription(settings),
        { ...known, employedFrom: day('2026-03-02'), absences: [absence('2026-04-01/2026-04-30')] },
        day('2026-01-20'),
        settings,
      ),
      [
        '2026-01-20 2026-05-01 subscribe start-after-absence: ' +
          'Absent for whole months before: starts on 1 May 2026, the first month that is not wholly covered.',
      ],
    ],
  ];
  for (const [planned, sentences] of table) assert.deepEqual(why(planned), sentences);
});

test('a start that waits for a signature is explained every month', () => {
  const company = { ...settings, ...contractPlan };
  const { subscription } = planSubscription(noSubscription(company), known, day('2026-11-20'), company);
  assert.deepEqual(why(advance(subscription, known, day('2027-01-15'))), [
    '2026-12-01 2027-01-01 calendar start-awaits-contract: ' +
      'The contract is not accepted yet: the start is postponed to 1 January 2027.',
    '2027-01-01 2027-02-01 calendar start-awaits-contract: ' +
      'The contract is not accepted yet: the start is postponed to 1 February 2027.',
  ]);
});
