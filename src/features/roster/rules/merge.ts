import type { Day } from '../../../domain/calendar.ts';
import { type EmployeeState, type HandField, handFields, handValues, type Snapshot } from '../../../domain/employee.ts';
import { type Absence, overlaps } from '../../../domain/subscription/absences.ts';
import type { Facts } from '../../../domain/subscription/subscription.ts';
import type { RosterAbsence, RosterEntry } from './entry.ts';

export const toDay = (text: string | null): Day | null => (text === null ? null : Temporal.PlainDate.from(text));

export const toAbsence = ({ startDate, endDate, approved }: RosterAbsence): Absence => ({
  startDate: Temporal.PlainDate.from(startDate),
  endDate: toDay(endDate),
  approved,
});

/** Returns the known value for an omitted field. Null clears it. */
const or = <T>(given: T | undefined, known: T): T => (given === undefined ? known : given);

/**
 * Returns the facts without those of an earlier employment that a user has entered: the last day if the employee returns
 * or begins after it, and the absences if the employee returns.
 */
function currentFacts({ isRemoved, facts, setByHand }: EmployeeState, { startDate }: RosterEntry): Facts {
  const { terminationDate, absences, offboarded } = facts;
  const isBack = isRemoved || offboarded;
  const endsBefore = terminationDate !== null && startDate != null && terminationDate.toString() < startDate;
  const isOver = setByHand.includes('terminationDate') && (isBack || endsBefore);
  return {
    ...facts,
    terminationDate: isOver ? null : terminationDate,
    absences: isBack ? absences.filter(({ byHand }) => !byHand) : absences,
  };
}

/** Returns the absences of the roster, and those that a user has entered and the roster does not contain. */
function mergeAbsences(known: readonly Absence[], given: readonly Absence[]): Absence[] {
  const approved = given.filter((absence) => absence.approved);
  const kept = known.filter((absence) => absence.byHand && !approved.some((one) => overlaps(one, absence)));
  return [...given, ...kept];
}

/**
 * Returns what is known about an employee after a roster that contains them. An omitted field keeps its value. Otherwise
 * the roster's value replaces it, with one exception: what a user has entered outlives a roster that has no value for it.
 *
 * - A value that a user has entered stays until the roster has one. From then on it belongs to the roster.
 * - An absence that a user has entered stays until the roster contains an approved one on some of the same days.
 * - The last day of somebody who left does not outlive their return, or a first day of work after it.
 */
export function mergeEntry(known: EmployeeState | undefined, entry: RosterEntry): Snapshot {
  const profile = known?.profile;
  const facts = known && currentFacts(known, entry);
  const stored = known && facts && handValues({ ...known, facts });
  const isKept = (field: HandField) =>
    entry[field] == null && stored?.[field] != null && known?.setByHand.includes(field) === true;
  const value = (field: HandField) => {
    const before = stored?.[field] ?? null;
    return isKept(field) ? before : or(entry[field], before);
  };
  const absences = entry.absences?.map(toAbsence);
  return {
    profile: {
      firstName: entry.firstName,
      lastName: entry.lastName,
      email: entry.email,
      dateOfBirth: value('dateOfBirth'),
      profileImage: or(entry.profileImage, profile?.profileImage ?? null),
      personnelNumber: value('personnelNumber'),
      group: value('group'),
    },
    facts: {
      autoSubscribe: or(entry.autoSyncEmployee, facts?.autoSubscribe ?? null),
      employedFrom: toDay(value('startDate')),
      terminationDate: toDay(value('terminationDate')),
      absences: absences === undefined ? (facts?.absences ?? []) : mergeAbsences(facts?.absences ?? [], absences),
      offboarded: false,
    },
    setByHand: handFields.filter(isKept),
  };
}
