/** Returns the first of the month that is so many months after that of a date or month. */
export function addMonths(date: string, count: number): string {
  const [year = 0, month = 1] = date.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 10);
}

/** Returns the firsts of months, beginning with that of a date. */
export const monthsFrom = (date: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => addMonths(date, index));
