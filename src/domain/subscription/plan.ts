import type { Day } from '../calendar.ts';
import { advance } from './advance.ts';
import type { Planned } from './changes.ts';
import { planEnd } from './end.ts';
import { explainNone } from './not-subscribed.ts';
import { planPause } from './pause.ts';
import { firstStart, leavesMonth, planStart, subscribe } from './start.ts';
import { type Facts, isUnsubscribed, type PlanningInput, type Settings, type Subscription } from './subscription.ts';

/** Returns whether a roster subscribes somebody. It repeats itself, so it does not override later decisions. */
function shouldSubscribe(subscription: Subscription, facts: Facts, today: Day): boolean {
  if (facts.autoSubscribe !== true || facts.offboarded || !isUnsubscribed(subscription.status)) return false;
  if (!leavesMonth(facts, firstStart(facts, today))) return false;
  const { autoSubscribe, cancelCauses, pauseRequested } = subscription;
  const isDeclined = pauseRequested || cancelCauses.includes('cancel') || cancelCauses.includes('contract-rejected');
  return autoSubscribe !== true || !isDeclined;
}

export function planDates(planned: Planned, situation: PlanningInput): Planned {
  const started = planStart(planned, situation.facts, situation.today);
  return planEnd(planPause(started, situation), situation);
}

/**
 * Plans a subscription by the known facts about the employee. Planning again changes nothing, on the same day or on any
 * later one: dates that are already planned stand for the day on which their cause became known.
 *
 * Missed days are processed first, with the facts given here. A caller with facts that are new today must first call
 * `advance` with the old ones.
 */
export function planSubscription(current: Subscription, facts: Facts, today: Day, settings: Settings): Planned {
  const present = advance(current, facts, today);
  const isNewlyRequested = facts.autoSubscribe === true && current.autoSubscribe !== true;
  const subscribed = shouldSubscribe(present.subscription, facts, today)
    ? subscribe(present, facts, today, settings)
    : present;
  const { autoSubscribe, employedFrom } = facts;
  const decision = isNewlyRequested ? 'subscribe' : null;
  const dated = planDates(subscribed, { facts, today, cutOffDay: settings.cutOffDay, decision });
  const { subscription, changes } = explainNone(dated, facts, today);
  return { subscription: { ...subscription, autoSubscribe, employedFrom }, changes };
}

/** Returns when an employee who is absent from the roster is removed: with the last ticket. Null: they stay. */
export function planRemovalDate({ status, cancelledOn }: Subscription, facts: Facts, today: Day): Day | null {
  if (!facts.offboarded) return null;
  return isUnsubscribed(status) ? today : cancelledOn;
}
