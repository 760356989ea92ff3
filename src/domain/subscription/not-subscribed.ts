import type { Day } from '../calendar.ts';
import type { NotSubscribedReason } from '../enums.ts';
import { type Planned, record } from './changes.ts';
import { notSubscribedRule } from './rules.ts';
import { firstStart, leavesMonth } from './start.ts';
import { type Facts, isUnsubscribed, type Subscription } from './subscription.ts';

/** Returns why there is no subscription, or null if there is one or its end explains it. */
export function whyNotSubscribed(subscription: Subscription, facts: Facts, today: Day): NotSubscribedReason | null {
  const { status, cancelCauses, pauseRequested } = subscription;
  if (!isUnsubscribed(status) || facts.offboarded) return null;
  if (status === 'no-subscription') {
    if (facts.autoSubscribe === null) return 'not-requested';
    return facts.autoSubscribe ? 'employment-ends' : 'opted-out';
  }
  const isExplained = ['cancel', 'contract-rejected', 'termination'].some((cause) =>
    cancelCauses.some((one) => one === cause),
  );
  if (facts.autoSubscribe !== true || isExplained) return null;
  if (pauseRequested) return 'pause-requested';
  return leavesMonth(facts, firstStart(facts, today)) ? null : 'employment-ends';
}

export function explainNone(planned: Planned, facts: Facts, today: Day): Planned {
  const reason = whyNotSubscribed(planned.subscription, facts, today);
  if (reason === null) return planned;
  const rule = notSubscribedRule(reason, firstStart(facts, today), facts);
  const why = { knownOn: today, effectiveOn: today, cause: 'not-subscribed', rule } as const;
  return record(planned, why, { notSubscribedBecause: reason });
}
