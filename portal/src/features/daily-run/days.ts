/** Dates have the form `2026-11-15`. Calculates in UTC, where every day has the same length. */

const dayMillis = 86_400_000;
const write = (millis: number) => new Date(millis).toISOString().slice(0, 10);

export const addDays = (day: string, days: number) => write(Date.parse(day) + days * dayMillis);

export const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / dayMillis);

export function firstOfNextMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return write(Date.UTC(year, month, 1));
}
