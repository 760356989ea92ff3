import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { runsOf } from '../../test/support/domain/runs.ts';
import { contractPlan, runScenarios, steps } from '../../test/support/domain/scenario.ts';
import { runTimeline, type Timeline, timeline } from '../../test/support/domain/timeline.ts';
import { type Day, isSameDay } from './calendar.ts';
import { type PlannedDocument, planDocuments, type SubscriptionSnapshot } from './documents.ts';
import type { Change, Planned } from './subscription/changes.ts';
import { planSubscription } from './subscription/plan.ts';
import {
  type Facts,
  isRunning,
  isUnsubscribed,
  noSubscription,
  type Subscription,
} from './subscription/subscription.ts';
import { nextTicketOn, ticketDue } from './subscription/tickets.ts';

const write = (documents: PlannedDocument[]) => documents.map(({ kind, about }) => `${kind} ${about}`).join(', ');

runScenarios(
  {
    'confirmed at once if no contract is needed, and again after a new subscription': steps`
      2026-01-20 | autoSubscribe=true | subscription-confirmation 2026-02-01
      2026-01-21 | autoSubscribe=true |
      2026-02-01 | |
      2026-02-02 | autoSubscribe=false | cancellation-confirmation 2026-03-01
      2026-03-01 | |
      2026-03-02 | autoSubscribe=true | subscription-confirmation 2026-04-01
    `,
    'not confirmed before the contract is signed; the signature creates both documents, for the start that it allows': {
      settings: contractPlan,
      steps: steps`
      2026-01-20 | autoSubscribe=true |
      2026-01-25 | employedFrom=2026-02-15 |
      2026-03-01 | |
      2026-03-20 | contract-accepted | subscription-confirmation 2026-04-01, contribution-agreement 2026-04-01
      2026-03-21 | contract-accepted |
      2026-03-22 | employedFrom=2026-04-15 | subscription-confirmation 2026-05-01
      2026-05-01 | |
    `,
    },
    'rejected before it was confirmed: nothing to withdraw': {
      settings: contractPlan,
      steps: steps`
      2026-01-20 | autoSubscribe=true |
      2026-01-21 | contract-rejected |
    `,
    },
    'a start that moves is confirmed again': steps`
      2026-01-20 | autoSubscribe=true | subscription-confirmation 2026-02-01
      2026-01-21 | employedFrom=2026-03-15 | subscription-confirmation 2026-04-01
      2026-01-22 | employedFrom=null | subscription-confirmation 2026-02-01
      2026-01-23 | absences=2026-01-15/2026-03-31 | subscription-confirmation 2026-04-01
      2026-04-01 | |
    `,
    'subscribed during an absence without an end: confirmed when the end is known, even after the start was postponed': steps`
      2026-01-20 | autoSubscribe=true absences=2026-01-15/ |
      2026-01-21 | autoSubscribe=true |
      2026-02-01 | |
      2026-03-15 | |
      # The absence now ends before the end of March: the start in April stays and is now certain.
      2026-03-16 | absences=2026-01-15/2026-03-20 | subscription-confirmation 2026-04-01
      2026-03-17 | absences=2026-01-15/ |
      # The calendar has moved the start on, and on the same day another start becomes known.
      2026-05-20 | absences=2026-01-15/2026-06-30 | subscription-confirmation 2026-07-01
      2026-07-01 | |
    `,
    'an absence without an end delays a confirmed start: confirmed again when its date is known, even if it is the same': steps`
      2026-01-20 | autoSubscribe=true | subscription-confirmation 2026-02-01
      2026-01-21 | absences=2026-01-15/ |
      2026-01-22 | absences= | subscription-confirmation 2026-02-01
    `,
    'ended while an absence without an end delays the start: no confirmed start has to be withdrawn': steps`
      2026-01-20 | autoSubscribe=true absences=2026-01-15/ |
      2026-01-21 | terminationDate=2026-06-30 |
      2026-01-22 | terminationDate=null |
      2026-03-15 | cancel |
    `,
    'an absence without an end that arrives with the termination ends a confirmed start': steps`
      2026-01-20 | autoSubscribe=true | subscription-confirmation 2026-02-01
      2026-01-21 | absences=2026-01-15/ terminationDate=2026-06-30 | cancellation-confirmation 2026-01-21
    `,
    'signed while an absence without an end delays the start: agreement at once, confirmation when the start is known':
      {
        settings: contractPlan,
        steps: steps`
      2026-01-20 | autoSubscribe=true absences=2026-01-15/ |
      2026-01-21 | contract-accepted | contribution-agreement 2026-02-01
      2026-03-15 | |
      2026-03-16 | absences= | subscription-confirmation 2026-04-01
    `,
      },
    'an end is confirmed when it becomes known and when it moves, not when it is reached or withdrawn': steps`
      2026-01-20 | autoSubscribe=true | subscription-confirmation 2026-02-01
      2026-02-05 | terminationDate=2026-06-30 | cancellation-confirmation 2026-07-01
      2026-02-06 | terminationDate=2026-05-31 | cancellation-confirmation 2026-06-01
      # Another reason for the same date.
      2026-04-20 | autoSubscribe=false |
      2026-04-21 | terminationDate=null autoSubscribe=true |
      2026-04-22 | cancel | cancellation-confirmation 2026-06-01
      2026-06-01 | |
    `,
    'cancelled while scheduled or paused: today': steps`
      2026-01-20 | autoSubscribe=true | subscription-confirmation 2026-02-01
      2026-01-25 | autoSubscribe=false | cancellation-confirmation 2026-01-25
      2026-01-25 | autoSubscribe=true | subscription-confirmation 2026-02-01
      2026-02-05 | absences=2026-03-01/ |
      2026-03-15 | cancel | cancellation-confirmation 2026-03-15
    `,
    'an end that is known from the start is no cancellation, unless it moves': steps`
      2026-01-20 | autoSubscribe=true terminationDate=2026-06-30 | subscription-confirmation 2026-02-01
      2026-03-02 | terminationDate=2026-04-30 | cancellation-confirmation 2026-05-01
    `,
    'a start that moves past the end is a cancellation': steps`
      2026-01-20 | autoSubscribe=true | subscription-confirmation 2026-02-01
      2026-01-21 | absences=2026-02-01/2026-03-31 | subscription-confirmation 2026-04-01
      2026-01-22 | terminationDate=2026-04-30 | cancellation-confirmation 2026-05-01
      2026-01-23 | absences=2026-02-01/2026-04-30 | cancellation-confirmation 2026-01-23
    `,
    'a contract rejected while tickets are issued, and accepted again': {
      settings: contractPlan,
      steps: steps`
      2026-01-20 | autoSubscribe=true |
      2026-01-21 | contract-accepted | subscription-confirmation 2026-02-01, contribution-agreement 2026-02-01
      2026-02-11 | contract-rejected | cancellation-confirmation 2026-04-01
      2026-02-12 | contract-accepted | contribution-agreement 2026-02-01
    `,
    },
    'a contract accepted again while another reason to end remains': {
      settings: contractPlan,
      steps: steps`
      2026-01-20 | autoSubscribe=true |
      2026-01-21 | contract-accepted | subscription-confirmation 2026-02-01, contribution-agreement 2026-02-01
      2026-02-11 | contract-rejected | cancellation-confirmation 2026-04-01
      2026-02-12 | terminationDate=2026-06-30 |
      2026-02-13 | contract-accepted | contribution-agreement 2026-02-01, cancellation-confirmation 2026-07-01
    `,
    },
    'a late run: the end is reached, and the next start is known at once, with a fixed term': steps`
      2026-01-20 | autoSubscribe=true | subscription-confirmation 2026-02-01
      2026-02-05 | offboarded=true | cancellation-confirmation 2026-03-01
      2026-03-15 | offboarded=false terminationDate=2026-05-31 | subscription-confirmation 2026-04-01
    `,
    'pauses create no document': steps`
      2026-01-20 | autoSubscribe=true | subscription-confirmation 2026-02-01
      2026-02-05 | absences=2026-03-01/2026-04-30 |
      2026-03-01 | |
      2026-05-01 | |
      2026-05-02 | pause |
      2026-06-02 | resume |
    `,
  },
  ({ before, changes, ...after }) => write(planDocuments(before, after, changes)),
);

