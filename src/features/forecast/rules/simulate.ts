import { type Day, isBefore, isDue } from '../../../domain/calendar.ts';
import type { EmployeeState } from '../../../domain/employee.ts';
import { advance, nextEventOn } from '../../../domain/subscription/advance.ts';
import { planRemovalDate } from '../../../domain/subscription/plan.ts';
import { applyNextPlan } from '../../../domain/subscription/plan-change.ts';
import type { Plan } from '../../../domain/subscription/subscription.ts';
import { ticketDue } from '../../../domain/subscription/tickets.ts';

/** What becomes of an employee if nothing else becomes known. */
export interface Outlook {
  /** The plan of the ticket of each month. Null: there is none. */
  plans: (Plan | null)[];
  /** The index of the first month in which the employee is removed. Null: they stay. */
  removedIn: number | null;
}

/** Applies the calendar to an employee month by month, as the daily runs will. Nothing happens between the firsts that matters. */
export function simulate(
  { subscription: known, facts, isRemoved }: Pick<EmployeeState, 'subscription' | 'facts' | 'isRemoved'>,
  months: readonly Day[],
): Outlook {
  let subscription = known;
  let removedIn: number | null = isRemoved ? 0 : null;
  const plans = months.map((month, index): Plan | null => {
    const next = nextEventOn(subscription);
    if (next !== null && !isBefore(month, next)) subscription = advance(subscription, facts, month).subscription;
    subscription = applyNextPlan({ subscription, changes: [] }, month).subscription;
    if (removedIn === null && isDue(planRemovalDate(subscription, facts, month), month)) removedIn = index;
    if (removedIn !== null || !ticketDue(subscription, month)) return null;
    const { planType, contributionCents } = subscription;
    return { planType, contributionCents };
  });
  return { plans, removedIn };
}
