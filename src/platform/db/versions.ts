import { sql } from 'kysely';
import { type CompanyId, ofCompany } from './company-scope.ts';
import type { Db } from './database.ts';
import { preparedStatement } from './prepared-statement.ts';
import { allCompaniesMarker, isDistributed } from './shards.ts';

interface VersionRow {
  companyId: number;
  version: number;
}

/** One row with all of them: reading twenty rows takes longer than the rest of the statement. */
const selectVersions = preparedStatement(
  (_shape: object, { ids }: { ids: number[] }) => sql<{ versions: string | null }>`
    ${sql.raw(allCompaniesMarker)} select string_agg(v.company_id || ' ' || v.version, ',') as versions
    from company_versions v where v.company_id = any(${ids}::bigint[])`,
);

const selectVersion = preparedStatement(
  (_shape: object, { companyId }: { companyId: CompanyId }) => sql<VersionRow>`
    select v.company_id as "companyId", v.version from company_versions v where ${ofCompany(companyId, 'v')}`,
);

/** Reads the versions of companies. A company without a row has not changed since versions exist. */
type ReadVersions = (ids: CompanyId[]) => Promise<Map<number, number | Promise<number>>>;

const readTogether =
  (db: Db): ReadVersions =>
  async (ids) => {
    const versions = new Map<number, number>(ids.map((id) => [id, 0]));
    const [row] = await selectVersions(db, {}, { ids });
    for (const pair of row?.versions?.split(',') ?? []) {
      const [companyId, version] = pair.split(' ');
      versions.set(Number(companyId), Number(version));
    }
    return versions;
  };

/** Reads each version by a statement of its own: on Citus the companies are on different nodes, and one may be down. */
const readOneByOne =
  (db: Db): ReadVersions =>
  async (ids) => {
    const versions = ids.map((companyId) => {
      const version = selectVersion(db, {}, { companyId }).then(([row]) => row?.version ?? 0);
      // A request that fails for another reason does not wait for its version any more.
      version.catch(() => {});
      return [companyId, version] as const;
    });
    return new Map(versions);
  };

export interface Versions {
  /** Returns the version of a company: how many transactions have changed its records (src/platform/db/write.ts). */
  read(companyId: CompanyId): Promise<number>;
}

/** Selects the version of a company as part of another statement, which sees the same state of the company. */
export const versionColumn = (companyId: CompanyId) =>
  sql<number>`coalesce((select v.version from company_versions v where ${ofCompany(companyId, 'v')}), 0)`;

/** The name of the connections. A process of release 0.3 takes any other name for one of 0.2, and validates nothing beside it. */
export const applicationNameOf = (member: 'serve' | 'command') => `transit ${member}, counting changes`;

/** Beyond this rate, statements begin a millisecond apart, so that requests share them. One costs as much as a third of a response. */
const gatherAbovePerMilli = 2;
const gatherMillis = 1;
/** The part of the latest distance between two requests in the average, and the longest that counts. */
const [paceShare, maxPaceMillis] = [0.05, 10];

/** After this time the next statement does not wait for the one before, whose response may never arrive. */
const patienceMillis = 20;

interface Batch {
  ids: Set<CompanyId>;
  versions: PromiseWithResolvers<Awaited<ReturnType<ReadVersions>>>;
}

/** Reads versions for all waiting requests by one statement, which begins after each of them did. */
export function createVersionReader(db: Db): Versions {
  let next: Batch | undefined;
  let isReading = false;
  let begunAt = Number.NEGATIVE_INFINITY;
  let requestedAt = Number.NEGATIVE_INFINITY;
  /** The average time between two requests, in milliseconds. */
  let pace = maxPaceMillis;
  let reading: Promise<ReadVersions> | undefined;

  const findReader = async () => ((await isDistributed(db, 'company_versions')) ? readOneByOne(db) : readTogether(db));

  /** Asks once, unless the database is unavailable at the time. */
  function getReader(): Promise<ReadVersions> {
    reading ??= findReader().catch((error) => {
      reading = undefined;
      throw error;
    });
    return reading;
  }

  function schedule(): void {
    isReading = true;
    const isBusy = pace * gatherAbovePerMilli < 1;
    if (isBusy && performance.now() - begunAt < gatherMillis) setTimeout(readNext, gatherMillis);
    // Requests of the same turn of the event loop share the statement.
    else setImmediate(readNext);
  }

  async function readNext(): Promise<void> {
    const batch = next;
    next = undefined;
    if (batch === undefined) return;
    begunAt = performance.now();
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      isReading = false;
      if (next !== undefined) schedule();
    };
    const timer = setTimeout(end, patienceMillis).unref();
    try {
      const readVersions = await getReader();
      batch.versions.resolve(await readVersions([...batch.ids]));
    } catch (error) {
      batch.versions.reject(error);
    }
    end();
  }

  function openBatch(): Batch {
    if (!isReading) schedule();
    return { ids: new Set(), versions: Promise.withResolvers() };
  }

  return {
    read(companyId) {
      const now = performance.now();
      pace += (Math.min(maxPaceMillis, now - requestedAt) - pace) * paceShare;
      requestedAt = now;
      next ??= openBatch();
      next.ids.add(companyId);
      return next.versions.promise.then((versions) => versions.get(companyId) ?? 0);
    },
  };
}
