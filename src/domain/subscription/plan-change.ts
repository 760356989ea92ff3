import type { Day } from '../calendar.ts';
import type { Plan } from '../policies.ts';
import { type Planned, record } from './changes.ts';
import { planChangeAccepted, planChangeAnnounced, planChangeDropped, planChanged, planChangeOffered } from './rules.ts';
import { isUnsubscribed, type NextPlan, needsContract, type Subscription } from './subscription.ts';
import type { Cause } from './transitions.ts';

interface ProposedPlan {
  plan: Plan;
  from: Day;
  changeId: number;
  /** The employee pays more. */
  needsAgreement: boolean;
}

const whyOn = (today: Day, effectiveOn: Day) => ({
  ...{ knownOn: today, effectiveOn },
  cause: 'plan-change' satisfies Cause as Cause,
});

/** Returns the plan that an employee is asked about, or has: an open one before the present one. */
export const offeredPlan = ({ nextPlan, planType, contributionCents }: Subscription): Plan =>
  nextPlan ?? { planType, contributionCents };

/**
 * Plans a new plan for a subscription. A higher share needs an agreement: the contract is pending again, and the plan stays
 * until it is accepted. Where nobody has agreed to anything yet, the new plan replaces the old one at once. The same again
 * changes nothing.
 */
export function proposePlan(current: Subscription, { plan, from, changeId, needsAgreement }: ProposedPlan, today: Day) {
  const planned: Planned = { subscription: current, changes: [] };
  const { nextPlan, contractStatus, status } = current;
  if (isUnsubscribed(status) || nextPlan?.changeId === changeId) return planned;
  if (contractStatus === 'pending' && nextPlan === null) {
    const rule = planChanged(today);
    const patch = { ...plan, contractStatus: needsContract(plan.planType) ? ('pending' as const) : null };
    return record(planned, { ...whyOn(today, today), rule }, patch);
  }
  const contractBefore = nextPlan ? nextPlan.contractBefore : contractStatus;
  const rule = needsAgreement ? planChangeOffered(from) : planChangeAnnounced(from);
  return record(
    planned,
    { ...whyOn(today, from), rule },
    {
      nextPlan: { ...plan, from: from.toString(), changeId, contractBefore },
      contractStatus: needsAgreement ? 'pending' : contractBefore,
    },
  );
}

/** Applies the new plan when its month begins, unless nobody has agreed to it. */
export function applyNextPlan(planned: Planned, today: Day): Planned {
  const { nextPlan, contractStatus, status } = planned.subscription;
  if (nextPlan === null || nextPlan.from > today.toString() || contractStatus === 'pending' || isUnsubscribed(status)) {
    return planned;
  }
  const { planType, contributionCents, from } = nextPlan;
  return record(
    planned,
    { ...whyOn(today, today), rule: planChanged(Temporal.PlainDate.from(from)) },
    { planType, contributionCents, nextPlan: null, contractStatus: needsContract(planType) ? contractStatus : null },
  );
}

/** Plans that the employee has accepted the new plan. */
export function acceptNextPlan(planned: Planned, { from }: NextPlan, today: Day): Planned {
  const rule = planChangeAccepted(Temporal.PlainDate.from(from));
  return record(planned, { ...whyOn(today, Temporal.PlainDate.from(from)), rule }, { contractStatus: 'accepted' });
}

/** Plans that the subscription keeps its plan: the employee has rejected the new one, or has not agreed in time. */
export function dropNextPlan(planned: Planned, reason: 'rejected' | 'no-answer', today: Day): Planned {
  const { nextPlan } = planned.subscription;
  if (nextPlan === null) return planned;
  const why = { ...whyOn(today, today), rule: planChangeDropped(reason) };
  return record(planned, why, { nextPlan: null, contractStatus: nextPlan.contractBefore });
}
