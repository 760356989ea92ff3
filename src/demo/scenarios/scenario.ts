import { compareDays, type Day } from '../../domain/calendar.ts';
import type { PlanType } from '../../domain/enums.ts';
import type { RosterAbsence } from '../../domain/roster/entry.ts';
import type { Decision } from '../../domain/subscription/transitions.ts';
import type { Calendar } from '../calendar.ts';
import type { Random } from '../random.ts';

/** What the HR system says of a person. */
export interface Said {
  isListed: boolean;
  lastName: string;
  email: string;
  startsWork: Day | null;
  lastDay: Day | null;
  autoSubscribe: boolean | null;
  absences: RosterAbsence[];
}

/** What happens to a person in the year: news in the HR system, and what somebody decides about the subscription. */
export interface Story {
  news: { on: Day; says: Partial<Said> }[];
  decisions: { on: Day; decision: Decision }[];
}

export interface Teller {
  random: Random;
  calendar: Calendar;
  planOn(day: Day): PlanType;
}

/** One of the stories that the demo tells; `nth` counts those that are told alike, so that each variant occurs. */
export type Fate = (teller: Teller, nth: number) => Story;

/** Told together, whatever happens first comes first. */
export const tell = (...stories: Story[]): Story => ({
  news: stories.flatMap(({ news }) => news).sort((a, b) => compareDays(a.on, b.on)),
  decisions: stories.flatMap(({ decisions }) => decisions).sort((a, b) => compareDays(a.on, b.on)),
});

export const hear = (on: Day, says: Partial<Said>): Story => ({ news: [{ on, says }], decisions: [] });
export const decide = (on: Day, decision: Decision): Story => ({ news: [], decisions: [{ on, decision }] });
