import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { OperatorError } from '../config/operator-error.ts';
import { changeSequentially } from './citus/sequential.ts';
import { type Db, executeScript, type Tx } from './database.ts';
import { findCreatedIndex, type Migration } from './migrate-files.ts';
import { listBlockers, type MigrationLock, type MigrationLog, type Session } from './migrate-lock.ts';
import { splitScript } from './split-script.ts';

/** How long a step waits for a table, and how often it tries again. Requests that come meanwhile wait behind it. */
export interface LockPatience {
  lockTimeoutMillis: number;
  pauseMillis: number;
  attempts: number;
}

/** About five minutes: longer than any request or job holds a table. */
export const usualPatience: LockPatience = { lockTimeoutMillis: 1_000, pauseMillis: 2_000, attempts: 100 };

export interface StepContext {
  db: Db;
  lock: MigrationLock;
  log: MigrationLog | undefined;
  patience: LockPatience;
}

/** The error codes of PostgreSQL for a lock that was not available in time, and for a deadlock. */
const lockFailures = new Set(['55P03', '40P01']);
const isLockFailure = (error: unknown) => lockFailures.has((error as { code?: string }).code ?? '');

type Recorded = Pick<Migration, 'name' | 'checksum' | 'unreadSince'>;

export const record = (db: Db | Tx, { name, checksum, unreadSince }: Recorded) =>
  sql`insert into schema_migrations (name, checksum, unread_since) values (${name}, ${checksum}, ${unreadSince ?? null})`.execute(
    db,
  );

async function findPid(db: Db | Tx): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  return rows[0]?.pid ?? 0;
}

/** Observes which sessions a step waits for. The report needs them after they may have gone. */
function watchBlockers(db: Db, pid: number, everyMillis: number, onFound: (sessions: Session[]) => void) {
  const timer = setInterval(() => {
    listBlockers(db, pid).then(
      (sessions) => {
        if (sessions.length > 0) onFound(sessions);
      },
      () => {},
    );
  }, everyMillis);
  return { stop: () => clearInterval(timer) };
}

/** Gives up a lock that is not free at once and tries again: waiting for it would stop all who come later. */
async function changeWithRetries(
  { db, lock, log, patience }: StepContext,
  name: string,
  change: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    let blockers: Session[] = [];
    try {
      await db.transaction().execute(async (tx) => {
        await sql`select set_config('lock_timeout', ${String(patience.lockTimeoutMillis)}, true)`.execute(tx);
        await changeSequentially(tx);
        const watch = watchBlockers(db, await findPid(tx), patience.lockTimeoutMillis / 3, (sessions) => {
          blockers = sessions;
        });
        await change(tx).finally(watch.stop);
        await lock.assertHeld(tx);
      });
      return;
    } catch (error) {
      if (!isLockFailure(error)) throw error;
      if (attempt >= patience.attempts) {
        throw new OperatorError(
          `Migration ${name} could not lock its tables in ${attempt} attempts. Sessions that hold them: ${JSON.stringify(blockers)}. End them or wait for them, then run \`migrate\` again.`,
        );
      }
      log?.warn({ migration: name, attempt, blockers }, 'migration could not lock a table, will be retried');
      await sleep(patience.pauseMillis);
    }
  }
}

/** An interrupted `create index concurrently` leaves an invalid index, which `if not exists` would take for the index. */
async function dropInvalidIndex(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.oid = to_regclass(${`public.${name}`}) and not i.indisvalid`.execute(db);
  if (rows.length === 0) return false;
  await executeScript(db, `drop index concurrently if exists public.${name}`);
  return true;
}

/** Executes a single statement that PostgreSQL does not allow in a transaction. It blocks neither reads nor writes. */
async function applyAlone({ db, lock, log }: StepContext, migration: Migration): Promise<void> {
  const index = findCreatedIndex(migration);
  await db.connection().execute(async (connection) => {
    const { name } = migration;
    let reported = '';
    const watch = watchBlockers(db, await findPid(connection), 1_000, (blockers) => {
      const pids = String(blockers.map(({ pid }) => pid));
      if (pids !== reported) log?.info({ migration: name, blockers }, 'migration waits for other transactions');
      reported = pids;
    });
    try {
      if (index !== undefined && (await dropInvalidIndex(connection, index))) {
        log?.warn({ migration: name, index }, 'invalid index of an interrupted migration dropped');
      }
      await executeScript(connection, migration.text);
    } finally {
      watch.stop();
    }
    await lock.assertHeld(connection);
    await record(connection, migration);
  });
}

export async function applyStep(context: StepContext, migration: Migration): Promise<void> {
  const { name } = migration;
  const startedAt = performance.now();
  context.log?.info({ migration: name }, 'migration started');
  if (migration.isTransactional) {
    const statements = await splitScript(migration.text);
    await changeWithRetries(context, name, async (tx) => {
      for (const statement of statements) await executeScript(tx, statement);
      await record(tx, migration);
    });
  } else {
    await applyAlone(context, migration);
  }
  const ms = Math.round(performance.now() - startedAt);
  context.log?.info({ migration: name, ms }, 'migration applied');
}
