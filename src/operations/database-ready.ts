import type { Db } from '../db/database.ts';
import { readMigrations } from '../db/migrate-files.ts';
import { readMigrationState } from '../db/migrate-state.ts';
import type { ReadinessCheck } from '../metrics/readiness.ts';
import { OperatorError } from '../operator-error.ts';

/** A probe of the usual orchestrators waits for a second. */
const timeoutMillis = 800;

/**
 * Returns a check that the database responds, has every migration of this version, and none of a newer version that
 * removed what this one reads. It may have others: a newer version migrates while this one still runs.
 */
export async function checkDatabase(db: Db): Promise<ReadinessCheck> {
  const migrations = await readMigrations();
  return async () => {
    const { promise: late, resolve } = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => resolve(undefined), timeoutMillis);
    try {
      const state = await Promise.race([readMigrationState(db, migrations), late]);
      if (state === undefined) return 'the database does not respond';
      return state.pending.length === 0 ? undefined : 'the database lacks migrations';
    } catch (error) {
      return error instanceof OperatorError
        ? 'the migrations of the database do not fit this version'
        : 'the database does not respond';
    } finally {
      clearTimeout(timer);
    }
  };
}
