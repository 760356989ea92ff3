import { compareDays, type Day } from '../../../domain/calendar.ts';
import type { PlanType } from '../../../domain/enums.ts';
import type { Decision } from '../../../domain/subscription/transitions.ts';
import type { RosterAbsence } from '../../../features/roster/rules/entry.ts';
import type { Calendar } from '../calendar.ts';
import type { Random } from '../random.ts';

export interface Snapshot {
  isListed: boolean;
  lastName: string;
  email: string;
  startsWork: Day | null;
  lastDay: Day | null;
  autoSubscribe: boolean | null;
  absences: RosterAbsence[];
}

/** The events of an employee in the year: news in the HR system, and decisions about the subscription. */
export interface Scenario {
  news: { on: Day; changes: Partial<Snapshot> }[];
  decisions: { on: Day; decision: Decision }[];
}

export interface ScenarioContext {
  random: Random;
  calendar: Calendar;
  planOn(day: Day): PlanType;
}

/** Creates a scenario of the demo. `nth` counts the employees with the same scenario, so that each variant occurs. */
export type CreateScenario = (context: ScenarioContext, nth: number) => Scenario;

export const mergeScenarios = (...scenarios: Scenario[]): Scenario => ({
  news: scenarios.flatMap(({ news }) => news).sort((a, b) => compareDays(a.on, b.on)),
  decisions: scenarios.flatMap(({ decisions }) => decisions).sort((a, b) => compareDays(a.on, b.on)),
});

export const hrNews = (on: Day, changes: Partial<Snapshot>): Scenario => ({ news: [{ on, changes }], decisions: [] });
export const decisionOn = (on: Day, decision: Decision): Scenario => ({ news: [], decisions: [{ on, decision }] });
