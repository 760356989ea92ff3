import type { Day } from '../calendar.ts';
import { advance } from './advance.ts';
import type { Planned } from './changes.ts';
import { planEnd } from './end.ts';
import { explainNone } from './not-subscribed.ts';
import { planPause } from './pause.ts';
import { firstStart, leavesMonth, planStart, subscribe } from './start.ts';
import { type Facts, isUnsubscribed, type PlanningInput, type Settings, type Subscription } from './subscription.ts';

/**
 * Whether the word of the HR system subscribes one who has no subscription. It is repeated with every roster, so it
 * does not undo what people decided since: a rejected contract, a cancellation or pause on request. Said anew, it does.
 */
function shouldSubscribe(subscription: Subscription, facts: Facts, today: Day): boolean {
  if (facts.autoSubscribe !== true || facts.offboarded || !isUnsubscribed(subscription.status)) return false;
  if (!leavesMonth(facts, firstStart(facts, today))) return false;
  const { autoSubscribe, cancelCauses, pauseRequested } = subscription;
  const isDeclined = pauseRequested || cancelCauses.includes('cancel') || cancelCauses.includes('contract-rejected');
  return autoSubscribe !== true || !isDeclined;
}

/** Start, pauses and end of a subscription by what is known. */
export function planDates(planned: Planned, situation: PlanningInput): Planned {
  const started = planStart(planned, situation.facts, situation.today);
  return planEnd(planPause(started, situation), situation);
}

/**
 * What follows for a subscription from what is known of the person. Planning again changes nothing, on the same day and
 * on any later one: dates that are planned already stand for the day on which their cause became known.
 *
 * Days that were missed are lived through first, with the facts given here. Whoever knows that facts are new today calls
 * `advance` with the old ones before.
 */
export function planSubscription(current: Subscription, facts: Facts, today: Day, settings: Settings): Planned {
  const present = advance(current, facts, today);
  const isSaidAnew = facts.autoSubscribe === true && current.autoSubscribe !== true;
  const subscribed = shouldSubscribe(present.subscription, facts, today)
    ? subscribe(present, facts, today, settings)
    : present;
  const { autoSubscribe, employedFrom } = facts;
  const decision = isSaidAnew ? 'subscribe' : null;
  const dated = planDates(subscribed, { facts, today, cutOffDay: settings.cutOffDay, decision });
  const { subscription, changes } = explainNone(dated, facts, today);
  return { subscription: { ...subscription, autoSubscribe, employedFrom }, changes };
}

/**
 * When somebody who is absent from the roster is removed: at once when no ticket is running, else when the end takes effect.
 * Null: they stay.
 */
export function planRemovalDate({ status, cancelledOn }: Subscription, facts: Facts, today: Day): Day | null {
  if (!facts.offboarded) return null;
  return isUnsubscribed(status) ? today : cancelledOn;
}
