import type { Day } from '../../../domain/calendar.ts';
import { derivePlan, type EmployeePlan, type EmployeeState, planRequestFor } from '../../../domain/employee.ts';
import type { NoAnswerRule } from '../../../domain/enums.ts';
import { dropNextPlan } from '../../../domain/subscription/plan-change.ts';
import type { Settings } from '../../../domain/subscription/subscription.ts';

/** What happens to those who have not agreed to a change by its deadline. */
export interface Deadline {
  /** The first month of the change. */
  from: string;
  noAnswer: NoAnswerRule;
  /** The day after the deadline. */
  appliesOn: Day;
}

/** Plans the company's rule for an employee who has not agreed: the old plan stays, and the subscription pauses or ends. */
export function planNoAnswer(
  known: EmployeeState,
  { from, noAnswer }: Pick<Deadline, 'from' | 'noAnswer'>,
  { company, day }: { company: Settings; day: Day },
): EmployeePlan {
  const dropped = dropNextPlan({ subscription: known.subscription, changes: [] }, 'no-answer', day);
  const kept = derivePlan(known, known, dropped, day);
  if (noAnswer === 'keep') return kept;
  const asked = { action: noAnswer, side: 'company' as const, from: Temporal.PlainDate.from(from) };
  const inTime = planRequestFor(kept.employee, asked, day, company);
  const requested =
    inTime.refusal === null ? inTime : planRequestFor(kept.employee, { ...asked, from: undefined }, day, company);
  if (requested.refusal !== null) return kept;
  return {
    ...requested,
    before: known.subscription,
    changes: [...kept.changes, ...requested.changes],
    subscriptionChanges: [...kept.subscriptionChanges, ...requested.subscriptionChanges],
  };
}
