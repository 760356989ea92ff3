import { type EnvironmentClock, maxDifferenceSeconds } from '../../platform/clock/clock.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import type { Db } from '../../platform/db/database.ts';
import { readMigrations } from '../../platform/db/migrate-files.ts';
import { readMigrationState } from '../../platform/db/migrate-state.ts';
import type { ReadinessCheck } from '../../platform/telemetry/readiness.ts';
import { inTime } from './reading.ts';

/** A probe of the usual orchestrators waits for a second. */
const timeoutMillis = 800;

/** Checks that the database responds and has the migrations of this version, and none that removed what it reads. */
export async function checkDatabase(db: Db): Promise<ReadinessCheck> {
  const migrations = await readMigrations();
  return async () => {
    try {
      const state = await inTime(readMigrationState(db, migrations), timeoutMillis);
      if (state === undefined) return 'the database does not respond';
      return state.pending.length === 0 ? undefined : 'the database lacks migrations';
    } catch (error) {
      return error instanceof OperatorError
        ? 'the migrations of the database do not fit this version'
        : 'the database does not respond';
    }
  };
}

/** Returns a check that the clocks of this machine and of the database server agree. The other check reports an outage. */
export const checkClock = (db: Db, clock: EnvironmentClock): ReadinessCheck => {
  const message = `the clock of this machine differs from that of the database by more than ${maxDifferenceSeconds} s`;
  return async () => {
    const difference = await inTime(clock.readDifference(db), timeoutMillis).catch(() => undefined);
    return difference !== undefined && difference > maxDifferenceSeconds ? message : undefined;
  };
};
