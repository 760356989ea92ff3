import { randomBytes } from 'node:crypto';
import { after, before } from 'node:test';
import type pg from 'pg';
import { connectDatabase, type Db } from '../../src/platform/db/database.ts';
import { assertChangesCounted } from './change-watch.ts';
import { copyGivenDatabase, createDatabaseFrom, dropDatabase, isCluster, onEveryServer } from './cluster.ts';
import { addressOf, templateName, withConnection } from './connections.ts';
import { prepare } from './prepare.ts';

export { addressOf, connectAs, denied, roles, serverUrl, withConnection } from './connections.ts';

// `npm test` starts one server for all files. A file that runs alone, with `node --test`, starts its own.
if (process.env.NODE_TEST_CONTEXT !== undefined && process.env.TEST_SERVER_URL === undefined) {
  before(async () => (await import('./server.ts')).globalSetup());
  after(async () => (await import('./server.ts')).globalTeardown());
}

export interface TestDatabase extends AsyncDisposable {
  /** Connects as the role of the service, which only reads and writes rows. */
  url: string;
  ownerUrl: string;
  /** Connects as the superuser, as `db` does too. */
  adminUrl: string;
  /** The test's own access: it may do anything, and take as long as a busy machine needs. */
  db: Db;
  drop(): Promise<void>;
}

interface DatabaseOptions {
  isWatched?: boolean;
  create(client: pg.Client, name: string): Promise<void>;
}

async function createDatabase({ isWatched = false, create }: DatabaseOptions): Promise<TestDatabase> {
  const name = `transit_${randomBytes(6).toString('hex')}`;
  await onEveryServer((client) => create(client, name));
  const { db, close } = connectDatabase({
    url: addressOf(name),
    max: 8,
    applicationName: 'test',
    streaming: true,
  });
  async function drop(): Promise<void> {
    await close();
    try {
      if (isWatched && !isCluster()) await withConnection(addressOf(name), assertChangesCounted);
    } finally {
      await onEveryServer((client) => dropDatabase(client, name));
    }
  }
  return {
    url: addressOf(name, 'service'),
    ownerUrl: addressOf(name, 'owner'),
    adminUrl: addressOf(name),
    db,
    drop,
    [Symbol.asyncDispose]: drop,
  };
}

/**
 * Creates a migrated, empty database for the test, on the server of the run. `isWatched`: false if the test itself writes
 * as the service.
 */
export const createTestDatabase = ({ isWatched = true } = {}) =>
  createDatabase({ isWatched, create: (client, name) => createDatabaseFrom(client, name, templateName) });

/** Creates a migrated database for the tests of a suite or file. */
export const useDatabase = (options?: Parameters<typeof createTestDatabase>[0]): TestDatabase =>
  prepare(
    () => createTestDatabase(options),
    (database) => database.drop(),
  );

/** Creates a database that no migration has run on. It does not belong to a cluster. */
export const createEmptyDatabase = () =>
  createDatabase({ create: (client, name) => createDatabaseFrom(client, name, undefined) });

/** Creates a database of the Citus cluster that has no tables yet. */
export const createUndistributedDatabase = () => createDatabase({ create: copyGivenDatabase });
