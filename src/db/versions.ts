import { sql } from 'kysely';
import { type CompanyId, ofCompany } from './company-scope.ts';
import type { Db } from './database.ts';
import { preparedStatement } from './prepared-statement.ts';
import { allCompaniesMarker, isDistributed } from './shards.ts';

interface VersionRow {
  companyId: number;
  version: number;
}

const selectVersions = preparedStatement(
  (_shape: object, { ids }: { ids: number[] }) => sql<VersionRow>`
    ${sql.raw(allCompaniesMarker)} select v.company_id as "companyId", v.version from company_versions v
    where v.company_id = any(${ids}::bigint[])`,
);

const selectVersion = preparedStatement(
  (_shape: object, { companyId }: { companyId: CompanyId }) => sql<VersionRow>`
    select v.company_id as "companyId", v.version from company_versions v where ${ofCompany(companyId, 'v')}`,
);

/** Reads the versions of companies. A company without a row has not changed since versions exist. */
type ReadVersions = (ids: CompanyId[]) => Map<CompanyId, Promise<number>>;

/** Reads all versions by one statement. */
const readTogether =
  (db: Db): ReadVersions =>
  (ids) => {
    const all = selectVersions(db, {}, { ids }).then(
      (rows) => new Map(rows.map((row) => [row.companyId, row.version])),
    );
    return new Map(ids.map((id) => [id, all.then((versions) => versions.get(id) ?? 0)]));
  };

/** Reads each version by a statement of its own: on Citus the companies are on different nodes, and one may be down. */
const readOneByOne =
  (db: Db): ReadVersions =>
  (ids) =>
    new Map(
      ids.map((companyId) => [companyId, selectVersion(db, {}, { companyId }).then(([row]) => row?.version ?? 0)]),
    );

export interface Versions {
  /**
   * Returns the version of a company: how many transactions have changed its records (src/db/write.ts). Returns
   * undefined if it says nothing.
   */
  read(companyId: CompanyId): Promise<number | undefined>;
  /** Returns whether versions say something: no process of release 0.2 has been connected, which does not count its changes. */
  areCounted(): Promise<boolean>;
}

/** Selects the version of a company as part of another statement, which sees the same state of the company. */
export const versionColumn = (companyId: CompanyId) =>
  sql<number>`coalesce((select v.version from company_versions v where ${ofCompany(companyId, 'v')}), 0)`;

/** The name of the connections of a process that counts its changes. */
export const applicationNameOf = (member: 'serve' | 'command') => `transit ${member}, counting changes`;

const uncountingNames = ['transit serve', 'transit command'];
const lookAgainMillis = 1_000;

/**
 * Returns whether a process of release 0.2 has been connected, as during an upgrade without a gap. Looks once a second.
 * Stays true until this process is started again: what that one changed was never counted.
 */
function createUncountedCheck(db: Db): () => Promise<boolean> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let isUncounted = Promise.resolve(true);
  let hasBeenSeen = false;
  const look = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and application_name = any(${uncountingNames})
      limit 1`.execute(db);
    return rows.length > 0;
  };
  return () => {
    if (performance.now() - lookedAt < lookAgainMillis || hasBeenSeen) return isUncounted;
    lookedAt = performance.now();
    isUncounted = look();
    isUncounted.then(
      (isSeen) => {
        hasBeenSeen = isSeen;
      },
      () => {
        lookedAt = Number.NEGATIVE_INFINITY;
      },
    );
    return isUncounted;
  };
}

interface Batch {
  ids: Set<CompanyId>;
  versions: Promise<Map<CompanyId, Promise<number>>>;
}

/**
 * Reads versions for all requests that wait at a moment by one statement. The statement begins after each of these
 * requests did, so a request sees every change that was committed before it.
 */
export function createVersionReader(db: Db): Versions {
  let next: Batch | undefined;
  let reading: Promise<ReadVersions> | undefined;
  const isUncounted = createUncountedCheck(db);

  const findReader = async () => ((await isDistributed(db, 'company_versions')) ? readOneByOne(db) : readTogether(db));

  /** Asks once, unless the database is unavailable at the time. */
  function getReader(): Promise<ReadVersions> {
    reading ??= findReader().catch((error) => {
      reading = undefined;
      throw error;
    });
    return reading;
  }

  function openBatch(): Batch {
    const ids = new Set<CompanyId>();
    const read = async () => {
      const readVersions = await getReader();
      // Requests of the same turn of the event loop share the statement.
      await new Promise((resolve) => setImmediate(resolve));
      next = undefined;
      const found = readVersions([...ids]);
      // A request that fails for another reason does not wait for its version any more.
      for (const version of found.values()) version.catch(() => {});
      return found;
    };
    const versions = read();
    versions.catch(() => {
      next = undefined;
    });
    return { ids, versions };
  }

  return {
    async read(companyId) {
      next ??= openBatch();
      next.ids.add(companyId);
      const [versions, hasUncounted] = await Promise.all([next.versions, isUncounted()]);
      const version = await versions.get(companyId);
      return hasUncounted ? undefined : version;
    },
    areCounted: async () => !(await isUncounted()),
  };
}
