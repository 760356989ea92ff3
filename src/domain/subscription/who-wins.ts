import type { Day } from '../calendar.ts';
import { type Side, sides } from '../enums.ts';
import { requestedEnd } from './requested.ts';
import { firstStart, leavesMonth } from './start.ts';
import { type Facts, isUnsubscribed, type Subscription } from './subscription.ts';

/** Returns which sides have ended a subscription, or will. A rejected contract is an end by the employee. */
export function endedBy(subscription: Subscription): Side[] {
  const hasRejected = subscription.cancelCauses.includes('contract-rejected');
  return sides.filter((side) => requestedEnd(subscription, side) !== null || (side === 'employee' && hasRejected));
}

/** Who or what wants a subscription: a side, the company with the recorded consent of the employee, or the roster. */
type Starter = Side | 'companyWithConsent' | 'roster';

export type StartRefusal =
  | 'not-in-roster'
  | 'opted-out'
  | 'employment-ends'
  | 'ended-by-employee'
  | 'ended-by-company'
  | 'consent-required';

/**
 * States who wins (contract, section 12; docs/who-decides.md). Returns why each may not start a subscription, or take
 * back its end. Null: they may.
 *
 * Removal, the roster's `false` and the end of employment end whatever was asked for. Otherwise whoever ended it decides
 * who restarts it: an end by the company is taken back by the company, an end by the employee by the employee, or by the
 * company with recorded consent. The roster's `true` starts what nobody has ended. A rejected contract needs no other
 * consent: a new subscription waits until the employee accepts the new contract.
 */
export function mayStart(subscription: Subscription, facts: Facts, today: Day): Record<Starter, StartRefusal | null> {
  const all = (refusal: StartRefusal) => ({
    employee: refusal,
    company: refusal,
    companyWithConsent: refusal,
    roster: refusal,
  });
  if (facts.offboarded) return all('not-in-roster');
  if (facts.autoSubscribe === false) return all('opted-out');
  if (isUnsubscribed(subscription.status) && !leavesMonth(facts, firstStart(subscription, facts, today))) {
    return all('employment-ends');
  }
  const by = endedBy(subscription);
  return {
    employee: by.includes('company') ? 'ended-by-company' : null,
    company: requestedEnd(subscription, 'employee') === null ? null : 'consent-required',
    companyWithConsent: null,
    roster: by[0] === undefined ? null : `ended-by-${by[0]}`,
  };
}
