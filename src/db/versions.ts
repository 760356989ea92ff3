import { sql } from 'kysely';
import type { CompanyId } from './company-scope.ts';
import type { Db } from './database.ts';
import { preparedStatement } from './prepared-statement.ts';

interface VersionRow {
  companyId: number;
  version: number;
}

const selectVersions = preparedStatement(
  (_shape: object, { ids }: { ids: number[] }) => sql<VersionRow>`
    select v.company_id as "companyId", v.version from company_versions v where v.company_id = any(${ids}::bigint[])`,
);

/**
 * Returns the version of a company: how many transactions have changed its records (src/db/write.ts). Returns undefined
 * while it says nothing, because a process of release 0.2 is connected, which does not count its changes.
 */
export type ReadVersion = (companyId: CompanyId) => Promise<number | undefined>;

/** The name of the connections of a process that counts its changes. */
export const applicationNameOf = (member: 'serve' | 'command') => `transit ${member}, counting changes`;

const uncountingNames = ['transit serve', 'transit command'];
const lookAgainMillis = 1_000;

/** Returns whether a process of release 0.2 is connected, as during an upgrade without a gap. Looks once a second. */
function createUncountedCheck(db: Db): () => Promise<boolean> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isUncounted = Promise.resolve(true);
  const look = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and application_name = any(${uncountingNames})
      limit 1`.execute(db);
    return rows.length > 0;
  };
  return () => {
    if (performance.now() - lookedAt < lookAgainMillis) return isUncounted;
    lookedAt = performance.now();
    isUncounted = look();
    isUncounted.catch(() => {
      lookedAt = Number.NEGATIVE_INFINITY;
    });
    return isUncounted;
  };
}

interface Batch {
  ids: Set<number>;
  rows: Promise<Map<number, number>>;
}

/**
 * Reads versions for all requests that wait at a moment by one statement. The statement begins after each of these
 * requests did, so a request sees every change that was committed before it.
 */
export function createVersionReader(db: Db): ReadVersion {
  let next: Batch | undefined;
  const isUncounted = createUncountedCheck(db);

  function openBatch(): Batch {
    const ids = new Set<number>();
    const read = async () => {
      // Requests of the same turn of the event loop share the statement.
      await new Promise((resolve) => setImmediate(resolve));
      next = undefined;
      const rows = await selectVersions(db, {}, { ids: [...ids] });
      return new Map(rows.map(({ companyId, version }) => [companyId, version]));
    };
    return { ids, rows: read() };
  }

  return async (companyId) => {
    next ??= openBatch();
    next.ids.add(companyId);
    const [versions, hasUncounted] = await Promise.all([next.rows, isUncounted()]);
    return hasUncounted ? undefined : (versions.get(companyId) ?? 0);
  };
}
