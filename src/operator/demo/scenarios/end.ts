import type { Day } from '../../../domain/calendar.ts';
import { type CreateScenario, decisionOn, hrNews, mergeScenarios } from './scenario.ts';
import { earlyFounder, founder, optIn, someFounder } from './start.ts';

const goes = (on: Day) => hrNews(on, { isListed: false });

/** Employment ends in this month or in one of the next. */
export const leavesSoon: CreateScenario = (context, nth) => {
  const { ago, month } = context.calendar;
  const lastDay = month(1 + (nth % 3)).subtract({ days: nth % 2 === 0 ? 1 : 16 });
  return mergeScenarios(someFounder(context, nth), hrNews(ago(34), { lastDay }));
};

/** Employment has ended. The HR system continues to list them for a while. */
export const hasLeft: CreateScenario = (context, nth) => {
  const { random, calendar } = context;
  const month = -(nth % 4);
  const lastDay = calendar.month(month).subtract({ days: random.int(1, 14) });
  return mergeScenarios(earlyFounder(context, nth), hrNews(calendar.day(month - 2, 9), { lastDay }));
};

/** The HR system cancels the subscription, recently or long ago. */
export const optsOut: CreateScenario = (context, nth) => {
  const { ago, day } = context.calendar;
  const on = nth % 3 === 0 ? ago(6) : day(-2 - (nth % 4), nth % 2 === 0 ? 9 : 23);
  return mergeScenarios(earlyFounder(context, nth), hrNews(on, { autoSubscribe: false }));
};

/** Subscribes again after an opt-out. Some did so recently and wait for the new start. */
export const startsAgain: CreateScenario = (context, nth) => {
  const { ago, day } = context.calendar;
  const again = [day(-4, 16), day(-3, 16), ago(6)][nth % 3] as Day;
  return mergeScenarios(
    earlyFounder(context, nth),
    hrNews(day(-6, 9), { autoSubscribe: false }),
    optIn(context, again),
  );
};

export const cancels: CreateScenario = (context, nth) => {
  const { ago, day } = context.calendar;
  return mergeScenarios(earlyFounder(context, nth), decisionOn(nth % 2 === 0 ? day(-3, 3) : ago(4 + nth), 'cancel'));
};

/** Missing from the roster and therefore removed: with the last ticket, or immediately because none was running. */
export const disappears: CreateScenario = (context, nth) => {
  const { ago, day, month } = context.calendar;
  const on = [day(-2, 9), day(-2, 16), ago(13)][nth % 3] as Day;
  const leave = { startDate: month(-3).toString(), endDate: null, approved: true };
  const isAway = nth % 3 === 2 ? hrNews(day(-5, 23), { absences: [leave] }) : mergeScenarios();
  return mergeScenarios(earlyFounder(context, nth), isAway, goes(on));
};

/** Removed so long ago that no personal data is stored. */
export const isForgotten: CreateScenario = (context) =>
  mergeScenarios(founder(context, 0), goes(context.calendar.day(-9, 9)));

/** Recently missing from the roster. The last ticket is still running. */
export const isLeaving: CreateScenario = (context, nth) =>
  mergeScenarios(earlyFounder(context, nth), goes(context.calendar.ago(6)));

/** Missing from the roster for some weeks. Returns after the subscription ended, or before. */
export const returns: CreateScenario = (context, nth) => {
  const { day } = context.calendar;
  const [gone, back] = nth % 2 === 0 ? [day(-4, 9), day(-3, 23)] : [day(-2, 16), day(-2, 23)];
  const signed = nth % 2 === 0 ? optIn(context, back) : mergeScenarios();
  return mergeScenarios(founder(context, 0), goes(gone), hrNews(back, { isListed: true }), signed);
};
