import { sql } from 'kysely';
import type { Environment } from '../../domain/enums.ts';
import { OperatorError } from '../config/operator-error.ts';
import type { Db, Tx } from '../db/database.ts';

/** The source of time. Tests and staging move it. The domain only sees the plain dates derived from it. */
export interface Clock {
  now(): Temporal.Instant;
  /** Returns the same in milliseconds since 1970, without an object. Every request asks for its day. */
  millis?(): number;
  /** Returns the time of the database server. Throws if ours differs by a minute. Absent: nothing to compare. */
  confirm?(db: Db | Tx): Promise<Temporal.Instant>;
}

export const systemClock: Clock = { now: () => Temporal.Now.instant(), millis: () => Date.now() };

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
  const known = knownDays.get(timeZone);
  const millis = clock.millis?.() ?? clock.now().epochMilliseconds;
  if (known !== undefined && millis >= known.from && millis < known.until) return known;
  const found = findDay(Temporal.Instant.fromEpochMilliseconds(millis), timeZone);
  knownDays.set(timeZone, found);
  return found;
}

export const todayIn = (clock: Clock, timeZone: string): Temporal.PlainDate => knownDayIn(clock, timeZone).day;

export const todayTextIn = (clock: Clock, timeZone: string): string => knownDayIn(clock, timeZone).text;

/** How long another process may use the old time after the clock of this environment was moved. */
export const clockRefreshMillis = 500;

/** The clock of an environment, which time travel moves for all of its processes. */
export interface EnvironmentClock extends Clock {
  refresh(): Promise<void>;
  /** Returns by how many seconds the clock of this machine differs from that of the database server. */
  readDifference(db: Db): Promise<number>;
  stop(): Promise<void>;
}

export const unmoved = (clock: Clock): EnvironmentClock => ({
  ...clock,
  refresh: async () => {},
  readDifference: async () => 0,
  stop: async () => {},
});

const readAheadSeconds = async (db: Db | Tx): Promise<number> =>
  (await db.selectFrom('environment').select('clock_ahead_seconds').executeTakeFirst())?.clock_ahead_seconds ?? 0;

export async function readNow(db: Db | Tx, environment: Environment): Promise<Temporal.Instant> {
  const now = Temporal.Now.instant();
  return environment === 'production' ? now : now.add({ seconds: await readAheadSeconds(db) });
}

/** The clocks of this machine and of the database server may differ by so much. More makes days and months wrong. */
export const maxDifferenceSeconds = 60;

/** Reads the clock of the database server. `difference`: that of this machine to it in seconds, at least. */
export async function compareClocks(
  db: Db | Tx,
  own: () => number,
): Promise<{ theirs: Temporal.Instant; difference: number }> {
  const before = own();
  const { rows } = await sql<{ millis: number }>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as millis`.execute(db);
  const after = own();
  const millis = rows[0]?.millis ?? before;
  // The server has read its clock at some moment between the two.
  const difference = Math.max(before - millis, millis - after, 0) / 1000;
  return { theirs: Temporal.Instant.fromEpochMilliseconds(Math.floor(millis)), difference };
}

class ClockError extends OperatorError {
  /** As of a server which cannot work now: requests get 503, and jobs are repeated. */
  readonly code = '57P03';
  constructor(difference: number) {
    super(
      `The clock of this machine differs from that of the database server by ${Math.round(difference)} s, so no day is ` +
        'processed and nothing is issued or billed. Synchronise both machines by NTP.',
    );
  }
}

export const isClockError = (error: unknown): boolean => error instanceof ClockError;

export const confirmNow = async (db: Db | Tx, clock: Clock): Promise<Temporal.Instant> =>
  clock.confirm === undefined ? clock.now() : clock.confirm(db);

/** `own`: the clock of this machine. Tests move it. */
export async function openClock(db: Db, environment: Environment, own: Clock = systemClock): Promise<EnvironmentClock> {
  const ownMillis = () => own.millis?.() ?? own.now().epochMilliseconds;
  const compared = {
    readDifference: async (given: Db) => (await compareClocks(given, ownMillis)).difference,
    async confirm(given: Db | Tx) {
      const { theirs, difference } = await compareClocks(given, ownMillis);
      if (difference > maxDifferenceSeconds) throw new ClockError(difference);
      return environment === 'production' ? theirs : theirs.add({ seconds: await readAheadSeconds(given) });
    },
  };
  if (environment === 'production') return { ...unmoved(own), ...compared };
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
    ...compared,
    now: () => (aheadSeconds === 0 ? own.now() : own.now().add({ seconds: aheadSeconds })),
    millis: () => ownMillis() + aheadSeconds * 1000,
    refresh,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      return underway;
    },
  };
}
