/**
 * The clock of the service, as far as this device knows it. Clocks of phones are wrong at times, and the clock of
 * staging can be moved.
 */
export interface DeviceClock {
  /** By how much the service's clock was ahead of this device's. */
  ahead: number;
  /** The latest moment that is known to have passed: time never runs backwards, whatever the device's clock says. */
  seen: number;
}

const dayMillis = 86_400_000;

const isoDays = new Map<string, Intl.DateTimeFormat>();

/** Returns the date of a moment where the company is: `2026-11-15`, which is the Swedish format. */
export function dayIn(moment: number, timeZone: string): string {
  const format = isoDays.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone });
  isoDays.set(timeZone, format);
  return format.format(moment);
}

/** Returns by how much the service's clock is ahead, from a response that was sent at `sentAt` and says what day it is. */
export function measureAhead(
  sentAt: number,
  today: string,
  { timeZone, environment }: { timeZone: string; environment: string },
): number {
  // In production nobody moves the clock, and a response that crosses midnight must not look as if.
  const days =
    environment === 'production'
      ? 0
      : Math.round((Date.parse(today) - Date.parse(dayIn(sentAt, timeZone))) / dayMillis);
  return sentAt + days * dayMillis - Date.now();
}

export const nowOf = ({ ahead, seen }: DeviceClock) => Math.max(Date.now() + ahead, seen);

/** Returns how long it is until another day begins where the company is. */
export function untilMidnight(moment: number, timeZone: string): number {
  const today = dayIn(moment, timeZone);
  let [low, high] = [0, 26 * 3_600_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dayIn(moment + middle, timeZone) === today) low = middle;
    else high = middle;
  }
  return high;
}
