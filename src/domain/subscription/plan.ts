import type { Day } from '../calendar.ts';
import { advance } from './advance.ts';
import type { Planned } from './changes.ts';
import { planEnd } from './end.ts';
import { explainNone } from './not-subscribed.ts';
import { planPause } from './pause.ts';
import type { PlanningInput } from './planning.ts';
import { planStart, subscribe } from './start.ts';
import { type Facts, isRequestedByRoster, isUnsubscribed, type Settings, type Subscription } from './subscription.ts';
import { mayStart } from './who-wins.ts';

/** Returns whether a roster subscribes somebody. */
const shouldSubscribe = (subscription: Subscription, facts: Facts, today: Day, settings: Settings): boolean =>
  isRequestedByRoster(facts, settings) &&
  isUnsubscribed(subscription.status) &&
  mayStart(subscription, facts, today).roster === null;

export const planDates = (planned: Planned, situation: PlanningInput): Planned =>
  planEnd(planPause(planStart(planned, situation), situation), situation);

/**
 * Plans a subscription by the known facts about the employee. Planning again changes nothing, on the same day or on any
 * later one: dates that are already planned stand for the day on which their cause became known.
 *
 * Missed days are processed first, with the facts given here. A caller with facts that are new today must first call
 * `advance` with the old ones.
 */
export function planSubscription(current: Subscription, facts: Facts, today: Day, settings: Settings): Planned {
  const present = advance(current, facts, today);
  const subscribed = shouldSubscribe(present.subscription, facts, today, settings)
    ? subscribe(present, { facts, today }, settings)
    : present;
  const { autoSubscribe, employedFrom } = facts;
  const dated = planDates(subscribed, { facts, today, cutOffDay: settings.cutOffDay });
  const { subscription, changes } = explainNone(dated, facts, today, settings);
  return { subscription: { ...subscription, autoSubscribe, employedFrom }, changes };
}

/** Returns when an employee who is absent from the roster is removed: with the last ticket. Null: they stay. */
export function planRemovalDate({ status, cancelledOn }: Subscription, facts: Facts, today: Day): Day | null {
  if (!facts.offboarded) return null;
  return isUnsubscribed(status) ? today : cancelledOn;
}
