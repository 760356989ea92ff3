import { type Day, firstOfMonth, isBefore } from '../../../domain/calendar.ts';

/** Which months payroll takes: `future` has not begun, `old` is before the present month and the one before it. */
export type PeriodAge = 'future' | 'usual' | 'old';

export function ageOfPeriod(period: Day, today: Day): PeriodAge {
  const present = firstOfMonth(today);
  if (isBefore(present, period)) return 'future';
  return isBefore(period, present.subtract({ months: 1 })) ? 'old' : 'usual';
}
