/** Where time comes from. Tests and staging move it; the domain only ever sees the plain dates made from it. */
export interface Clock {
  now(): Temporal.Instant;
}

export const systemClock: Clock = { now: () => Temporal.Now.instant() };

export const todayIn = (clock: Clock, timeZone: string): Temporal.PlainDate =>
  clock.now().toZonedDateTimeISO(timeZone).toPlainDate();
