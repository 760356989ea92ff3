import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { connectDatabase, type Db, executeScript } from '../../src/db/database.ts';
import { readMigrations } from '../../src/db/migrate.ts';

export const templateName = 'transit_template';

export async function connectAs(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

export function serverUrl(): string {
  const url = process.env.TEST_SERVER_URL;
  if (!url) throw new Error('Run the tests with `npm test`: its set-up starts the database server.');
  return url;
}

/** Who owns the databases of the tests, and as whom the service runs in them, with names that are their passwords. */
export const roles = { owner: 'transit_test_owner', service: 'transit_test_service' } as const;

/** The address of a database on the server of the run, for its superuser unless a role is given. */
export function addressOf(name: string, role?: keyof typeof roles): string {
  const as = role === undefined ? {} : { username: roles[role], password: roles[role] };
  return Object.assign(new URL(serverUrl()), { pathname: `/${name}`, ...as }).href;
}

export interface TestDatabase {
  /** As the role that the service runs as, which only reads and writes rows. */
  url: string;
  ownerUrl: string;
  /** As the superuser, as whom `db` works too. */
  adminUrl: string;
  /** The hand of the test: it may do anything, and take as long as a busy machine needs. */
  db: Db;
  drop(): Promise<void>;
}

/** An empty database, or a copy of the template. */
async function createDatabase(template = ''): Promise<TestDatabase> {
  const name = `transit_${randomBytes(6).toString('hex')}`;
  const admin = await connectAs(serverUrl());
  await admin.query(`create database ${name} ${template && `template ${template}`} owner ${roles.owner}`);
  await admin.end();
  const { db, close } = connectDatabase({
    url: addressOf(name),
    max: 8,
    applicationName: 'test',
    streaming: true,
  });
  return {
    url: addressOf(name, 'service'),
    ownerUrl: addressOf(name, 'owner'),
    adminUrl: addressOf(name),
    db,
    async drop() {
      await close();
      const again = await connectAs(serverUrl());
      await again.query(`drop database ${name} with (force)`);
      await again.end();
    },
  };
}

/** A database of the test's own, migrated and empty, on the server of the run. */
export const createTestDatabase = () => createDatabase(templateName);

/** A database as an older version left it: migrated up to the first migration that is not before the given name. */
export async function createOlderDatabase(before: string): Promise<TestDatabase> {
  const older = await createDatabase();
  await sql`create table schema_migrations (name text primary key, checksum text not null,
    applied_at timestamptz not null default now())`.execute(older.db);
  for (const { name, text, checksum } of (await readMigrations()).filter((one) => one.name < before)) {
    await executeScript(older.db, text);
    await sql`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`.execute(older.db);
  }
  return older;
}
