import type { Day } from '../calendar.ts';
import { createMessage, formatMessage, type Message } from '../messages/message.ts';
import { advance } from './advance.ts';
import { type Planned, record } from './changes.ts';
import { planDates } from './plan.ts';
import { contractAccepted } from './rules.ts';
import { firstStart, leavesMonth, subscribe } from './start.ts';
import { type Consent, type Facts, isUnsubscribed, type Settings, type Subscription } from './subscription.ts';
import { type Decision, isPossible } from './transitions.ts';

type RefusalCode =
  | 'not-possible-in-this-status'
  | 'no-contract'
  | 'not-in-roster'
  | 'opted-out'
  | 'employment-ends'
  | 'pause-follows-absence';

export interface Refusal {
  code: RefusalCode;
  sentence: string;
  message: Message;
}

function refuse(code: RefusalCode, { status }: Subscription): Refusal {
  const message = createMessage(`refusal-${code}`, { status });
  return { code, sentence: formatMessage(message), message };
}

export interface DecisionPlan extends Planned {
  refusal: Refusal | null;
}

function refusalOf(subscription: Subscription, decision: Decision, facts: Facts, today: Day): Refusal | null {
  const { status, contractStatus, pauseRequested } = subscription;
  const refused = (code: RefusalCode) => refuse(code, subscription);
  if (!isPossible(decision, status)) return refused('not-possible-in-this-status');
  switch (decision) {
    case 'subscribe':
      if (facts.offboarded) return refused('not-in-roster');
      if (facts.autoSubscribe === false) return refused('opted-out');
      if (isUnsubscribed(status) && !leavesMonth(facts, firstStart(facts, today))) return refused('employment-ends');
      return null;
    case 'contract-accepted':
    case 'contract-rejected':
      return contractStatus === null ? refused('no-contract') : null;
    case 'resume':
      return pauseRequested ? null : refused('pause-follows-absence');
    default:
      return null;
  }
}

/** Plans a user's decision about one subscription, by the same rules as facts from the HR system. */
export function planDecision(
  current: Subscription,
  decision: Decision,
  { facts, today, settings, consent }: { facts: Facts; today: Day; settings: Settings; consent?: Consent | undefined },
): DecisionPlan {
  let planned = advance(current, facts, today);
  const refusal = refusalOf(planned.subscription, decision, facts, today);
  if (refusal !== null) return { ...planned, refusal };
  const { subscription } = planned;
  if (decision === 'subscribe' && isUnsubscribed(subscription.status))
    planned = subscribe(planned, facts, today, settings);
  if (decision === 'contract-accepted') {
    const rule = contractAccepted(subscription, consent);
    const why = { knownOn: today, effectiveOn: today, cause: decision, rule };
    planned = record(planned, why, { contractStatus: 'accepted' });
  }
  const { cutOffDay } = settings;
  return { ...planDates(planned, { facts, today, cutOffDay, decision }), refusal: null };
}
