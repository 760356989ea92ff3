import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { connectDatabase } from '../../src/db/database.ts';
import { openEmbedded } from '../../src/db/embedded/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import { connectAs, templateName } from './database.ts';

/**
 * Global set-up of the test run: one PostgreSQL server and one migrated template that every test database is copied
 * from. TEST_DATABASE_URL names a server to use instead of the embedded one.
 */
let tearDown = async () => {};

async function startServer(): Promise<string> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return given;
  const dataDir = await mkdtemp(join(tmpdir(), 'transit-test-'));
  const server = await openEmbedded({ dataDir, role: 'serve' });
  tearDown = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return server.url;
}

export async function globalSetup(): Promise<void> {
  const url = await startServer();
  process.env.TEST_SERVER_URL = url;
  const admin = await connectAs(url);
  await admin.query(`drop database if exists ${templateName}`);
  await admin.query(`create database ${templateName}`);
  await admin.end();
  const template = connectDatabase({ url: databaseUrl(url, templateName), max: 1, applicationName: 'template' });
  await migrate(template.db);
  await template.db.insertInto('environment').values({ name: 'staging' }).execute();
  await template.close();
  const queue = await openQueue({ url: databaseUrl(url, templateName), worker: false, log: pino({ level: 'silent' }) });
  await queue.stop();
}

const databaseUrl = (server: string, name: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href;

export async function globalTeardown(): Promise<void> {
  await tearDown();
}
