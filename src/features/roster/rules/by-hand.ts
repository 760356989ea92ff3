import type { Day } from '../../../domain/calendar.ts';
import {
  derivePlan,
  type EmployeePlan,
  type EmployeeState,
  handFields,
  handValues,
  planningFor,
} from '../../../domain/employee.ts';
import { planSubscription } from '../../../domain/subscription/plan.ts';
import { type Settings, withPresentPlan } from '../../../domain/subscription/subscription.ts';
import type { RosterEntry } from './entry.ts';
import { toAbsence, toDay } from './merge.ts';

/** What a user enters about an employee. An omitted field keeps the known value. */
export type HandEntry = Partial<Omit<RosterEntry, 'hrId' | 'profileImage'>> & { remove?: boolean };

/**
 * Plans what a user has entered. What they have changed is set by hand from now on, and what they have cleared no
 * longer. The absences that they enter replace those that users have entered, and all if no roster contains the employee.
 */
export function planByHand(
  known: EmployeeState,
  entry: HandEntry,
  { today, isInRoster }: { today: Day; isInRoster: boolean },
  settings: Settings,
): EmployeePlan {
  const before = handValues(known);
  const after = { ...before };
  for (const field of handFields) if (entry[field] !== undefined) after[field] = entry[field];
  const { firstName = known.profile.firstName, lastName = known.profile.lastName, email = known.profile.email } = entry;
  const { dateOfBirth, personnelNumber, group } = after;
  const ofRoster = known.facts.absences.filter(({ byHand }) => isInRoster && !byHand);
  const byHand = entry.absences?.map((absence) => ({ ...toAbsence(absence), byHand: true as const }));
  const facts = {
    autoSubscribe: entry.autoSyncEmployee === undefined ? known.facts.autoSubscribe : entry.autoSyncEmployee,
    employedFrom: toDay(after.startDate),
    terminationDate: toDay(after.terminationDate),
    absences: byHand === undefined ? known.facts.absences : [...ofRoster, ...byHand],
    offboarded: known.facts.offboarded || entry.remove === true,
  };
  const isByHand = (field: (typeof handFields)[number]) =>
    after[field] === before[field] ? known.setByHand.includes(field) : after[field] !== null;
  const snapshot = {
    profile: { ...known.profile, firstName, lastName, email, dateOfBirth, personnelNumber, group },
    facts,
    setByHand: handFields.filter(isByHand),
  };
  const own = planningFor({ ...known, ...snapshot }, settings, today);
  const subscription = withPresentPlan(known.subscription, own.settings);
  return derivePlan(known, snapshot, planSubscription(subscription, own.facts, today, own.settings), today);
}
