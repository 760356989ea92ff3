import { compareDays, type Day, isBefore } from '../../domain/calendar.ts';
import type { RosterEntry } from '../../features/roster/rules/entry.ts';
import type { Place } from './connections.ts';
import type { Scenario, Snapshot } from './scenarios/scenario.ts';

export interface DemoEmployee {
  firstName: string;
  lastName: string;
  email: string;
  dateOfBirth: Day | null;
  profileImage: string | null;
  scenario: Scenario;
  /** The systems that list the employee, each with its own id. */
  hrIds: Map<Place, string>;
  /** The id that was entered manually. */
  customId: string | null;
  /** The number in payroll, the same in every system. */
  personnelNumber: string;
}

/** Returns the day of the first news about the employee. */
export const appearsOn = ({ scenario }: Pick<DemoEmployee, 'scenario'>): Day =>
  (scenario.news[0] as Scenario['news'][number]).on;

export const byAppearance = (a: Pick<DemoEmployee, 'scenario'>, b: Pick<DemoEmployee, 'scenario'>) =>
  compareDays(appearsOn(a), appearsOn(b));

/** Returns the data of the employee on a day, from all news up to then. */
export function snapshotOn({ lastName, email, scenario }: DemoEmployee, day: Day): Snapshot {
  const nothing: Snapshot = {
    isListed: false,
    lastName,
    email,
    startsWork: null,
    lastDay: null,
    autoSubscribe: null,
    absences: [],
  };
  const known = scenario.news.filter(({ on }) => !isBefore(day, on));
  return Object.assign(nothing, ...known.map(({ changes }) => changes));
}

/** Returns the roster of a system on a day. */
export function rosterOn(employees: readonly DemoEmployee[], place: Place, day: Day): RosterEntry[] {
  return employees.flatMap((employee) => {
    const hrId = employee.hrIds.get(place);
    const snapshot = snapshotOn(employee, day);
    if (hrId === undefined || !snapshot.isListed) return [];
    return [
      {
        hrId,
        firstName: employee.firstName,
        lastName: snapshot.lastName,
        email: snapshot.email,
        personnelNumber: employee.personnelNumber,
        profileImage: employee.profileImage,
        dateOfBirth: employee.dateOfBirth?.toString() ?? null,
        startDate: snapshot.startsWork?.toString() ?? null,
        terminationDate: snapshot.lastDay?.toString() ?? null,
        autoSyncEmployee: snapshot.autoSubscribe,
        absences: snapshot.absences,
      },
    ];
  });
}
