/** Why a pull failed. Stable: the portal translates them. */
export const failureCodes = [
  'credentials-refused',
  'permission-missing',
  'attribute-withheld',
  'incomplete',
  'rate-limited',
  'unreachable',
  'unexpected-response',
  'invalid-roster',
  'internal',
] as const;
export type FailureCode = (typeof failureCodes)[number];

/** A second refusal counts after this time: a single one may be a fault of the HR system. */
const refusalMinutes = 60;
const firstDelayMinutes = 5;
const maxDelayMinutes = 240;

/** Failures after the HR system has accepted the credentials. */
const acceptedCredentials: ReadonlySet<FailureCode> = new Set([
  'permission-missing',
  'attribute-withheld',
  'incomplete',
  'invalid-roster',
]);

export interface FailedPull {
  code: FailureCode;
  now: Temporal.Instant;
  /** Failed pulls before this one, since the last complete pull or the last nightly time. */
  attempts: number;
  /** When the HR system first refused the credentials. Null: it did not. */
  refusedAt: Temporal.Instant | null;
  /** How long the HR system asks to wait. */
  retryAfterMillis: number | undefined;
  nextScheduled: Temporal.Instant;
}

export interface FailurePlan {
  /** Null: the schedule stops until somebody reconnects. */
  nextPullAt: Temporal.Instant | null;
  attempts: number;
  refusedAt: Temporal.Instant | null;
  isInvalid: boolean;
}

const earlier = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) <= 0 ? a : b);
const later = (a: Temporal.Instant, b: Temporal.Instant) => (Temporal.Instant.compare(a, b) >= 0 ? a : b);

function planRefusal({ now, attempts, refusedAt }: FailedPull): FailurePlan {
  const first = refusedAt ?? now;
  const again = first.add({ minutes: refusalMinutes });
  const isInvalid = refusedAt !== null && Temporal.Instant.compare(now, again) >= 0;
  return { nextPullAt: isInvalid ? null : again, attempts: attempts + 1, refusedAt: first, isInvalid };
}

/**
 * Plans what follows a failed pull. Refused credentials are tried once more, an hour later. Everything else is tried
 * again with growing delays until the schedule pulls anyway, but not before the HR system allows it.
 */
export function planAfterFailure(failed: FailedPull): FailurePlan {
  if (failed.code === 'credentials-refused') return planRefusal(failed);
  const { code, now, attempts, refusedAt, retryAfterMillis = 0 } = failed;
  const after = (millis: number) => now.add({ milliseconds: Math.round(millis) });
  const delay = Math.min(firstDelayMinutes * 2 ** Math.min(attempts, 20), maxDelayMinutes) * 60_000;
  const allowed = after(Math.min(retryAfterMillis, 86_400_000));
  return {
    nextPullAt: later(earlier(after(delay), failed.nextScheduled), allowed),
    attempts: attempts + 1,
    refusedAt: acceptedCredentials.has(code) ? null : refusedAt,
    isInvalid: false,
  };
}
