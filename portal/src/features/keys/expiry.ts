const dayMillis = 86_400_000;

export const expiries = ['never', 'days30', 'days90', 'year', 'date'] as const;
export type Expiry = (typeof expiries)[number];

/** Returns how far the time zone is ahead of UTC at the given moment. */
function offsetMillis(moment: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment);
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return local - Math.floor(moment / 1000) * 1000;
}

/**
 * Returns the moment at which the day ends in the company's time zone. Does not use Temporal, which not every browser
 * has yet.
 */
export function endOfDay(day: string, timeZone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`) + dayMillis;
  const guess = midnight - offsetMillis(midnight, timeZone);
  return new Date(midnight - offsetMillis(guess, timeZone));
}

/**
 * Returns when the key expires, or null for never. Keys expire by real time, even where the environment's clock was
 * moved.
 */
export function expiryMoment(expiry: Expiry, day: string | null, timeZone: string): string | null {
  const days = { never: undefined, days30: 30, days90: 90, year: 365, date: undefined }[expiry];
  if (days !== undefined) return new Date(Date.now() + days * dayMillis).toISOString();
  return expiry === 'date' && day !== null ? endOfDay(day, timeZone).toISOString() : null;
}
