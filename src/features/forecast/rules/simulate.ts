import { type Day, isBefore, isDue } from '../../../domain/calendar.ts';
import type { EmployeeState } from '../../../domain/employee.ts';
import { advance, nextEventOn } from '../../../domain/subscription/advance.ts';
import { planRemovalDate } from '../../../domain/subscription/plan.ts';
import { applyNextPlan } from '../../../domain/subscription/plan-change.ts';
import { isUnsubscribed, type Plan, type Settings } from '../../../domain/subscription/subscription.ts';
import { ticketDue } from '../../../domain/subscription/tickets.ts';
import { type Deadline, planNoAnswer } from '../../policies/rules/no-answer.ts';

/** What becomes of an employee if nothing else becomes known. */
export interface Outlook {
  /** The plan of the ticket of each month. Null: there is none. */
  plans: (Plan | null)[];
  /** The index of the first month in which the employee is removed. Null: they stay. */
  removedIn: number | null;
}

/** *
 * Applies the calendar to an employee month by month, as the daily runs will. Between the firsts only the deadlines of changes matter:
 * who has not agreed is assumed not to.
 */
export function simulate(
  employee: EmployeeState,
  months: readonly Day[],
  { deadlines, company }: { deadlines: ReadonlyMap<number, Deadline>; company: Settings },
): Outlook {
  const { facts } = employee;
  let { subscription } = employee;
  let removedIn: number | null = employee.isRemoved ? 0 : null;
  const advanceTo = (day: Day) => {
    const next = nextEventOn(subscription);
    if (next !== null && !isBefore(day, next)) subscription = advance(subscription, facts, day).subscription;
  };
  const plans = months.map((month, index): Plan | null => {
    const { nextPlan, contractStatus, status } = subscription;
    const deadline = nextPlan && contractStatus === 'pending' ? deadlines.get(nextPlan.changeId) : undefined;
    if (deadline && isDue(deadline.appliesOn, month) && !isUnsubscribed(status)) {
      const day = deadline.appliesOn;
      advanceTo(day);
      subscription = planNoAnswer({ ...employee, subscription }, deadline, { company, day }).employee.subscription;
    }
    advanceTo(month);
    subscription = applyNextPlan({ subscription, changes: [] }, month).subscription;
    if (removedIn === null && isDue(planRemovalDate(subscription, facts, month), month)) removedIn = index;
    if (removedIn !== null || !ticketDue(subscription, month)) return null;
    const { planType, contributionCents } = subscription;
    return { planType, contributionCents };
  });
  return { plans, removedIn };
}
