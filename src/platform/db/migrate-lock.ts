import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { OperatorError } from '../config/operator-error.ts';
import type { Db, Tx } from './database.ts';

export type MigrationLog = Pick<FastifyBaseLogger, 'info' | 'warn'>;

export interface MigrationLock {
  /** Throws if the lock was lost, together with its connection. To be called before a step is committed. */
  assertHeld(db: Db | Tx): Promise<void>;
}

const pollMillis = 250;
const waitTimeoutMillis = 600_000;

export interface Session {
  pid: number;
  application: string;
  state: string | null;
  seconds: number | null;
}

const sessionColumns = sql`pid, application_name as application, state,
  extract(epoch from clock_timestamp() - xact_start)::int as seconds`;

async function listHolders(db: Db): Promise<Session[]> {
  const { rows } = await sql<Session>`
    select ${sessionColumns} from pg_stat_activity where pid in (
      select l.pid from pg_locks l where l.locktype = 'advisory' and l.granted and l.objsubid = 1
        and l.database = (select oid from pg_database where datname = current_database())
        and l.objid = (hashtext('schema_migrations')::bigint & 4294967295)::oid)`.execute(db);
  return rows;
}

export async function listBlockers(db: Db, pid: number): Promise<Session[]> {
  const { rows } = await sql<Session>`
    select ${sessionColumns} from pg_stat_activity where pid = any(pg_blocking_pids(${pid}))`.execute(db);
  return rows;
}

async function tryLock(tx: Tx): Promise<number | undefined> {
  // The lock lasts as long as this transaction, which has nothing to do meanwhile.
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
  const { rows } = await sql<{ pid: number; isLocked: boolean }>`
    select pg_backend_pid() as pid, pg_try_advisory_xact_lock(hashtext('schema_migrations')) as "isLocked"`.execute(tx);
  return rows[0]?.isLocked ? rows[0].pid : undefined;
}

async function assertHeldBy(pid: number, db: Db | Tx): Promise<void> {
  const { rows } = await sql`
    select from pg_locks where locktype = 'advisory' and granted and objsubid = 1 and pid = ${pid}
      and objid = (hashtext('schema_migrations')::bigint & 4294967295)::oid`.execute(db);
  if (rows.length > 0) return;
  throw new OperatorError('The connection that held the lock of the migration was lost. Run `migrate` again.');
}

async function tryWithLock<T>(db: Db, work: (lock: MigrationLock) => Promise<T>): Promise<{ value: T } | undefined> {
  let failure: unknown;
  try {
    return await db.transaction().execute(async (tx) => {
      const pid = await tryLock(tx);
      if (pid === undefined) return undefined;
      const value = await work({ assertHeld: (on) => assertHeldBy(pid, on) }).catch((error) => {
        failure = error;
        throw error;
      });
      return { value };
    });
  } catch (error) {
    // If the connection was lost, the error of the rollback has replaced that of the work.
    throw failure ?? error;
  }
}

/**
 * Does the work while no other process migrates. The lock belongs to an idle transaction on a connection of its own, so
 * that it also holds through a connection pooler.
 *
 * A process that has to wait tries again in new transactions. If it waited inside one, `create index concurrently` of the
 * process that holds the lock would wait for that transaction, and both would wait forever. For the same reason, the
 * transaction that holds the lock executes nothing else.
 */
export async function withMigrationLock<T>(
  db: Db,
  log: MigrationLog | undefined,
  work: (lock: MigrationLock) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + waitTimeoutMillis;
  for (let isWaiting = false; ; isWaiting = true) {
    const done = await tryWithLock(db, work);
    if (done !== undefined) return done.value;
    if (performance.now() > deadline) {
      throw new OperatorError(
        `Another process has been migrating the database for ten minutes (${JSON.stringify(await listHolders(db))}). Start again when it has finished.`,
      );
    }
    if (!isWaiting) log?.info({ holders: await listHolders(db) }, 'waiting for another migration');
    await sleep(pollMillis);
  }
}
