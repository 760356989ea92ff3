import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { connectDatabase } from '../../src/platform/db/database.ts';
import { openEmbedded } from '../../src/platform/db/embedded/index.ts';
import { settings as serverSettings } from '../../src/platform/db/embedded/launch.ts';
import { prepareDatabase } from '../../src/platform/db/prepare-database.ts';
import { watchChanges } from './change-watch.ts';
import {
  closeForCopies,
  copyGivenDatabase,
  createDatabaseFrom,
  findNodeUrls,
  isCluster,
  onEveryServer,
} from './cluster.ts';
import { addressOf, roles, templateName } from './connections.ts';

/**
 * Global set-up of the test run: one PostgreSQL server, the roles that own and use the test databases, and one prepared
 * template from which every test database is copied. TEST_DATABASE_URL names a server to use instead of the embedded
 * one, with one of its superusers. If that is a database of a Citus coordinator, the test databases are distributed.
 */
let tearDown = async () => {};

const memoryFolder = '/dev/shm';
const enoughBytes = 4 * 1024 ** 3;

/**
 * Returns the folder for the server's files: memory if there is plenty, since most of the files live for a second.
 * Creating files soon after others were deleted is slow on some file systems.
 */
async function findFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(memoryFolder).catch(() => ({ bavail: 0, bsize: 0 }));
  return Math.min(bavail * bsize, process.availableMemory()) > enoughBytes ? memoryFolder : tmpdir();
}

async function startServer(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return given;
  const dataDir = await mkdtemp(join(await findFolder(), 'transit-test-'));
  // Nothing of a test run must survive a power failure, so the server need not wait for the disk. Its databases are
  // dropped before tidying them up would pay.
  const unsafe = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  const settings = { ...unsafe, wal_init_zero: 'off', max_wal_size: '256MB', autovacuum: 'off' };
  Object.assign(serverSettings, settings);
  const { adminUrl, stop } = await openEmbedded({ dataDir, role: 'serve', isTemporary: true });
  tearDown = stop;
  return adminUrl;
}

/** Creates the roles, which belong to a whole server. It may have them from an earlier run. */
async function createRoles(client: pg.Client): Promise<void> {
  for (const role of Object.values(roles)) {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
    if (rowCount === 0) await client.query(`create role ${role} login password '${role}'`);
  }
}

/** On a Citus cluster, the template is a copy of the given database, which knows the nodes already. */
async function createTemplate(): Promise<void> {
  await onEveryServer(async (client) => {
    await client.query(`drop database if exists ${templateName} with (force)`);
    await createRoles(client);
    if (!isCluster()) return createDatabaseFrom(client, templateName, undefined);
    await copyGivenDatabase(client, templateName);
    // Enough to spread companies over the nodes, and few, because every test copies them.
    await client.query(`alter database ${templateName} set citus.shard_count = 4`);
  });
}

export async function globalSetup(): Promise<void> {
  const url = await startServer();
  process.env.TEST_SERVER_URL = url;
  process.env.TEST_SERVER_NODES = (await findNodeUrls(url)).join(',');
  await createTemplate();
  const owner = addressOf(templateName, 'owner');
  const template = connectDatabase({ url: owner, max: 3, applicationName: 'template', streaming: true });
  await prepareDatabase({ db: template.db, url: owner, serviceRole: roles.service });
  await template.db.insertInto('environment').values({ name: 'staging' }).execute();
  await template.close();
  // Citus allows no triggers on distributed tables.
  if (isCluster()) await onEveryServer((client) => closeForCopies(client, templateName));
  else await watchChanges(addressOf(templateName));
}

export async function globalTeardown(): Promise<void> {
  await tearDown();
}
