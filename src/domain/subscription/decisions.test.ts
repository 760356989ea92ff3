import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planDecision } from '../../../test/support/domain/decide.ts';
import {
  absence,
  active,
  contractPlan,
  day,
  nothingKnown,
  runScenarios,
  steps,
} from '../../../test/support/domain/scenario.ts';
import { advance } from './advance.ts';
import { planSubscription } from './plan.ts';
import type { Refusal } from './refusals.ts';
import { type Facts, noSubscription, type Settings, type Subscription } from './subscription.ts';
import type { Decision } from './transitions.ts';

const settings: Settings = {
  cutOffDay: 10,
  planType: 'fully-subsidized-plan',
  contributionCents: null,
  joining: 'roster',
};
const none = noSubscription(settings);
const subscribed: Facts = { ...nothingKnown, autoSubscribe: true };
const scheduled = planSubscription(none, subscribed, day('2026-01-20'), settings).subscription;
const running = advance(scheduled, subscribed, day('2026-02-01')).subscription;

const absent: Partial<Facts> = { absences: [absence('2026-01-20/')] };

test('an impossible decision is refused with a reason and changes nothing', () => {
  const table: [Subscription, Decision, Partial<Facts>, Refusal['code']][] = [
    [none, 'cancel', {}, 'not-possible-in-this-status'],
    [none, 'pause', {}, 'not-possible-in-this-status'],
    [none, 'contract-accepted', {}, 'not-possible-in-this-status'],
    [none, 'subscribe', { offboarded: true }, 'not-in-roster'],
    [none, 'subscribe', { autoSubscribe: false }, 'opted-out'],
    [none, 'subscribe', { terminationDate: day('2026-02-28') }, 'employment-ends'],
    [scheduled, 'subscribe', {}, 'not-possible-in-this-status'],
    [none, 'resume', {}, 'not-possible-in-this-status'],
    [scheduled, 'resume', {}, 'not-paused'],
    [scheduled, 'contract-accepted', {}, 'no-contract'],
    [running, 'contract-rejected', {}, 'no-contract'],
    [running, 'resume', {}, 'not-paused'],
    [running, 'subscribe', {}, 'not-possible-in-this-status'],
    [{ ...running, pausedOn: day('2026-02-01'), status: 'paused' }, 'resume', absent, 'pause-follows-absence'],
  ];
  for (const [subscription, decision, facts, code] of table) {
    // Only a subscription that has not started yet is scheduled.
    const today = day(subscription === scheduled ? '2026-01-25' : '2026-02-15');
    const decided = planDecision(subscription, decision, { facts: { ...nothingKnown, ...facts }, today, settings });
    assert.equal(decided.refusal?.code, code, `${decision} while ${subscription.status}`);
    assert.deepEqual(decided.changes, []);
    assert.deepEqual(decided.subscription, subscription);
  }
});

