import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../../test/support/domain/runs.ts';
import { absence, active, contractPlan, runScenarios, steps } from '../../../test/support/domain/scenario.ts';
import { runTimeline, timeline } from '../../../test/support/domain/timeline.ts';
import { type Day, isBefore } from '../calendar.ts';
import type { SubscriptionStatus } from '../enums.ts';
import type { Change, Planned } from './changes.ts';
import { publicDates, publicTexts } from './public-dates.ts';
import { describeHistory } from './public-history.ts';
import { isRunning, type Subscription } from './subscription.ts';

const describe = ({ subscription }: { subscription: Subscription }): string => {
  const { upcoming, ...dates } = publicDates(subscription, isBefore);
  const parts = Object.entries(dates).flatMap(([name, date]) => (date === null ? [] : `${name}=${date}`));
  return [subscription.status, ...parts, ...(upcoming ? [`${upcoming.type} ${upcoming.at}`] : [])].join(' ');
};

const started = active.map(([date, what], index): (typeof active)[number] => [
  date,
  what,
  ['scheduled start 2026-02-01', 'active startAt=2026-02-01'][index] ?? '',
]);
const gone = { terminationDate: Temporal.PlainDate.from('2026-04-30') };

runScenarios(
  {
    'public dates: no subscription': steps`
      2026-01-20 | {} | no-subscription
    `,
    'public dates: start and end': steps`
      ${started}
      2026-03-05 | ${gone} | scheduled-cancellation startAt=2026-02-01 cancellation 2026-05-01
      2026-05-01 | | cancelled startAt=2026-02-01 cancelledAt=2026-05-01
    `,
    'public dates: two pauses': steps`
      ${started}
      2026-02-05 | absences=2026-03-01/2026-04-30,2026-07-01/2026-07-31 | scheduled-pause startAt=2026-02-01 pause 2026-03-01
      2026-03-01 | | paused startAt=2026-02-01 pausedAt=2026-03-01 resumption 2026-05-01
      # The first pause stays the last one until the second begins.
      2026-05-01 | | scheduled-pause startAt=2026-02-01 pausedAt=2026-03-01 reactivatedAt=2026-05-01 pause 2026-07-01
      2026-07-01 | | paused startAt=2026-02-01 pausedAt=2026-07-01 reactivatedAt=2026-05-01 resumption 2026-08-01
      2026-08-01 | | active startAt=2026-02-01 pausedAt=2026-07-01 reactivatedAt=2026-08-01
    `,
    'public dates: a second pause that is withdrawn': steps`
      ${started}
      2026-02-05 | absences=2026-03-01/2026-03-31,2026-07-01/2026-07-31 | scheduled-pause startAt=2026-02-01 pause 2026-03-01
      2026-04-02 | | scheduled-pause startAt=2026-02-01 pausedAt=2026-03-01 reactivatedAt=2026-04-01 pause 2026-07-01
      2026-04-03 | absences= | active startAt=2026-02-01 pausedAt=2026-03-01 reactivatedAt=2026-04-01
    `,
    'public dates: an end while a pause is planned before it': steps`
      ${started}
      2026-02-05 | ${{ absences: [absence('2026-03-01/2026-03-31')], ...gone }} | scheduled-cancellation startAt=2026-02-01 pause 2026-03-01
      2026-03-01 | | paused startAt=2026-02-01 pausedAt=2026-03-01 resumption 2026-04-01
      2026-04-01 | | scheduled-cancellation startAt=2026-02-01 pausedAt=2026-03-01 reactivatedAt=2026-04-01 cancellation 2026-05-01
    `,
    'public dates: a pause that has begun stays when it is cancelled, also on its first day': steps`
      ${started}
      2026-02-05 | pause | scheduled-pause startAt=2026-02-01 pause 2026-03-01
      2026-03-01 | cancel | cancelled startAt=2026-02-01 pausedAt=2026-03-01 cancelledAt=2026-03-01
    `,
    'public dates: a planned pause that the end overtakes never was': steps`
      ${started}
      2026-02-05 | pause | scheduled-pause startAt=2026-02-01 pause 2026-03-01
      2026-02-06 | cancel | scheduled-cancellation startAt=2026-02-01 cancellation 2026-03-01
      2026-03-01 | | cancelled startAt=2026-02-01 cancelledAt=2026-03-01
    `,
    'public dates: subscribing again': steps`
      ${started}
      2026-02-05 | cancel | scheduled-cancellation startAt=2026-02-01 cancellation 2026-03-01
      2026-03-15 | | cancelled startAt=2026-02-01 cancelledAt=2026-03-01
      2026-04-15 | subscribe | scheduled startAt=2026-02-01 cancelledAt=2026-03-01 start 2026-05-01
      2026-05-01 | | active startAt=2026-05-01 reactivatedAt=2026-05-01
    `,
    'public dates: subscribing again, withdrawn before the start': steps`
      ${started}
      2026-02-05 | cancel | scheduled-cancellation startAt=2026-02-01 cancellation 2026-03-01
      2026-04-15 | subscribe | scheduled startAt=2026-02-01 cancelledAt=2026-03-01 start 2026-05-01
      2026-04-16 | cancel | cancelled startAt=2026-02-01 cancelledAt=2026-03-01
      2026-06-16 | subscribe | scheduled startAt=2026-02-01 cancelledAt=2026-03-01 start 2026-07-01
      2026-07-01 | | active startAt=2026-07-01 reactivatedAt=2026-07-01
    `,
    'public dates: a start that waits for the contract': {
      settings: contractPlan,
      steps: steps`
      2026-01-20 | autoSubscribe=true | scheduled start 2026-02-01
      2026-02-01 | | scheduled start 2026-03-01
      2026-02-02 | contract-rejected | cancelled cancelledAt=2026-02-02
    `,
    },
  },
  describe,
);

