import { type Day, firstOfNextMonth, isBefore } from '../../../domain/calendar.ts';
import type { EmployeeState } from '../../../domain/employee.ts';
import { advance } from '../../../domain/subscription/advance.ts';
import { isRunning } from '../../../domain/subscription/subscription.ts';

/** How many days before a month its ticket is handed out, if nothing can change it any more. */
const daysAhead = 3;

/**
 * Returns the next month if its ticket is certain, so that devices may have it before the daily run issues it. It is
 * certain when a ticket is running and the cut-off has passed: what ends or pauses it now takes effect a month later. A
 * subscription that is to start or to resume can still be cancelled or paused until then.
 */
export function findCertainMonth(employee: EmployeeState, today: Day, cutOffDay: number): Day | null {
  const { subscription, facts, isRemoved } = employee;
  const month = firstOfNextMonth(today);
  if (isRemoved || facts.offboarded || !isRunning(subscription.status)) return null;
  if (today.day <= cutOffDay || isBefore(today, month.subtract({ days: daysAhead }))) return null;
  return isRunning(advance(subscription, facts, month).subscription.status) ? month : null;
}
