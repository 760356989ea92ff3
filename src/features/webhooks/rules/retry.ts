/** When a delivery is attempted, and what its result means (contract, section 8). */

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** How long after the previous attempt each attempt follows. The first one is made at once. */
const delays = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** A receiver may ask for a pause of up to this long. */
const longestPause = day;
/** An endpoint that fails for this long without one success is disabled. */
const failureLimit = 5 * day;
/** Up to this part of a delay is added, so that deliveries that failed together are not repeated together. */
const jitter = 0.1;

/** A 2xx status is a success. Everything else, redirects too, is a failure. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** Returns the pause that `Retry-After` asks for, in milliseconds: seconds or a date. 0: none, or another form. */
export function parseRetryAfter(header: string | undefined, now: number): number {
  const text = header?.trim() ?? '';
  const millis = /^\d+$/.test(text) ? Number(text) * second : /[a-z]/i.test(text) ? Date.parse(text) - now : 0;
  return Number.isFinite(millis) ? Math.min(Math.max(millis, 0), longestPause) : millis > 0 ? longestPause : 0;
}

export interface Failure {
  /** Failed attempts of this delivery, including this one. */
  failures: number;
  /** The pause that the receiver asks for, in milliseconds. */
  retryAfter: number;
  /** From 0 to 1. */
  random: number;
}

/** Returns after how many milliseconds the next attempt follows. Undefined: this was the last one. */
export function nextDelay({ failures, retryAfter, random }: Failure): number | undefined {
  const delay = delays[failures];
  if (delay === undefined) return undefined;
  return Math.round(Math.max(delay * (1 + jitter * random), retryAfter));
}

export const isFailingTooLong = (failingSince: number, now: number): boolean => now - failingSince >= failureLimit;
