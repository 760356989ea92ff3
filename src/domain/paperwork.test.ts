import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSameDay } from './calendar.ts';
import { type Paper, papersFor } from './paperwork.ts';
import { isOver, type Subscription } from './subscription.ts';
import type { Planned } from './subscription-changes.ts';
import { planSubscription } from './subscription-plan.ts';
import { absence, contractPlan, day, tellStories } from './testing/story.ts';
import { live, type Timeline, timeline } from './testing/timeline.ts';

const write = (papers: Paper[]) => papers.map(({ kind, about }) => `${kind} ${about}`).join(', ');

tellStories(
  {
    'confirmed at once when no contract is needed, and again when subscribed again': {
      steps: [
        ['2026-01-20', { autoSubscribe: true }, 'subscription-confirmation 2026-02-01'],
        ['2026-01-21', { autoSubscribe: true }, ''],
        ['2026-02-01', null, ''],
        ['2026-02-02', { autoSubscribe: false }, 'cancellation-confirmation 2026-03-01'],
        ['2026-03-01', null, ''],
        ['2026-03-02', { autoSubscribe: true }, 'subscription-confirmation 2026-04-01'],
      ],
    },
    'not confirmed while nothing is signed; the signature brings both papers, for the start that it lets come': {
      settings: contractPlan,
      steps: [
        ['2026-01-20', { autoSubscribe: true }, ''],
        ['2026-01-25', { employedFrom: day('2026-02-15') }, ''],
        ['2026-03-01', null, ''],
        ['2026-03-20', 'contract-accepted', 'subscription-confirmation 2026-04-01, contribution-agreement 2026-04-01'],
        ['2026-03-21', 'contract-accepted', ''],
        ['2026-03-22', { employedFrom: day('2026-04-15') }, 'subscription-confirmation 2026-05-01'],
        ['2026-05-01', null, ''],
      ],
    },
    'rejected before it was confirmed: nothing to take back': {
      settings: contractPlan,
      steps: [
        ['2026-01-20', { autoSubscribe: true }, ''],
        ['2026-01-21', 'contract-rejected', ''],
      ],
    },
    'a start that moves is confirmed anew, but not when the calendar alone moves it on': {
      steps: [
        ['2026-01-20', { autoSubscribe: true }, 'subscription-confirmation 2026-02-01'],
        ['2026-01-21', { employedFrom: day('2026-03-15') }, 'subscription-confirmation 2026-04-01'],
        ['2026-01-22', { employedFrom: null }, 'subscription-confirmation 2026-02-01'],
        // Absent without an end: the start is not known, and stays in February for now.
        ['2026-01-23', { absences: [absence('2026-01-15/')] }, ''],
        ['2026-02-01', null, ''],
        ['2026-03-15', null, ''],
        ['2026-03-16', { absences: [absence('2026-01-15/2026-05-31')] }, 'subscription-confirmation 2026-06-01'],
        // The calendar has moved the start on, and on the same day its end becomes known.
        ['2026-03-17', { absences: [absence('2026-01-15/')] }, 'subscription-confirmation 2026-04-01'],
        ['2026-05-20', { absences: [absence('2026-01-15/2026-06-30')] }, 'subscription-confirmation 2026-07-01'],
        ['2026-07-01', null, ''],
      ],
    },
    'an end is confirmed when it becomes known and when it moves, not when it arrives or is taken back': {
      steps: [
        ['2026-01-20', { autoSubscribe: true }, 'subscription-confirmation 2026-02-01'],
        ['2026-02-05', { terminatedOn: day('2026-06-30') }, 'cancellation-confirmation 2026-07-01'],
        ['2026-02-06', { terminatedOn: day('2026-05-31') }, 'cancellation-confirmation 2026-06-01'],
        // Another reason for the same date.
        ['2026-04-20', { autoSubscribe: false }, ''],
        ['2026-04-21', { terminatedOn: null, autoSubscribe: true }, ''],
        ['2026-04-22', 'cancel', 'cancellation-confirmation 2026-06-01'],
        ['2026-06-01', null, ''],
      ],
    },
    'cancelled while it waits or is paused: today': {
      steps: [
        ['2026-01-20', { autoSubscribe: true }, 'subscription-confirmation 2026-02-01'],
        ['2026-01-25', { autoSubscribe: false }, 'cancellation-confirmation 2026-01-25'],
        ['2026-01-25', { autoSubscribe: true }, 'subscription-confirmation 2026-02-01'],
        ['2026-02-05', { absences: [absence('2026-03-01/')] }, ''],
        ['2026-03-15', 'cancel', 'cancellation-confirmation 2026-03-15'],
      ],
    },
    'an end that is known from the start is no cancellation; moved, it is': {
      steps: [
        [
          '2026-01-20',
          { autoSubscribe: true, terminatedOn: day('2026-06-30') },
          'subscription-confirmation 2026-02-01',
        ],
        ['2026-03-02', { terminatedOn: day('2026-04-30') }, 'cancellation-confirmation 2026-05-01'],
      ],
    },
    'a start that moves past the end is a cancellation': {
      steps: [
        ['2026-01-20', { autoSubscribe: true }, 'subscription-confirmation 2026-02-01'],
        ['2026-01-21', { absences: [absence('2026-02-01/2026-03-31')] }, 'subscription-confirmation 2026-04-01'],
        ['2026-01-22', { terminatedOn: day('2026-04-30') }, 'cancellation-confirmation 2026-05-01'],
        ['2026-01-23', { absences: [absence('2026-02-01/2026-04-30')] }, 'cancellation-confirmation 2026-01-23'],
      ],
    },
    'a signature withdrawn while tickets run, and given again': {
      settings: contractPlan,
      steps: [
        ['2026-01-20', { autoSubscribe: true }, ''],
        ['2026-01-21', 'contract-accepted', 'subscription-confirmation 2026-02-01, contribution-agreement 2026-02-01'],
        ['2026-02-11', 'contract-rejected', 'cancellation-confirmation 2026-04-01'],
        ['2026-02-12', 'contract-accepted', 'subscription-confirmation 2026-02-01, contribution-agreement 2026-02-01'],
      ],
    },
    'a signature given again while another reason to end is left': {
      settings: contractPlan,
      steps: [
        ['2026-01-20', { autoSubscribe: true }, ''],
        ['2026-01-21', 'contract-accepted', 'subscription-confirmation 2026-02-01, contribution-agreement 2026-02-01'],
        ['2026-02-11', 'contract-rejected', 'cancellation-confirmation 2026-04-01'],
        ['2026-02-12', { terminatedOn: day('2026-06-30') }, ''],
        [
          '2026-02-13',
          'contract-accepted',
          'subscription-confirmation 2026-02-01, contribution-agreement 2026-02-01, cancellation-confirmation 2026-07-01',
        ],
      ],
    },
    'what was late: the end has come and the next beginning is known at once': {
      steps: [
        ['2026-01-20', { autoSubscribe: true }, 'subscription-confirmation 2026-02-01'],
        ['2026-02-05', { offboarded: true }, 'cancellation-confirmation 2026-03-01'],
        ['2026-03-15', { offboarded: false, terminatedOn: day('2026-05-31') }, 'subscription-confirmation 2026-04-01'],
      ],
    },
    'pauses are not put on paper': {
      steps: [
        ['2026-01-20', { autoSubscribe: true }, 'subscription-confirmation 2026-02-01'],
        ['2026-02-05', { absences: [absence('2026-03-01/2026-04-30')] }, ''],
        ['2026-03-01', null, ''],
        ['2026-05-01', null, ''],
        ['2026-05-02', 'person-pause', ''],
        ['2026-06-02', 'person-resume', ''],
      ],
    },
  },
  ({ before, subscription, changes }) => write(papersFor(before, subscription, changes)),
);

