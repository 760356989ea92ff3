import type { Day } from '../../domain/calendar.ts';
import { type CreateScenario, decisionOn, hrNews, mergeScenarios } from './scenario.ts';
import { earlyFounder, founder, optIn, someFounder } from './start.ts';

const goes = (on: Day) => hrNews(on, { isListed: false });

/** Employment ends in this month or in one of the next. */
export const leavesSoon: CreateScenario = (teller, nth) => {
  const { ago, month } = teller.calendar;
  const lastDay = month(1 + (nth % 3)).subtract({ days: nth % 2 === 0 ? 1 : 16 });
  return mergeScenarios(someFounder(teller, nth), hrNews(ago(34), { lastDay }));
};

/** Employment has ended. The HR system continues to list them for a while. */
export const hasLeft: CreateScenario = (teller, nth) => {
  const { random, calendar } = teller;
  const month = -(nth % 4);
  const lastDay = calendar.month(month).subtract({ days: random.int(1, 14) });
  return mergeScenarios(earlyFounder(teller, nth), hrNews(calendar.day(month - 2, 9), { lastDay }));
};

/** The HR system cancels the subscription, recently or long ago. */
export const optsOut: CreateScenario = (teller, nth) => {
  const { ago, day } = teller.calendar;
  const on = nth % 3 === 0 ? ago(6) : day(-2 - (nth % 4), nth % 2 === 0 ? 9 : 23);
  return mergeScenarios(earlyFounder(teller, nth), hrNews(on, { autoSubscribe: false }));
};

/** Subscribes again after an opt-out. Some did so recently and wait for the new start. */
export const startsAgain: CreateScenario = (teller, nth) => {
  const { ago, day } = teller.calendar;
  const again = [day(-4, 16), day(-3, 16), ago(6)][nth % 3] as Day;
  return mergeScenarios(earlyFounder(teller, nth), hrNews(day(-6, 9), { autoSubscribe: false }), optIn(teller, again));
};

/** Cancels the subscription themselves. */
export const cancels: CreateScenario = (teller, nth) => {
  const { ago, day } = teller.calendar;
  return mergeScenarios(earlyFounder(teller, nth), decisionOn(nth % 2 === 0 ? day(-3, 3) : ago(4 + nth), 'cancel'));
};

/** Missing from the roster and therefore removed: with the last ticket, or immediately because none was running. */
export const disappears: CreateScenario = (teller, nth) => {
  const { ago, day, month } = teller.calendar;
  const on = [day(-2, 9), day(-2, 16), ago(13)][nth % 3] as Day;
  const leave = { startDate: month(-3).toString(), endDate: null, approved: true };
  const isAway = nth % 3 === 2 ? hrNews(day(-5, 23), { absences: [leave] }) : mergeScenarios();
  return mergeScenarios(earlyFounder(teller, nth), isAway, goes(on));
};

/** Removed so long ago that no personal data is stored. */
export const isForgotten: CreateScenario = (teller) =>
  mergeScenarios(founder(teller, 0), goes(teller.calendar.day(-9, 9)));

/** Recently missing from the roster. The last ticket is still running. */
export const isLeaving: CreateScenario = (teller, nth) =>
  mergeScenarios(earlyFounder(teller, nth), goes(teller.calendar.ago(6)));

/** Missing from the roster for some weeks. Returns after the subscription ended, or before. */
export const returns: CreateScenario = (teller, nth) => {
  const { day } = teller.calendar;
  const [gone, back] = nth % 2 === 0 ? [day(-4, 9), day(-3, 23)] : [day(-2, 16), day(-2, 23)];
  const signed = nth % 2 === 0 ? optIn(teller, back) : mergeScenarios();
  return mergeScenarios(founder(teller, 0), goes(gone), hrNews(back, { isListed: true }), signed);
};
