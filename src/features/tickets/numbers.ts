import type { Day } from '../../domain/calendar.ts';

/** The numbers of tickets of a month begin with this. */
export const ticketPrefix = (month: Day): string => `DT-${month.toString().slice(0, 7).replace('-', '')}-`;

/** The fewest digits of an employee's id in the number of a ticket. */
export const idDigits = 6;

/** Returns the number of the ticket that the daily run issues to an employee. */
export const ticketNumber = (month: Day, employeeId: number): string =>
  `${ticketPrefix(month)}${String(employeeId).padStart(idDigits, '0')}`;

/** Returns the number of the ticket that replaces it for the first, second, … time. */
export const replacementNumber = (month: Day, employeeId: number, time: number): string =>
  `${ticketNumber(month, employeeId)}-${time + 1}`;