runScenarios({
  'subscribed by a user while autoSyncEmployee is null': steps`
    2026-11-30 | subscribe | scheduled start=2026-12-01 next=2026-12-01
    2026-12-01 | autoSubscribe=null | active start=2026-12-01 next=2027-01-01
  `,
  'cancelled before the start: today': steps`
    2026-11-14 | subscribe | scheduled start=2026-12-01 next=2026-12-01
    2026-11-20 | cancel | cancelled end=2026-11-20
  `,
  'cancelled on request: neither a repeated nor a new true subscribes again': steps`
    ${active}
    2026-11-11 | cancel | scheduled-cancellation start=2026-02-01 end=2027-01-01 next=2026-12-01
    2026-11-12 | autoSubscribe=true | scheduled-cancellation start=2026-02-01 end=2027-01-01 next=2026-12-01
    2027-01-01 | | cancelled start=2026-02-01 end=2027-01-01
    2027-01-02 | autoSubscribe=null | cancelled start=2026-02-01 end=2027-01-01
    2027-01-03 | autoSubscribe=true | cancelled start=2026-02-01 end=2027-01-01
  `,
  'cancelled on request, and subscribed again by a user': steps`
    ${active}
    2026-11-10 | cancel | scheduled-cancellation start=2026-02-01 end=2026-12-01
    2026-11-30 | subscribe | active start=2026-02-01 next=2026-12-01
    2026-12-01 | cancel | scheduled-cancellation start=2026-02-01 end=2027-01-01
    2027-01-02 | subscribe | scheduled start=2027-02-01 again=2027-02-01 next=2027-02-01
  `,
  'a user withdraws the cancellation, but the termination stays': steps`
    ${active}
    2026-11-10 | terminationDate=2027-03-31 | scheduled-cancellation start=2026-02-01 end=2027-04-01 next=2026-12-01
    2026-11-10 | cancel | scheduled-cancellation start=2026-02-01 end=2026-12-01
    2026-11-11 | subscribe | scheduled-cancellation start=2026-02-01 end=2027-04-01 next=2026-12-01
  `,
  'paused on request: a new true does not resume it; after the end, the pause postpones the next start': steps`
    ${active}
    2026-03-02 | pause | scheduled-pause start=2026-02-01 pause=2026-04-01
    2026-03-03 | autoSubscribe=null | scheduled-pause start=2026-02-01 pause=2026-04-01
    2026-03-04 | autoSubscribe=true | scheduled-pause start=2026-02-01 pause=2026-04-01
    2026-04-02 | autoSubscribe=null | paused start=2026-02-01 pause=2026-04-01
    2026-04-03 | autoSubscribe=true | paused start=2026-02-01 pause=2026-04-01
    2026-04-04 | autoSubscribe=false | cancelled start=2026-02-01 pause=2026-04-01 end=2026-04-04
    2026-04-05 | autoSubscribe=true | scheduled start=2026-05-01 pause=2026-04-01 again=2026-05-01
    2026-05-20 | | scheduled start=2026-06-01 pause=2026-04-01 again=2026-06-01
    2026-05-21 | resume | scheduled start=2026-06-01 pause=2026-04-01 again=2026-06-01 next=2026-06-01
  `,
  'paused and resumed on request': steps`
    ${active}
    2026-11-11 | pause | scheduled-pause start=2026-02-01 pause=2027-01-01 next=2026-12-01
    2026-12-20 | resume | active start=2026-02-01 next=2027-01-01
    2027-01-10 | pause | scheduled-pause start=2026-02-01 pause=2027-02-01
    2027-03-05 | | paused start=2026-02-01 pause=2027-02-01
    2027-03-06 | resume | paused start=2026-02-01 pause=2027-02-01 resume=2027-04-01 next=2027-04-01
    2027-04-01 | | active start=2026-02-01 pause=2027-02-01 again=2027-04-01 next=2027-05-01
  `,
  'a requested pause ends, but an absence continues': steps`
    ${active}
    2026-03-02 | pause | scheduled-pause start=2026-02-01 pause=2026-04-01
    2026-04-02 | absences=2026-05-01/2026-06-30 | paused start=2026-02-01 pause=2026-04-01
    2026-04-03 | resume | paused start=2026-02-01 pause=2026-04-01 resume=2026-07-01 next=2026-07-01
  `,
  'a contract rejected while tickets are issued ends them by the cut-off; accepting it again withdraws the end': {
    settings: contractPlan,
    steps: steps`
    2026-01-20 | autoSubscribe=true | scheduled start=2026-02-01 contract=pending
    2026-01-21 | contract-accepted | scheduled start=2026-02-01 next=2026-02-01 contract=accepted
    2026-02-11 | contract-rejected | scheduled-cancellation start=2026-02-01 end=2026-04-01 next=2026-03-01 contract=rejected
    2026-02-12 | contract-accepted | active start=2026-02-01 next=2026-03-01 contract=accepted
  `,
  },
  'a contract rejected while tickets are issued: a new true does not accept it; after the end, the company subscribes anew':
    {
      settings: contractPlan,
      steps: steps`
    2026-01-20 | autoSubscribe=true | scheduled start=2026-02-01 contract=pending
    2026-01-21 | contract-accepted | scheduled start=2026-02-01 next=2026-02-01 contract=accepted
    2026-02-05 | contract-rejected | scheduled-cancellation start=2026-02-01 end=2026-03-01 contract=rejected
    2026-02-06 | autoSubscribe=null | scheduled-cancellation start=2026-02-01 end=2026-03-01 contract=rejected
    2026-02-07 | autoSubscribe=true | scheduled-cancellation start=2026-02-01 end=2026-03-01 contract=rejected
    2026-03-02 | autoSubscribe=null | cancelled start=2026-02-01 end=2026-03-01 contract=rejected
    2026-03-03 | autoSubscribe=true | cancelled start=2026-02-01 end=2026-03-01 contract=rejected
    2026-03-04 | subscribe | scheduled start=2026-04-01 again=2026-04-01 contract=pending
  `,
    },
});