interface Look {
  before: SubscriptionSnapshot;
  after: SubscriptionSnapshot;
  documents: PlannedDocument[];
  changes: readonly Change[];
  isCalendar: boolean;
  facts: Facts;
  today: Day;
}

/** Checks every event and every morning of 1,000 timelines, with a new check per timeline. */
function always(lookAt: (scenario: Timeline) => (look: Look) => void): void {
  const witness = (scenario: Timeline) => {
    const look = lookAt(scenario);
    let before: SubscriptionSnapshot = { subscription: noSubscription(scenario.settings), nextTicketOn: null };
    const note = (isCalendar: boolean) => (_: Subscription, planned: Planned, facts: Facts, today: Day) => {
      const { subscription, changes } = planned;
      const after = { subscription, nextTicketOn: nextTicketOn(subscription, facts, today) };
      look({ before, after, documents: planDocuments(before, after, changes), changes, isCalendar, facts, today });
      before = after;
    };
    runTimeline(scenario, { planned: note(false), morning: note(true) });
  };
  fc.assert(fc.property(timeline, witness), { numRuns: runsOf(1000) });
}

/** Returns whether this subscription has a known start, past or future. */
const knowsStart = ({ subscription: { status }, nextTicketOn: next }: SubscriptionSnapshot) =>
  isRunning(status) || status === 'paused' || (status === 'scheduled' && next !== null);

