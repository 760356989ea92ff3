import type { Db, Tx } from './db/database.ts';
import type { Environment } from './domain/enums.ts';

/** The source of time. Tests and staging move it. The domain only sees the plain dates derived from it. */
export interface Clock {
  now(): Temporal.Instant;
}

export const systemClock: Clock = { now: () => Temporal.Now.instant() };

interface KnownDay {
  day: Temporal.PlainDate;
  text: string;
  /** The milliseconds since 1970 at which the day begins, and at which the next one begins. */
  from: number;
  until: number;
}

/** The day last asked for in each time zone. Requests ask again and again, and finding a day takes 10 µs. */
const knownDays = new Map<string, KnownDay>();

function findDay(now: Temporal.Instant, timeZone: string): KnownDay {
  const day = now.toZonedDateTimeISO(timeZone).toPlainDate();
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).epochMilliseconds;
  return { day, text: day.toString(), from: startOf(day), until: startOf(day.add({ days: 1 })) };
}

function knownDayIn(clock: Clock, timeZone: string): KnownDay {
  const now = clock.now();
  const known = knownDays.get(timeZone);
  const millis = now.epochMilliseconds;
  if (known !== undefined && millis >= known.from && millis < known.until) return known;
  const found = findDay(now, timeZone);
  knownDays.set(timeZone, found);
  return found;
}

export const todayIn = (clock: Clock, timeZone: string): Temporal.PlainDate => knownDayIn(clock, timeZone).day;

/** Returns the present day in a time zone as `YYYY-MM-DD`. */
export const todayTextIn = (clock: Clock, timeZone: string): string => knownDayIn(clock, timeZone).text;

/** How long another process may use the old time after the clock of this environment was moved. */
export const clockRefreshMillis = 500;

/**
 * The clock of an environment. Time travel moves it for all processes of the environment
 * (src/daily-run/time-travel.ts).
 */
export interface EnvironmentClock extends Clock {
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** Returns a clock that is never moved. */
export const unmoved = (clock: Clock): EnvironmentClock => ({
  ...clock,
  refresh: async () => {},
  stop: async () => {},
});

const readAheadSeconds = async (db: Db | Tx): Promise<number> =>
  (await db.selectFrom('environment').select('clock_ahead_seconds').executeTakeFirst())?.clock_ahead_seconds ?? 0;

/** Returns the current time of an environment, for callers that need it once. */
export async function readNow(db: Db | Tx, environment: Environment): Promise<Temporal.Instant> {
  const now = Temporal.Now.instant();
  return environment === 'production' ? now : now.add({ seconds: await readAheadSeconds(db) });
}

export async function openClock(db: Db, environment: Environment): Promise<EnvironmentClock> {
  if (environment === 'production') return unmoved(systemClock);
  let aheadSeconds = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const refresh = async () => {
    aheadSeconds = await readAheadSeconds(db);
  };
  await refresh();
  let underway = Promise.resolve();
  const lookAgain = () => {
    timer = setTimeout(() => {
      // If the refresh fails, the clock continues with the last known offset. Code that needs the database reports the
      // failure.
      underway = refresh()
        .catch(() => {})
        .then(() => (isStopped ? undefined : lookAgain()));
    }, clockRefreshMillis).unref();
  };
  lookAgain();
  return {
    now: () => (aheadSeconds === 0 ? Temporal.Now.instant() : Temporal.Now.instant().add({ seconds: aheadSeconds })),
    refresh,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      return underway;
    },
  };
}