/** Follows the changes of the status, independently of the dates of the rules. */
class Observed {
  started: Day | null = null;
  paused: Day | null = null;
  ended: Day | null = null;
  resumed: Day | null = null;
  private hasEnded = false;

  observe({ from, to, knownOn }: Change): void {
    if (from === to) return;
    if (to === 'paused') this.paused = knownOn;
    if (from === 'paused' && isRunning(to)) this.resumed = knownOn;
    if (from === 'scheduled' && isRunning(to)) {
      this.started = knownOn;
      if (this.hasEnded) this.resumed = knownOn;
    }
    if (to === 'cancelled') {
      // A new subscription that never started ends nothing.
      if (from !== 'scheduled' || this.started === null) this.ended = knownOn;
      this.hasEnded = true;
    }
  }

  shown(status: SubscriptionStatus) {
    const isOver = status === 'cancelled' || status === 'scheduled';
    const { started, paused, ended, resumed } = this;
    return [started, paused, isOver ? ended : null, resumed].map(String);
  }
}

test('public dates are the days on which the status changed, and what is upcoming comes later', () => {
  fc.assert(
    fc.property(timeline, (scenario) => {
      const observed = new Observed();
      const stored: Change[] = [];
      // What was undone has not happened: days that were reached are forgotten.
      let isUndone = false;
      const note = (_before: Subscription, { changes }: Planned) => {
        for (const change of changes) {
          observed.observe(change);
          isUndone ||= change.cause === 'undo';
        }
        stored.push(...changes);
      };
      runTimeline(scenario, {
        planned: note,
        morning: note,
        evening: (subscription, _facts, today) => {
          const { startAt, pausedAt, cancelledAt, reactivatedAt, upcoming } = publicDates(subscription, isBefore);
          assert.deepEqual(
            [startAt, pausedAt, cancelledAt, reactivatedAt].map(String),
            isUndone
              ? [startAt, pausedAt, cancelledAt, reactivatedAt].map(String)
              : observed.shown(subscription.status),
            `${today} ${subscription.status}`,
          );
          assert.ok(upcoming === null || isBefore(today, upcoming.at), `${today} ${upcoming?.at}`);
          const { status } = subscription;
          assert.equal(status.startsWith('scheduled') && upcoming === null, false);
          if (status === 'active' || status === 'cancelled' || status === 'no-subscription')
            assert.equal(upcoming, null);
          // The texts of the database give the same.
          const texts = JSON.parse(JSON.stringify(subscription));
          assert.deepEqual(JSON.parse(JSON.stringify(publicDates(subscription, isBefore))), publicTexts(texts));
        },
      });
    }),
    { numRuns: runsOf(1000) },
  );
});

test('the history leads from nothing to the present dates, in the words of the API', () => {
  fc.assert(
    fc.property(timeline, (scenario) => {
      const stored: Change[] = [];
      let present: Subscription | undefined;
      const note = (_before: Subscription, { subscription, changes }: Planned) => {
        stored.push(...changes);
        present = subscription;
      };
      runTimeline(scenario, { planned: note, morning: note });
      const shown: Record<string, unknown> = {
        ...{ startAt: null, pausedAt: null, cancelledAt: null, reactivatedAt: null, upcoming: null },
      };
      for (const { field, from, to } of describeHistory(stored).flat()) {
        if (field.startsWith('plan.')) continue;
        assert.deepEqual(shown[field], from, field);
        shown[field] = to;
      }
      assert.ok(present);
      assert.deepEqual(shown, publicTexts(JSON.parse(JSON.stringify(present))));
    }),
    { numRuns: runsOf(500) },
  );
});
