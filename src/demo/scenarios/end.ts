import type { Day } from '../../domain/calendar.ts';
import { decide, type Fate, hear, tell } from './scenario.ts';
import { earlyFounder, founder, optIn, someFounder } from './start.ts';

const goes = (on: Day) => hear(on, { isListed: false });

/** Employment ends in this month or in a coming one. */
export const leavesSoon: Fate = (teller, nth) => {
  const { ago, month } = teller.calendar;
  const lastDay = month(1 + (nth % 3)).subtract({ days: nth % 2 === 0 ? 1 : 16 });
  return tell(someFounder(teller, nth), hear(ago(34), { lastDay }));
};

/** Employment has ended; the HR system goes on listing them for a while. */
export const hasLeft: Fate = (teller, nth) => {
  const { random, calendar } = teller;
  const month = -(nth % 4);
  const lastDay = calendar.month(month).subtract({ days: random.int(1, 14) });
  return tell(earlyFounder(teller, nth), hear(calendar.day(month - 2, 9), { lastDay }));
};

/** The HR system says that they shall not be subscribed any more: lately, or long ago. */
export const optsOut: Fate = (teller, nth) => {
  const { ago, day } = teller.calendar;
  const on = nth % 3 === 0 ? ago(6) : day(-2 - (nth % 4), nth % 2 === 0 ? 9 : 23);
  return tell(earlyFounder(teller, nth), hear(on, { autoSubscribe: false }));
};

/** Subscribed again after an opt-out; some so lately that they wait for the new start. */
export const startsAgain: Fate = (teller, nth) => {
  const { ago, day } = teller.calendar;
  const again = [day(-4, 16), day(-3, 16), ago(6)][nth % 3] as Day;
  return tell(earlyFounder(teller, nth), hear(day(-6, 9), { autoSubscribe: false }), optIn(teller, again));
};

/** Cancelled by themselves. */
export const cancels: Fate = (teller, nth) => {
  const { ago, day } = teller.calendar;
  return tell(earlyFounder(teller, nth), decide(nth % 2 === 0 ? day(-3, 3) : ago(4 + nth), 'cancel'));
};

/** No longer in the roster and so removed: with the last ticket, or at once because none was running. */
export const disappears: Fate = (teller, nth) => {
  const { ago, day, month } = teller.calendar;
  const on = [day(-2, 9), day(-2, 16), ago(13)][nth % 3] as Day;
  const leave = { startDate: month(-3).toString(), endDate: null, approved: true };
  const isAway = nth % 3 === 2 ? hear(day(-5, 23), { absences: [leave] }) : tell();
  return tell(earlyFounder(teller, nth), isAway, goes(on));
};

/** Gone for so long that nothing personal is kept. */
export const isForgotten: Fate = (teller) => tell(founder(teller, 0), goes(teller.calendar.day(-9, 9)));

/** No longer in the roster since lately; the last ticket is still running. */
export const isLeaving: Fate = (teller, nth) => tell(earlyFounder(teller, nth), goes(teller.calendar.ago(6)));

/** Absent from the roster for some weeks: back after the end had come, or before it. */
export const returns: Fate = (teller, nth) => {
  const { day } = teller.calendar;
  const [gone, back] = nth % 2 === 0 ? [day(-4, 9), day(-3, 23)] : [day(-2, 16), day(-2, 23)];
  const signed = nth % 2 === 0 ? optIn(teller, back) : tell();
  return tell(founder(teller, 0), goes(gone), hear(back, { isListed: true }), signed);
};
