import { sql } from 'kysely';
import type { CompanyId } from './company-scope.ts';
import type { Db } from './database.ts';
import { preparedStatement } from './prepared-statement.ts';

interface VersionRow {
  id: number;
  version: number;
}

const selectVersions = preparedStatement(
  (_shape: object, { ids }: { ids: number[] }) => sql<VersionRow>`
    select c.id, c.version from companies c where c.id = any(${ids}::bigint[])`,
);

/** Returns the version of a company: how many transactions have changed its records (src/db/write.ts). */
export type ReadVersion = (companyId: CompanyId) => Promise<number | undefined>;

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

  function openBatch(): Batch {
    const ids = new Set<number>();
    const read = async () => {
      // Requests of the same turn of the event loop share the statement.
      await new Promise((resolve) => setImmediate(resolve));
      next = undefined;
      const rows = await selectVersions(db, {}, { ids: [...ids] });
      return new Map(rows.map(({ id, version }) => [id, version]));
    };
    return { ids, rows: read() };
  }

  return async (companyId) => {
    next ??= openBatch();
    next.ids.add(companyId);
    return (await next.rows).get(companyId);
  };
}
