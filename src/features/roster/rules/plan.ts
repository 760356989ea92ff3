import type { Day } from '../../../domain/calendar.ts';
import {
  derivePlan,
  type EmployeePlan,
  type EmployeeState,
  emptyEmployee,
  planningFor,
} from '../../../domain/employee.ts';
import { planSubscription } from '../../../domain/subscription/plan.ts';
import { type Settings, withPresentPlan } from '../../../domain/subscription/subscription.ts';
import type { RosterEntry } from './entry.ts';
import { mergeEntry } from './merge.ts';

/** Pure functions, so that a preview and the real run cannot differ. */

export function planPresent(
  known: EmployeeState | undefined,
  entry: RosterEntry,
  today: Day,
  settings: Settings,
): EmployeePlan {
  const current = known ?? emptyEmployee(settings);
  const merged = mergeEntry(known, entry);
  const own = planningFor({ ...current, ...merged }, settings, today);
  const subscription = withPresentPlan(current.subscription, own.settings);
  return derivePlan(current, merged, planSubscription(subscription, own.facts, today, own.settings), today);
}

export function planAbsent(known: EmployeeState, today: Day, settings: Settings): EmployeePlan {
  const facts = { ...known.facts, offboarded: true };
  return derivePlan(known, { ...known, facts }, planSubscription(known.subscription, facts, today, settings), today);
}
