import type { Day } from '../../../domain/calendar.ts';
import {
  derivePlan,
  type EmployeePlan,
  type EmployeeState,
  emptyEmployee,
  type Profile,
} from '../../../domain/employee.ts';
import type { Absence } from '../../../domain/subscription/absences.ts';
import { planSubscription } from '../../../domain/subscription/plan.ts';
import type { Facts, Settings } from '../../../domain/subscription/subscription.ts';
import type { RosterEntry } from './entry.ts';

/** Pure functions, so that a preview and the real run cannot differ. */

const day = (text: string | null) => (text === null ? null : Temporal.PlainDate.from(text));

const toAbsence = ({ startDate, endDate, approved }: NonNullable<RosterEntry['absences']>[number]): Absence => ({
  startDate: Temporal.PlainDate.from(startDate),
  endDate: day(endDate),
  approved,
});

/** Returns the known value for an omitted field. Null clears it. */
const or = <T>(given: T | undefined, known: T): T => (given === undefined ? known : given);

const mergeProfile = (known: Profile | undefined, entry: RosterEntry): Profile => ({
  firstName: entry.firstName,
  lastName: entry.lastName,
  email: entry.email,
  dateOfBirth: or(entry.dateOfBirth, known?.dateOfBirth ?? null),
  profileImage: or(entry.profileImage, known?.profileImage ?? null),
  personnelNumber: or(entry.personnelNumber, known?.personnelNumber ?? null),
});

const mergeFacts = (known: Facts | undefined, entry: RosterEntry): Facts => ({
  autoSubscribe: or(entry.autoSyncEmployee, known?.autoSubscribe ?? null),
  employedFrom: entry.startDate === undefined ? (known?.employedFrom ?? null) : day(entry.startDate),
  terminationDate: entry.terminationDate === undefined ? (known?.terminationDate ?? null) : day(entry.terminationDate),
  absences: entry.absences === undefined ? (known?.absences ?? []) : (entry.absences ?? []).map(toAbsence),
  offboarded: false,
});

export function planPresent(
  known: EmployeeState | undefined,
  entry: RosterEntry,
  today: Day,
  settings: Settings,
): EmployeePlan {
  const current = known ?? emptyEmployee(settings);
  const facts = mergeFacts(known?.facts, entry);
  const planned = planSubscription(current.subscription, facts, today, settings);
  return derivePlan(current, { profile: mergeProfile(known?.profile, entry), facts }, planned, today);
}

export function planAbsent(known: EmployeeState, today: Day, settings: Settings): EmployeePlan {
  const facts = { ...known.facts, offboarded: true };
  return derivePlan(known, { ...known, facts }, planSubscription(known.subscription, facts, today, settings), today);
}
