import type { Db, Tx } from './db/database.ts';
import type { Environment } from './domain/enums.ts';

/** Where time comes from. Tests and staging move it; the domain only ever sees the plain dates made from it. */
export interface Clock {
  now(): Temporal.Instant;
}

export const systemClock: Clock = { now: () => Temporal.Now.instant() };

export const todayIn = (clock: Clock, timeZone: string): Temporal.PlainDate =>
  clock.now().toZonedDateTimeISO(timeZone).toPlainDate();

/** How long another process may go on by the old time after this environment's clock was moved. */
export const clockRefreshMillis = 500;

/** The clock of an environment, which time travel moves for all of its processes (src/daily-run/time-travel.ts). */
export interface EnvironmentClock extends Clock {
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** A clock that nobody moves. */
export const unmoved = (clock: Clock): EnvironmentClock => ({
  ...clock,
  refresh: async () => {},
  stop: async () => {},
});

const readAheadSeconds = async (db: Db | Tx): Promise<number> =>
  (await db.selectFrom('environment').select('clock_ahead_seconds').executeTakeFirst())?.clock_ahead_seconds ?? 0;

/** Returns the time of an environment, for whoever needs it once. */
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
      // Without the database the time goes on as it is known; whoever needs the database says so.
      underway = refresh()
        .catch(() => {})
        .then(() => (isStopped ? undefined : lookAgain()));
    }, clockRefreshMillis).unref();
  };
  lookAgain();
  return {
    now: () => Temporal.Now.instant().add({ seconds: aheadSeconds }),
    refresh,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      return underway;
    },
  };
}
