import { OperatorError } from '../config/operator-error.ts';
import { type Db, executeScript } from './database.ts';
import { type Migration, readMigrations } from './migrate-files.ts';
import { type MigrationLog, withMigrationLock } from './migrate-lock.ts';
import { assertServerVersion, readMigrationState } from './migrate-state.ts';
import { applyStep, type LockPatience, record, type StepContext, usualPatience } from './migrate-step.ts';

export interface MigrateOptions {
  log?: MigrationLog | undefined;
  patience?: LockPatience;
  /** The folder of the migrations. Absent: those of this version. */
  folder?: string;
}

const prepareHistory = ({ db }: StepContext) =>
  executeScript(
    db,
    `create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now(), unread_since text)`,
  );

async function applyAll(context: StepContext, pending: readonly Migration[]): Promise<void> {
  for (const migration of pending) await applyStep(context, migration);
}

/** Applies all migrations to an empty database, in which none takes long, with one line in the log. */
async function applyFirst(context: StepContext, pending: readonly Migration[]): Promise<void> {
  const start = performance.now();
  const { log } = context;
  await applyAll({ ...context, log: log && { info() {}, warn: log.warn.bind(log) } }, pending);
  log?.info({ migrations: pending.length, ms: Math.round(performance.now() - start) }, 'all migrations applied');
}

/** Applies the missing migrations and returns their names. Of several callers, one applies. Needs three connections. */
export async function migrate(db: Db, { log, patience = usualPatience, folder }: MigrateOptions = {}) {
  await assertServerVersion(db);
  const migrations = await readMigrations(folder);
  const before = await readMigrationState(db, migrations);
  if (before.newer.length > 0) log?.warn({ migrations: before.newer }, 'the database is newer than this version');
  if (before.pending.length === 0 && before.unrecorded === undefined) return [];
  return withMigrationLock(db, log, async (lock) => {
    const context = { db, lock, log, patience };
    await prepareHistory(context);
    const { applied, pending, unrecorded } = await readMigrationState(db, migrations);
    // Release 0.3.0 may still run beside this one.
    if (unrecorded !== undefined) await record(db, { ...unrecorded, unreadSince: undefined });
    await (applied.length > 0 ? applyAll(context, pending) : applyFirst(context, pending));
    return pending.map(({ name }) => name);
  });
}

const remedy = 'Run the command `migrate` with DATABASE_OWNER_URL set to a connection of the owner of the tables.';
/** The error code of PostgreSQL for a table that the role may not read. */
const notGranted = '42501';

/** Throws if a migration is missing. For a role that may not apply migrations. */
export async function assertMigrated(db: Db, log?: MigrationLog): Promise<void> {
  await assertServerVersion(db);
  const state = await readMigrationState(db, await readMigrations()).catch((error: Error & { code?: string }) => {
    if (error.code === notGranted) return undefined;
    throw error;
  });
  if (state === undefined || state.applied.length === 0)
    throw new OperatorError(`The database is not prepared for the role of DATABASE_URL. ${remedy}`);
  if (state.newer.length > 0) log?.warn({ migrations: state.newer }, 'the database is newer than this version');
  const [first] = state.pending;
  if (first === undefined) return;
  throw new OperatorError(
    `The database lacks migration ${first.name}, and the role of DATABASE_URL may not apply it. ${remedy}`,
  );
}
