import { type Day, isBefore } from '../../../domain/calendar.ts';

/** How long before the cut-off employees hear of a price, and users hear of it again. */
const noticeDays = 14;

/** Returns the last day on which a pause or an end takes effect before a month. */
export function cutOffBefore(month: Day, cutOffDay: number): Day {
  const before = month.subtract({ months: 1 });
  return before.with({ day: Math.min(cutOffDay, before.daysInMonth) });
}

/** Returns whether the cut-off is near or over. */
export const isNearCutOff = (cutOff: Day, today: Day): boolean =>
  !isBefore(today, cutOff.subtract({ days: noticeDays }));
