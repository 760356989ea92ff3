import type { Day } from '../calendar.ts';
import { type Planned, record } from './changes.ts';
import { type NewNotSubscribedReason, notSubscribedRule } from './rules.ts';
import { firstStart } from './start.ts';
import { type Facts, isRequestedByRoster, isUnsubscribed, type Settings, type Subscription } from './subscription.ts';
import { mayStart } from './who-wins.ts';

type Joining = Pick<Settings, 'joining'>;

/** Returns why there is no subscription, or null if there is one or its end explains it. */
export function whyNotSubscribed(
  subscription: Subscription,
  facts: Facts,
  today: Day,
  settings: Joining,
): NewNotSubscribedReason | null {
  const { status, cancelCauses } = subscription;
  if (!isUnsubscribed(status) || facts.offboarded) return null;
  const isRequested = isRequestedByRoster(facts, settings);
  const refusal = mayStart(subscription, facts, today).roster;
  if (status === 'no-subscription') {
    if (facts.autoSubscribe === false) return 'opted-out';
    return isRequested ? 'employment-ends' : 'not-requested';
  }
  if (facts.autoSubscribe !== true) return null;
  if (isRequested && (refusal === 'ended-by-employee' || refusal === 'ended-by-company')) {
    // The end explains it, unless the roster has changed since.
    return subscription.autoSubscribe === true ? null : refusal;
  }
  if (cancelCauses.some((cause) => cause !== 'opt-out' && cause !== 'offboard')) return null;
  if (!isRequested) return 'not-requested';
  return refusal === 'employment-ends' ? refusal : null;
}

export function explainNone(planned: Planned, facts: Facts, today: Day, settings: Joining): Planned {
  const reason = whyNotSubscribed(planned.subscription, facts, today, settings);
  if (reason === null) return planned;
  const rule = notSubscribedRule(reason, firstStart(planned.subscription, facts, today), facts, settings);
  const why = { knownOn: today, effectiveOn: today, cause: 'not-subscribed', rule } as const;
  return record(planned, why, { notSubscribedBecause: reason });
}
