import { sql } from 'kysely';
import { OperatorError } from '../config/operator-error.ts';
import { isAtLeast, readVersion } from '../config/version.ts';
import type { Db, Tx } from './database.ts';
import type { Migration } from './migrate-files.ts';

interface Applied {
  name: string;
  checksum: string;
  unreadSince: string | null;
}

export interface MigrationState {
  applied: string[];
  pending: Migration[];
  /** Migrations of a newer release, beside which this one can run. */
  newer: string[];
  /** The first migration, if the database has it without a record of it: release 0.3.0 got there by other steps. */
  unrecorded: Migration | undefined;
}

/** The migration that creates the schema of release 0.3.0, and the steps by which that release created it. */
const baseline = { name: '0001-baseline.sql', steps: 63, lastStep: '0072_push_ends_backfill.sql' };
const isStep = ({ name }: Applied) => /^\d{4}_/.test(name) && name <= baseline.lastStep;

const oldestServer = 150_000;

interface ServerVersion {
  /** As in `server_version_num`: 150004. */
  number: number;
  name: string;
}

export function assertSupported({ number, name }: ServerVersion): void {
  if (number < oldestServer) {
    throw new OperatorError(`DATABASE_URL points to PostgreSQL ${name}. Use version 15 or newer.`);
  }
}

export async function assertServerVersion(db: Db): Promise<void> {
  const { rows } = await sql<ServerVersion>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as name`.execute(db);
  for (const server of rows) assertSupported(server);
}

/** Rejects if there is no such table. */
async function listApplied(db: Db | Tx): Promise<Applied[]> {
  const { rows } = await sql<Applied>`
    select m.name, m.checksum, to_jsonb(m) ->> 'unread_since' as "unreadSince"
    from schema_migrations m order by m.name`.execute(db);
  return rows;
}

/** Throws if this release may not run on the database because a newer one has removed what it reads. */
function assertTolerable({ name, unreadSince }: Applied): void {
  const version = readVersion();
  if (unreadSince === null || isAtLeast(version, unreadSince)) return;
  throw new OperatorError(
    `The database has migration ${name}, which removes what this version (${version}) reads. Run version ${unreadSince} or newer.`,
  );
}

function assertUnchanged(migration: Migration, applied: Applied | undefined): void {
  if (applied === undefined || applied.checksum === migration.checksum) return;
  throw new OperatorError(
    `Migration ${migration.name} was changed after it was applied. Restore the file and add a new migration instead.`,
  );
}

/** Returns whether the database has the schema of release 0.3.0. Throws if it has an older one. */
function hasAllSteps(steps: Applied[]): boolean {
  if (steps.length === 0 || steps.length === baseline.steps) return steps.length > 0;
  throw new OperatorError(
    'The database belongs to a release before 0.3.0. Upgrade to 0.3.0 first, then to this version (docs/operate/upgrade.md).',
  );
}

function compare(rows: Applied[], migrations: Migration[]): MigrationState {
  const byName = new Map(rows.map((row) => [row.name, row]));
  const known = new Set(migrations.map(({ name }) => name));
  const first = migrations.find(({ name }) => name === baseline.name);
  const steps = first === undefined ? [] : rows.filter(isStep);
  const newer = rows.filter((row) => !known.has(row.name) && !steps.includes(row));
  for (const row of newer) assertTolerable(row);
  for (const migration of migrations) assertUnchanged(migration, byName.get(migration.name));
  const missing = migrations.filter(({ name }) => !byName.has(name));
  const unrecorded = hasAllSteps(steps) ? missing.find((one) => one === first) : undefined;
  return {
    applied: rows.map(({ name }) => name),
    pending: missing.filter((one) => one !== unrecorded),
    newer: newer.map(({ name }) => name),
    unrecorded,
  };
}

const missingTable = '42P01';

/** Compares the database with these migrations. Throws if one was changed, or keeps this version from running on it. */
export async function readMigrationState(db: Db | Tx, migrations: Migration[]): Promise<MigrationState> {
  const rows = await listApplied(db).catch((error: Error & { code?: string }) => {
    if (error.code === missingTable) return [];
    throw error;
  });
  return compare(rows, migrations);
}
