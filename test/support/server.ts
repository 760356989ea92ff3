import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase } from '../../src/db/database.ts';
import { openEmbedded } from '../../src/db/embedded/index.ts';
import { settings } from '../../src/db/embedded/launch.ts';
import { prepareDatabase } from '../../src/prepare-database.ts';
import { addressOf, connectAs, roles, templateName } from './connections.ts';

/**
 * Global set-up of the test run: one PostgreSQL server, the roles that own and use the test databases, and one prepared
 * template from which every test database is copied. TEST_DATABASE_URL names a server to use instead of the embedded
 * one, with one of its superusers.
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
  // Nothing of a test run must survive a power failure, so the server need not wait for the disk.
  const unsafe = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
  Object.assign(settings, { ...unsafe, wal_init_zero: 'off', max_wal_size: '256MB' });
  const server = await openEmbedded({ dataDir, role: 'serve' });
  tearDown = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return server.adminUrl;
}

/** Creates the template and the roles. Roles belong to the whole server, which may have them from an earlier run. */
async function makeTemplate(url: string): Promise<void> {
  const admin = await connectAs(url);
  try {
    await admin.query(`drop database if exists ${templateName}`);
    for (const role of Object.values(roles)) {
      const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [role]);
      if (rowCount === 0) await admin.query(`create role ${role} login password '${role}'`);
    }
    await admin.query(`create database ${templateName} owner ${roles.owner}`);
  } finally {
    await admin.end();
  }
}

export async function globalSetup(): Promise<void> {
  const url = await startServer();
  process.env.TEST_SERVER_URL = url;
  await makeTemplate(url);
  const owner = addressOf(templateName, 'owner');
  const template = connectDatabase({ url: owner, max: 3, applicationName: 'template' });
  await prepareDatabase({ db: template.db, url: owner, serviceRole: roles.service });
  await template.db.insertInto('environment').values({ name: 'staging' }).execute();
  await template.close();
}

export async function globalTeardown(): Promise<void> {
  await tearDown();
}
