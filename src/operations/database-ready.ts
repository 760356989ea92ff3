import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { readMigrations } from '../db/migrate-files.ts';
import type { ReadinessCheck } from '../metrics/readiness.ts';

/** A probe of the usual orchestrators waits for a second. */
const timeoutMillis = 800;

/**
 * Returns a check that the database responds and has every migration of this version. It may have more: a newer version
 * migrates while this one still runs.
 */
export async function checkDatabase(db: Db): Promise<ReadinessCheck> {
  const names = (await readMigrations()).map(({ name }) => name);
  const countMissing = async () => {
    const { rows } = await sql<{ applied: number }>`
      select count(*) as applied from schema_migrations m where m.name = any(${names})`.execute(db);
    return names.length - (rows[0]?.applied ?? 0);
  };
  return async () => {
    const { promise: late, resolve } = Promise.withResolvers<'late'>();
    const timer = setTimeout(() => resolve('late'), timeoutMillis);
    try {
      const missing = await Promise.race([countMissing(), late]);
      if (missing === 'late') return 'the database does not respond';
      return missing === 0 ? undefined : 'the database lacks migrations';
    } catch {
      return 'the database does not respond';
    } finally {
      clearTimeout(timer);
    }
  };
}
