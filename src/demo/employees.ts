import { compareDays, type Day, isBefore } from '../domain/calendar.ts';
import type { RosterEntry } from '../domain/roster/entry.ts';
import type { Place } from './connections.ts';
import type { Scenario, Snapshot } from './scenarios/scenario.ts';

export interface DemoEmployee {
  firstName: string;
  lastName: string;
  email: string;
  dateOfBirth: Day | null;
  profileImage: string | null;
  story: Scenario;
  /** The systems that list the employee, each with its own id. Empty if the employee was entered manually. */
  hrIds: Map<Place, string>;
  /** The id that was entered manually. */
  customId: string | null;
}

/** Returns the day of the first news about the employee. */
export const appearsOn = ({ story }: Pick<DemoEmployee, 'story'>): Day =>
  (story.news[0] as Scenario['news'][number]).on;

export const byAppearance = (a: Pick<DemoEmployee, 'story'>, b: Pick<DemoEmployee, 'story'>) =>
  compareDays(appearsOn(a), appearsOn(b));

/** Returns the data of the employee on a day, from all news up to then. */
export function snapshotOn({ lastName, email, story }: DemoEmployee, day: Day): Snapshot {
  const nothing: Snapshot = {
    isListed: false,
    lastName,
    email,
    startsWork: null,
    lastDay: null,
    autoSubscribe: null,
    absences: [],
  };
  const heard = story.news.filter(({ on }) => !isBefore(day, on));
  return Object.assign(nothing, ...heard.map(({ says }) => says));
}

/** Returns the roster of a system on a day. */
export function rosterOn(people: readonly DemoEmployee[], place: Place, day: Day): RosterEntry[] {
  return people.flatMap((person) => {
    const hrId = person.hrIds.get(place);
    const said = snapshotOn(person, day);
    if (hrId === undefined || !said.isListed) return [];
    return [
      {
        hrId,
        firstName: person.firstName,
        lastName: said.lastName,
        email: said.email,
        profileImage: person.profileImage,
        dateOfBirth: person.dateOfBirth?.toString() ?? null,
        startDate: said.startsWork?.toString() ?? null,
        terminationDate: said.lastDay?.toString() ?? null,
        autoSyncEmployee: said.autoSubscribe,
        absences: said.absences,
      },
    ];
  });
}
