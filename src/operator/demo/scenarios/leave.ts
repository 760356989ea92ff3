import type { Day } from '../../../domain/calendar.ts';
import {
  type CreateScenario,
  decisionOn,
  hrNews,
  mergeScenarios,
  type Scenario,
  type ScenarioContext,
} from './scenario.ts';
import { earlyFounder, someFounder } from './start.ts';

const absence = (startDate: Day, endDate: Day | null, approved = true) => ({
  startDate: startDate.toString(),
  endDate: endDate?.toString() ?? null,
  approved,
});

/** Returns an approved absence that pauses exactly the months from `from` to before `until`. Null: no known end. */
const leave = ({ random }: ScenarioContext, from: Day, until: Day | null) =>
  absence(from.subtract({ days: random.int(0, 14) }), until?.add({ days: random.int(-1, 12) }) ?? null);

/** Reports an absence so early that the cut-off does not matter. */
const reportInTime = ({ calendar }: ScenarioContext, month: number, snapshot: ReturnType<typeof absence>): Scenario =>
  hrNews(calendar.day(month - 2, 23), { absences: [snapshot] });

/** Has returned from a leave of one or two months. */
export const cameBack: CreateScenario = (context, nth) => {
  const month = -6 + (nth % 3);
  const from = context.calendar.month(month);
  const until = from.add({ months: 1 + (nth % 2) });
  return mergeScenarios(earlyFounder(context, nth), reportInTime(context, month, leave(context, from, until)));
};

/** Is on leave now. One in three has no known end. */
export const isAway: CreateScenario = (context, nth) => {
  const { calendar } = context;
  const month = -(nth % 5);
  const until = nth % 3 === 0 ? null : calendar.month(1 + (nth % 4));
  return mergeScenarios(
    earlyFounder(context, nth),
    reportInTime(context, month, leave(context, calendar.month(month), until)),
  );
};

export const goesOnLeave: CreateScenario = (context, nth) => {
  const { random, calendar } = context;
  const from = calendar.month(1 + (nth % 3));
  const until = nth % 2 === 0 ? null : from.add({ months: random.int(3, 6) });
  const known = calendar.ago(random.pick([6, 13, 20]));
  return mergeScenarios(someFounder(context, nth), hrNews(known, { absences: [leave(context, from, until)] }));
};

export const staysAfterAll: CreateScenario = (context, nth) => {
  const { day, month } = context.calendar;
  const [from, until] = [month(-2), month(1 + nth)];
  return mergeScenarios(
    earlyFounder(context, nth),
    hrNews(day(-3, 9), { absences: [absence(from, until)] }),
    hrNews(day(-3, 23), { absences: [absence(from, until, false)] }),
  );
};

/** An absence that pauses nothing: a holiday, or an illness that was not approved as leave. */
export const isAwayShortly: CreateScenario = (context, nth) => {
  const { random, calendar } = context;
  const from = calendar.day(-6 + (nth % 8), random.int(3, 20));
  const holiday = absence(from, from.add({ days: random.int(4, 16) }));
  const illness = absence(from, from.add({ days: random.int(40, 90) }), false);
  const known = calendar.day(-7 + (nth % 7), 16);
  return mergeScenarios(earlyFounder(context, nth), hrNews(known, { absences: [nth % 2 === 0 ? holiday : illness] }));
};

/** Requested a pause themselves: recently, some time ago, or some time ago with a resumption since. */
export const pauses: CreateScenario = (context, nth) => {
  const { day, ago } = context.calendar;
  const requestedOn = [ago(5 + nth), day(-3, 4), day(-6, 4)][nth % 3] as Day;
  const resumes = nth % 3 === 2 ? decisionOn(day(-4, 15), 'resume') : mergeScenarios();
  return mergeScenarios(earlyFounder(context, nth), decisionOn(requestedOn, 'pause'), resumes);
};