/** Returns whether the statement of a document holds for the subscription. */
function isTrueOf({ kind, about }: PlannedDocument, snapshot: SubscriptionSnapshot): boolean {
  const { startOn, cancelledOn, contractStatus } = snapshot.subscription;
  switch (kind) {
    case 'subscription-confirmation':
      return knowsStart(snapshot) && isSameDay(startOn, about);
    case 'contribution-agreement':
      return contractStatus === 'accepted' && isSameDay(startOn, about);
    case 'cancellation-confirmation':
      return isSameDay(cancelledOn, about);
  }
}

test('planning again creates no documents', () => {
  always(({ settings }) => ({ after, facts, today }) => {
    const { subscription, changes } = planSubscription(after.subscription, facts, today, settings);
    const again = { subscription, nextTicketOn: nextTicketOn(subscription, facts, today) };
    assert.deepEqual(planDocuments(after, again, changes), []);
  });
});

/** So a document is requested again only after a change has made its statement untrue in between. */
test('a document is created when its content becomes true, and never by the calendar alone', () => {
  always(() => ({ before, after, documents, isCalendar }) => {
    if (isCalendar) assert.deepEqual(documents, []);
    for (const document of documents)
      assert.ok(isTrueOf(document, after) && !isTrueOf(document, before), write([document]));
  });
});

test('a start that is confirmed is the day of the first ticket, as long as nothing else becomes known', () => {
  always(() => {
    let confirmed: string | null = null;
    return ({ before, after, documents, isCalendar, today }) => {
      if (!isCalendar) confirmed = null;
      for (const { kind, about } of documents) if (kind === 'subscription-confirmation') confirmed = about.toString();
      if (confirmed !== null && confirmed === today.toString()) {
        assert.equal(before.subscription.status, 'scheduled');
        assert.ok(ticketDue(after.subscription, today));
      }
    };
  });
});

test('the last documents state the actual start and end', () => {
  always(() => {
    const confirmed: Record<PlannedDocument['kind'], string | null> = {
      'subscription-confirmation': null,
      'contribution-agreement': null,
      'cancellation-confirmation': null,
    };
    let signed: string | null = null;
    return ({ before, after, documents, changes }) => {
      const { startOn, cancelledOn, contractStatus } = after.subscription;
      // The agreement of a subscription that goes on, because its end was undone, stands.
      const goesOn = changes.some(({ cause }) => cause === 'undo');
      if (isUnsubscribed(before.subscription.status)) confirmed['contribution-agreement'] = goesOn ? signed : null;
      for (const { kind, about } of documents) confirmed[kind] = about.toString();
      signed = confirmed['contribution-agreement'] ?? signed;
      // An end that was known before the start was known is not confirmed in a document.
      if (!knowsStart(before)) confirmed['cancellation-confirmation'] = String(cancelledOn);
      else if (cancelledOn !== null) assert.equal(confirmed['cancellation-confirmation'], cancelledOn.toString());
      if (!knowsStart(after)) return;
      assert.equal(confirmed['subscription-confirmation'], String(startOn));
      assert.equal(confirmed['contribution-agreement'] !== null, contractStatus !== null);
    };
  });
});
