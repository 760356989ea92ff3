import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { OperatorError } from '../operator-error.ts';
import { type Db, executeScript, type Tx } from './database.ts';

const folder = new URL('../../migrations/', import.meta.url);
const oldestServer = 150_000;

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

async function assertServerVersion(db: Db): Promise<void> {
  const { rows } = await sql<{ number: number; name: string }>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name`.execute(db);
  const server = rows[0];
  if (server && server.number < oldestServer) {
    throw new OperatorError(`DATABASE_URL points to PostgreSQL ${server.name}. Use version 15 or newer.`);
  }
}

/**
 * Returns the missing migrations. Throws if the database has a migration that this version does not know, or one with
 * other contents.
 */
function findMissing(applied: ReadonlyMap<string, string>, migrations: Migration[]): Migration[] {
  for (const name of applied.keys()) {
    if (!migrations.some((migration) => migration.name === name)) {
      throw new OperatorError(
        `The database has migration ${name}, which this version does not know. Run a newer version.`,
      );
    }
  }
  const missing = migrations.filter((migration) => applied.get(migration.name) !== migration.checksum);
  const changed = missing.find(({ name }) => applied.has(name));
  if (changed !== undefined) {
    throw new OperatorError(
      `Migration ${changed.name} was changed after it was applied. Restore the file and add a new migration instead.`,
    );
  }
  return missing;
}

async function listApplied(db: Db | Tx): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; checksum: string }>`
    select name, checksum from schema_migrations`.execute(db);
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function applyMissing(tx: Tx, migrations: Migration[]): Promise<string[]> {
  // A second process waits here and then finds everything applied.
  await sql`select pg_advisory_xact_lock(hashtext('schema_migrations'))`.execute(tx);
  await sql`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`.execute(tx);
  const missing = findMissing(await listApplied(tx), migrations);
  for (const { name, text, checksum } of missing) {
    await executeScript(tx, text);
    await sql`insert into schema_migrations (name, checksum) values (${name}, ${checksum})`.execute(tx);
  }
  return missing.map((migration) => migration.name);
}

/** Applies all missing migrations or none, and returns their names. Several processes may call it at the same time. */
export async function migrate(db: Db): Promise<string[]> {
  await assertServerVersion(db);
  const migrations = await readMigrations();
  return db.transaction().execute((tx) => applyMissing(tx, migrations));
}

const remedy = 'Run the command `migrate` with DATABASE_OWNER_URL set to a connection of the owner of the tables.';
/** The error codes of PostgreSQL for a table that does not exist, or that the role may not read. */
const notPrepared = new Set(['42P01', '42501']);

/** Throws if a migration is missing. For a role that may not apply migrations. */
export async function assertMigrated(db: Db): Promise<void> {
  await assertServerVersion(db);
  const applied = await listApplied(db).catch((error: Error & { code?: string }) => {
    if (!notPrepared.has(error.code ?? '')) throw error;
    throw new OperatorError(`The database is not prepared for the role of DATABASE_URL. ${remedy}`);
  });
  const [first] = findMissing(applied, await readMigrations());
  if (first === undefined) return;
  throw new OperatorError(
    `The database lacks migration ${first.name}, and the role of DATABASE_URL may not apply it. ${remedy}`,
  );
}
