import type { Day } from '../calendar.ts';
import type { ContractDecision } from '../enums.ts';
import { advance } from './advance.ts';
import { type Planned, record } from './changes.ts';
import { planDates } from './plan.ts';
import { acceptNextPlan, dropNextPlan } from './plan-change.ts';
import { type Refusal, refuse } from './refusals.ts';
import { contractAccepted } from './rules.ts';
import type { Consent, Facts, Settings, Subscription } from './subscription.ts';
import { isPossible } from './transitions.ts';

/** What is known when a request or a decision is planned. */
export interface DecisionContext {
  facts: Facts;
  today: Day;
  settings: Settings;
  /** How the employee agreed, if that is known. */
  consent?: Consent | undefined;
}

export interface DecisionPlan extends Planned {
  refusal: Refusal | null;
}

export function acceptContract(planned: Planned, today: Day, consent: Consent | undefined): Planned {
  const rule = contractAccepted(planned.subscription, consent);
  const why = { knownOn: today, effectiveOn: today, cause: 'contract-accepted', rule } as const;
  return record(planned, why, { contractStatus: 'accepted' });
}

/** Plans what an employee has decided about their contract, by the same rules as facts from the HR system. */
export function planContractDecision(
  current: Subscription,
  decision: ContractDecision,
  { facts, today, settings: { cutOffDay }, consent }: DecisionContext,
): DecisionPlan {
  const planned = advance(current, facts, today);
  const { subscription } = planned;
  const { nextPlan } = subscription;
  if (nextPlan !== null && subscription.contractStatus === 'pending') {
    const decidedPlan =
      decision === 'contract-accepted'
        ? acceptNextPlan(planned, nextPlan, today)
        : dropNextPlan(planned, 'rejected', today);
    return { ...decidedPlan, refusal: null };
  }
  if (!isPossible(decision, subscription.status)) {
    return { ...planned, refusal: refuse('not-possible-in-this-status', subscription) };
  }
  if (subscription.contractStatus === null) return { ...planned, refusal: refuse('no-contract', subscription) };
  const isContractRejected = decision === 'contract-rejected';
  const decided = isContractRejected ? planned : acceptContract(planned, today, consent);
  return { ...planDates(decided, { facts, today, cutOffDay, isContractRejected }), refusal: null };
}
