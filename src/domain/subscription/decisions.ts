import type { Day } from '../calendar.ts';
import { advance } from './advance.ts';
import { type Planned, record } from './changes.ts';
import { planDates } from './plan.ts';
import { contractAccepted } from './rules.ts';
import { firstStart, leavesMonth, subscribe } from './start.ts';
import { type Facts, isUnsubscribed, type Settings, type Subscription } from './subscription.ts';
import { type Decision, isPossible } from './transitions.ts';

/** Why a decision cannot be applied, and what to do instead. */
export interface Refusal {
  code:
    | 'not-possible-in-this-status'
    | 'no-contract'
    | 'not-in-roster'
    | 'opted-out'
    | 'employment-ends'
    | 'pause-follows-absence';
  sentence: string;
}

export interface DecisionPlan extends Planned {
  refusal: Refusal | null;
}

function refusalOf(subscription: Subscription, decision: Decision, facts: Facts, today: Day): Refusal | null {
  const { status, contractStatus, pauseRequested } = subscription;
  if (!isPossible(decision, status)) {
    return {
      code: 'not-possible-in-this-status',
      sentence: `This is not possible while the subscription is ${status}.`,
    };
  }
  switch (decision) {
    case 'subscribe':
      if (facts.offboarded) {
        return {
          code: 'not-in-roster',
          sentence: 'The employee is no longer in the roster. Add them to the roster first.',
        };
      }
      if (facts.autoSubscribe === false) {
        const sentence = 'The employee is opted out in the HR system. Change this in the HR system first.';
        return { code: 'opted-out', sentence };
      }
      if (isUnsubscribed(status) && !leavesMonth(facts, firstStart(facts, today))) {
        return {
          code: 'employment-ends',
          sentence:
            'Employment ends before a ticket could be issued. Correct the termination date in the HR system first.',
        };
      }
      return null;
    case 'contract-accepted':
    case 'contract-rejected':
      return contractStatus === null
        ? { code: 'no-contract', sentence: 'The plan of this employee needs no contract.' }
        : null;
    case 'resume':
      return pauseRequested
        ? null
        : {
            code: 'pause-follows-absence',
            sentence: 'The pause is caused by an absence or a later start date. Change it in the HR system.',
          };
    default:
      return null;
  }
}

/** Plans a user's decision about one subscription, by the same rules as facts from the HR system. */
export function planDecision(
  current: Subscription,
  decision: Decision,
  { facts, today, settings }: { facts: Facts; today: Day; settings: Settings },
): DecisionPlan {
  let planned = advance(current, facts, today);
  const refusal = refusalOf(planned.subscription, decision, facts, today);
  if (refusal !== null) return { ...planned, refusal };
  const { subscription } = planned;
  if (decision === 'subscribe' && isUnsubscribed(subscription.status))
    planned = subscribe(planned, facts, today, settings);
  if (decision === 'contract-accepted') {
    const rule = contractAccepted(subscription);
    const why = { knownOn: today, effectiveOn: today, cause: decision, rule };
    planned = record(planned, why, { contractStatus: 'accepted' });
  }
  const { cutOffDay } = settings;
  return { ...planDates(planned, { facts, today, cutOffDay, decision }), refusal: null };
}
