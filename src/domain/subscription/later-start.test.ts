import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../../test/support/domain/runs.ts';
import { absence, active, day, runScenarios, steps } from '../../../test/support/domain/scenario.ts';
import { runTimeline, timeline } from '../../../test/support/domain/timeline.ts';
import { type Day, earliestEffect, firstOfMonthOnOrAfter, isBefore } from '../calendar.ts';
import { ticketlessMonths } from '../ticketless-months.ts';
import { nothingRequested } from './requested.ts';
import { isRunning, type Subscription } from './subscription.ts';
import { ticketDue } from './tickets.ts';

const later = { employedFrom: day('2026-04-15') };
const moved = 'scheduled-pause start=2026-02-01 pause=2026-03-01 resume=2026-05-01 next=2026-05-01';
const paused = 'paused start=2026-02-01 pause=2026-03-01 resume=2026-05-01 next=2026-05-01';

runScenarios({
  'later start: known in time, paused from the next month until the first that begins on or after it': steps`
    ${active}
    2026-02-10 | ${later} | ${moved}
    2026-03-01 | | ${paused}
    2026-05-01 | | active start=2026-02-01 pause=2026-03-01 again=2026-05-01 next=2026-06-01
  `,
  'later start: known after the cut-off': steps`
    ${active}
    2026-02-11 | employedFrom=2026-05-01 | scheduled-pause start=2026-02-01 pause=2026-04-01 resume=2026-05-01 next=2026-03-01
  `,
  'later start: known after the cut-off, so that no month is left to pause': steps`
    ${active}
    2026-02-11 | employedFrom=2026-03-15 | active start=2026-02-01 next=2026-03-01
  `,
  'later start: within the running month, or on the first of the next, nothing changes': steps`
    ${active}
    2026-02-03 | employedFrom=2026-02-28 | active start=2026-02-01 next=2026-03-01
    2026-02-04 | employedFrom=2026-03-01 | active start=2026-02-01 next=2026-03-01
  `,
  'later start: moves back before the pause': steps`
    ${active}
    2026-02-10 | ${later} | ${moved}
    # After the cut-off: a change that is planned but not yet in effect can be withdrawn on any day.
    2026-02-20 | employedFrom=2026-02-15 | active start=2026-02-01 next=2026-03-01
  `,
  'later start: moves back while paused, resumes with the next month': steps`
    ${active}
    2026-02-10 | ${later} | ${moved}
    2026-03-12 | employedFrom=null | paused start=2026-02-01 pause=2026-03-01 resume=2026-04-01 next=2026-04-01
  `,
  'later start: moves to a later day while paused, without cut-off': steps`
    ${active}
    2026-02-10 | ${later} | ${moved}
    2026-03-12 | employedFrom=2026-06-02 | paused start=2026-02-01 pause=2026-03-01 resume=2026-07-01 next=2026-07-01
  `,
  'later start: an absence that follows it belongs to the same pause': steps`
    ${active}
    2026-02-10 | ${{ ...later, absences: [absence('2026-04-20/2026-06-30')] }} | scheduled-pause start=2026-02-01 pause=2026-03-01 resume=2026-07-01 next=2026-07-01
    2026-03-02 | absences= | ${paused}
  `,
  'later start: an absence after a month of work is a separate pause': steps`
    ${active}
    2026-02-10 | ${{ ...later, absences: [absence('2026-06-01/2026-06-30')] }} | ${moved}
    2026-05-01 | | scheduled-pause start=2026-02-01 pause=2026-06-01 resume=2026-07-01 again=2026-05-01 next=2026-07-01
  `,
  'later start: a termination after it, then one before it': steps`
    ${active}
    2026-02-09 | ${later} | ${moved}
    2026-02-10 | terminationDate=2026-06-30 | scheduled-cancellation start=2026-02-01 pause=2026-03-01 resume=2026-05-01 end=2026-07-01 next=2026-05-01
    2026-03-02 | terminationDate=2026-04-20 | paused start=2026-02-01 pause=2026-03-01 resume=2026-05-01 end=2026-05-01
    2026-05-01 | | cancelled start=2026-02-01 pause=2026-03-01 end=2026-05-01
  `,
  'later start: a requested pause takes precedence; the later start applies after it': steps`
    ${active}
    2026-02-08 | pause | scheduled-pause start=2026-02-01 pause=2026-03-01
    2026-02-09 | ${later} | scheduled-pause start=2026-02-01 pause=2026-03-01
    2026-02-20 | resume | ${moved}
    # The pause now results from the start date, so a user cannot end it.
    2026-03-02 | resume | ${paused}
  `,
});

runScenarios(
  {
    'later start: the reasons of each change': steps`
      2026-01-20 | autoSubscribe=true | subscribe start-next-month Starts on 1 February 2026, with the next whole month.
      2026-02-01 | | calendar start-has-come The subscription starts as planned on 1 February 2026.
      2026-02-10 | ${later} | start pause-until-employment Employed from 15 April 2026 only: paused from 1 March 2026 until tickets resume on 1 May 2026.
      2026-02-11 | employedFrom=null | start pause-taken-back There is no longer a reason for a pause: the pause planned for 1 March 2026 is withdrawn.
      2026-02-12 | employedFrom=2026-05-01 | start pause-after-cut-off Employed from 1 May 2026 only, known on the 12th, after the cut-off on the 10th: takes effect on 1 April 2026 instead of 1 March 2026.
      2026-04-02 | employedFrom=2026-06-01 | calendar pause-has-come The pause begins as planned on 1 April 2026 and lasts until tickets resume on 1 May 2026.; start resumption-known Tickets resume on 1 June 2026, the first possible month.
      2026-04-03 | employedFrom=2026-04-01 | start resumption-known Tickets resume on 1 May 2026, the first possible month.
    `,
  },
  ({ changes }) => changes.map(({ cause, rule }) => `${cause} ${rule.id} ${rule.sentence}`).join('; '),
);

test('no ticket is issued for a month before the first day of work that was known in time', () => {
  const check = (scenario: Parameters<typeof runTimeline>[0]) => {
    let employedFrom: Day | null = null;
    let since: Day | null = null;
    runTimeline(scenario, {
      planned: (_before, _planned, facts, today) => {
        if (String(facts.employedFrom) === String(employedFrom)) return;
        employedFrom = facts.employedFrom;
        since = earliestEffect(today, scenario.settings.cutOffDay);
      },
      morning: (_before, { subscription }: { subscription: Subscription }, facts, today) => {
        if (today.day !== 1 || facts.employedFrom === null || since === null || isBefore(today, since)) return;
        if (!isBefore(today, firstOfMonthOnOrAfter(facts.employedFrom))) return;
        assert.ok(!ticketDue(subscription, today), `${today}, employed from ${facts.employedFrom}`);
        assert.ok(!isRunning(subscription.status));
      },
    });
  };
  fc.assert(fc.property(timeline, check), { numRuns: runsOf(1000) });
});

test('months without a ticket are apart from each other, oldest first', () => {
  const months = ticketlessMonths(nothingRequested, {
    employedFrom: day('2026-03-15'),
    absences: [
      absence('2026-09-01/2026-09-30'),
      absence('2025-01-01/2025-02-28'),
      absence('2026-03-20/2026-05-31'),
      absence('2026-07-01/2026-07-31'),
    ],
  });
  assert.deepEqual(
    months.map(({ from, until }) => `${from}/${until}`),
    ['0001-01-01/2026-06-01', '2026-07-01/2026-08-01', '2026-09-01/2026-10-01'],
  );
});