const always = (witness: (life: Timeline) => void) => fc.assert(fc.property(timeline, witness), { numRuns: 1000 });

const isUnsigned = ({ contractStatus }: Subscription) => contractStatus === 'pending' || contractStatus === 'rejected';

/** What a paper says, as a property of the subscription. */
function isTrueOf({ kind, about }: Paper, subscription: Subscription): boolean {
  const { status, startOn, cancelledOn, contractStatus } = subscription;
  switch (kind) {
    case 'subscription-confirmation':
      return !isOver(status) && !isUnsigned(subscription) && isSameDay(startOn, about);
    case 'contribution-agreement':
      return contractStatus === 'accepted' && isSameDay(startOn, about);
    case 'cancellation-confirmation':
      return isSameDay(cancelledOn, about);
  }
}

test('planning again gives no papers', () => {
  always((life) =>
    live(life, {
      evening: (subscription, facts, today) => {
        const again = planSubscription(subscription, facts, today, life.settings);
        assert.deepEqual(papersFor(subscription, again.subscription, again.changes), []);
      },
    }),
  );
});

/** So a paper is asked for again only after something has made it untrue in between. */
test('a paper is asked for when what it says becomes true, and never by the calendar alone', () => {
  always((life) =>
    live(life, {
      planned: (before, { subscription, changes }) => {
        for (const paper of papersFor(before, subscription, changes)) {
          assert.ok(isTrueOf(paper, subscription) && !isTrueOf(paper, before), write([paper]));
        }
      },
      morning: (before, { subscription, changes }) => assert.deepEqual(papersFor(before, subscription, changes), []),
    }),
  );
});

test('the last papers tell the start and the end as they are', () => {
  always((life) => {
    const told: Record<Paper['kind'], string | null> = {
      'subscription-confirmation': null,
      'contribution-agreement': null,
      'cancellation-confirmation': null,
    };
    const witness = (before: Subscription, { subscription, changes }: Planned) => {
      const { status, startOn, cancelledOn, contractStatus } = subscription;
      if (isOver(before.status)) told['contribution-agreement'] = null;
      for (const { kind, about } of papersFor(before, subscription, changes)) told[kind] = about.toString();
      // Nobody is written about a start that the calendar moves on, nor about an end that was known before they were confirmed.
      const moves = changes.filter(({ fields }) => fields.some(({ field }) => field === 'startOn'));
      if (moves.some(({ cause }) => cause === 'calendar')) told['subscription-confirmation'] = String(startOn);
      const isFirst = isOver(before.status) || before.contractStatus === 'pending';
      if (isFirst) told['cancellation-confirmation'] = String(cancelledOn);
      else if (cancelledOn !== null) assert.equal(told['cancellation-confirmation'], cancelledOn.toString());
      if (isOver(status) || isUnsigned(subscription)) return;
      assert.equal(told['subscription-confirmation'], String(startOn));
      assert.equal(told['contribution-agreement'] !== null, contractStatus === 'accepted');
    };
    live(life, { planned: witness, morning: witness });
  });
});
