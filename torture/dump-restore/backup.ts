import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connectAs } from '../../test/support/database.ts';
import {
  type Contents,
  countStaleSequences,
  differingTables,
  readContents,
  readDefinitions,
  readPrivileges,
} from './contents.ts';
import { type InstalledPostgres, serviceRole } from './installed-postgres.ts';

/**
 * The operator's commands. The database comes first, then the files, because every file that a row of the dump names
 * was stored before the row. In the other order, a document written in between would be a row without its file.
 */
const commands = {
  dump: 'pg_dump --format=custom --snapshot="$SNAPSHOT" --file=transit.dump "$DATABASE_URL"',
  copyFiles: 'cp -a "$DOCUMENT_STORE" documents',
  restore: 'pg_restore --exit-on-error --no-owner --no-privileges --dbname="$DATABASE_URL" transit.dump',
  // Removes files of documents that were written after the dump. No row refers to them, so the service would never
  // remove them.
  removeUnknown: `
    psql -AtX "$DATABASE_URL" -c 'select store_key from documents where store_key is not null' | LC_ALL=C sort > known
    cd documents
    find . -type f -printf '%P\\n' | LC_ALL=C sort | LC_ALL=C comm -13 ../known - | xargs -r -d '\\n' rm --`,
};

/** Opens a transaction with a snapshot for pg_dump, taken at a moment with unfinished jobs and syncs. */
async function openSnapshot(client: pg.Client): Promise<{ snapshot: string; jobs: number; syncs: number }> {
  for (;;) {
    await client.query('begin isolation level repeatable read, read only');
    const { rows } = await client.query<{ snapshot: string; jobs: number; syncs: number }>(`
      select pg_export_snapshot() as snapshot,
        (select count(*)::int from queue.job where state in ('created', 'retry', 'active')) as jobs,
        (select count(*)::int from syncs where state in ('accepted', 'processing')) as syncs`);
    const [seen] = rows;
    if (seen !== undefined && seen.jobs > 0 && seen.syncs > 0) return seen;
    await client.query('rollback');
    await sleep(10);
  }
}

export interface Dump {
  seconds: number;
  contents: Contents;
  definitions: string[];
  /** The privileges of the service. */
  privileges: string[];
  /** How many jobs and syncs were unfinished at that moment. */
  jobs: number;
  syncs: number;
}

/**
 * Dumps the database into the folder at a moment with unfinished work. Returns what the database held at exactly that
 * moment.
 */
export async function dumpInto(folder: string, postgres: InstalledPostgres, databaseUrl: string): Promise<Dump> {
  const client = await connectAs(databaseUrl);
  try {
    const { snapshot, jobs, syncs } = await openSnapshot(client);
    const begun = performance.now();
    const dumping = postgres
      .shell(commands.dump, folder, { DATABASE_URL: databaseUrl, SNAPSHOT: snapshot })
      .then(() => (performance.now() - begun) / 1_000);
    const [seconds, contents] = await Promise.all([dumping, readContents(client)]);
    const definitions = await readDefinitions(client);
    return { seconds, contents, definitions, privileges: await readPrivileges(client, serviceRole), jobs, syncs };
  } finally {
    await client.end();
  }
}

export const copyFilesInto = (folder: string, postgres: InstalledPostgres, documentStore: string): Promise<void> =>
  postgres.shell(commands.copyFiles, folder, { DOCUMENT_STORE: documentStore });

export interface Compared {
  differing: string[];
  definitions: number;
  staleSequences: number;
}

/** Restores into an empty database and compares it with the dump. */
export async function restoreFrom(
  folder: string,
  postgres: InstalledPostgres,
  databaseUrl: string,
  dump: Dump,
): Promise<Compared> {
  await postgres.shell(commands.restore, folder, { DATABASE_URL: databaseUrl });
  const client = await connectAs(databaseUrl);
  try {
    const definitions = new Set(await readDefinitions(client)).symmetricDifference(new Set(dump.definitions));
    return {
      differing: differingTables(dump.contents, await readContents(client)),
      definitions: definitions.size,
      staleSequences: await countStaleSequences(client),
    };
  } finally {
    await client.end();
  }
}

/**
 * Returns the privileges that differ from the dump. The restore omits privileges, so the next start of the service must
 * grant them to its role again.
 */
export async function differingPrivileges(databaseUrl: string, dump: Dump): Promise<string[]> {
  const client = await connectAs(databaseUrl);
  try {
    const restored = await readPrivileges(client, serviceRole);
    return [...new Set(restored).symmetricDifference(new Set(dump.privileges))];
  } finally {
    await client.end();
  }
}

export const removeUnknownFiles = (folder: string, postgres: InstalledPostgres, databaseUrl: string): Promise<void> =>
  postgres.shell(commands.removeUnknown, folder, { DATABASE_URL: databaseUrl });
