import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { errorTypeOf, type Tracing } from '../telemetry/tracing/tracing.ts';
import { connectMillisOf } from './connect-timeout.ts';
import { allowDirectStatements, PreparingClient, type PreparingClientConfig } from './prepared-statement.ts';
import { startStatement } from './trace-statement.ts';
import type { DB } from './types.gen.ts';

export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;

/** Dates and timestamps stay texts, ready for JSON. Identity columns stay below 2^53, so numbers are exact. */
const { builtins } = pg.types;
pg.types.setTypeParser(builtins.INT8, Number);
pg.types.setTypeParser(builtins.DATE, (text) => text);
pg.types.setTypeParser(builtins.TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, -3)}Z`);

export interface PoolOptions {
  url: string;
  max: number;
  applicationName: string;
  /** For responses that stream from a cursor, whose statement lasts as long as the client takes to read. */
  streaming?: boolean;
  /** For work on whole tables, such as migrations. By default a statement may take as long as a request or a job. */
  statementTimeoutMillis?: number;
  /** Called when an idle connection is lost. That is not an error of any request, so it only deserves a log line. */
  onIdleError?: (error: Error) => void;
  tracing?: Tracing | undefined;
}

export interface PoolUsage {
  total: number;
  idle: number;
  waiting: number;
}

export interface Database {
  db: Db;
  /** Yields batches of rows from a cursor as they are consumed. Leaving the loop ends the query. */
  stream<Row>(query: CompiledQuery<Row>): AsyncGenerator<Row[]>;
  waiting(): number;
  usage(): PoolUsage;
  close(): Promise<void>;
}

/**
 * Plans outlive the size of the tables that they were made for, those of prepared statements as those with which the
 * server checks foreign keys: until statistics are collected, which a transaction that is adding rows never sees. Where
 * an index fits, it is used from the first row on. A table without one is still scanned, which must not look so expensive
 * that its plan is compiled (docs/decisions/0057).
 */
const growingTables = { enable_seqscan: 'off', jit: 'off' };

/** The server also drops clients that disappear silently, and releases the locks that others wait for. */
const sessionSettings = (isStreaming: boolean, statementTimeout: number) => ({
  TimeZone: 'UTC',
  statement_timeout: `${statementTimeout}ms`,
  idle_in_transaction_session_timeout: isStreaming ? '30s' : '20s',
  idle_session_timeout: '30s',
});

export function connectDatabase(options: PoolOptions): Database {
  const isStreaming = options.streaming ?? false;
  const statementTimeout = options.statementTimeoutMillis ?? (isStreaming ? 600_000 : 15_000);
  const settings = {
    ...sessionSettings(isStreaming, statementTimeout),
    // Work on whole tables is planned as the server likes.
    ...(options.statementTimeoutMillis === undefined ? growingTables : {}),
  };
  const connectMillis = connectMillisOf(options.url);
  const config: pg.PoolConfig & PreparingClientConfig = {
    Client: PreparingClient,
    connectionString: options.url,
    max: options.max,
    // Less than `idle_session_timeout`: a connection that the server has just closed would fail a request.
    idleTimeoutMillis: 25_000,
    application_name: options.applicationName,
    connectionTimeoutMillis: connectMillis,
    statementTimeoutMillis: statementTimeout,
    tracing: options.tracing,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: !isStreaming,
    async onConnect(client: pg.ClientBase) {
      const session = await startSession(client, settings, connectMillis);
      if (isStreaming) (client as PreparingClient).backend = session.pid;
      // On Citus the companies are on different nodes. A statement must not wait for another whose node is down.
      else shared.isAllowed = !session.isCluster;
    },
  };
  const pool = new pg.Pool(config);
  pool.on('error', (error) => options.onIdleError?.(error));
  pool.on('release', (_error, client) => {
    if ((client as pg.PoolClient & PreparingClient).isWornOut) client.end();
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  const shared = allowDirectStatements(db, pool);
  const waiting = () => pool.waitingCount + shared.waiting;
  return {
    db,
    stream: (query) => streamRows(pool, query, options.tracing),
    waiting,
    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: waiting() }),
    close: () => pool.end(),
  };
}

interface Session {
  pid: number;
  isCluster: boolean;
}

/** Applies settings by a statement, because PgBouncer refuses unknown parameters, and reads the real process id. */
async function startSession(
  client: pg.ClientBase,
  settings: Record<string, string>,
  withinMillis: number,
): Promise<Session> {
  const values = Object.entries(settings).flat();
  const calls = values.flatMap((_value, at) => (at % 2 ? [] : [`set_config($${at + 1}, $${at + 2}, false)`]));
  const text = `select pg_backend_pid() as pid, to_regclass('pg_catalog.pg_dist_partition') is not null as "isCluster",
    ${calls.join(', ')}`;
  const query = { text, values, query_timeout: withinMillis };
  const { rows } = await client.query<Session>(query);
  return rows[0] as Session;
}

const rowsPerBatch = 500;
/** Each batch must arrive within the time limit of any other statement, however long the whole query takes. */
const batchWithinMillis = 20_000;

/** Replaces Kysely's streaming, because a cursor whose connection is lost between two batches would wait forever. */
async function* streamRows<Row>(
  pool: pg.Pool,
  query: CompiledQuery<Row>,
  tracing: Tracing | undefined,
): AsyncGenerator<Row[]> {
  const span = startStatement(tracing, query.sql);
  const client = await pool.connect();
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  const lose = (error?: Error) => lost.reject(error ?? new Error('Connection terminated'));
  client.on('error', lose).on('end', lose);
  const inTime = async <T>(response: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => lose(new Error('Query read timeout')), batchWithinMillis);
    return Promise.race([response, lost.promise]).finally(() => clearTimeout(timer));
  };
  const cursor = client.query(new Cursor<Row>(query.sql, [...query.parameters]));
  let failure: Error | undefined;
  try {
    for (;;) {
      const rows = await inTime(cursor.read(rowsPerBatch));
      if (rows.length === 0) return;
      yield rows;
    }
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    if (failure === undefined) {
      await inTime(cursor.close()).catch((error) => {
        failure = error;
      });
    }
    client.off('error', lose).off('end', lose);
    client.release(failure);
    span?.end({ errorType: failure && errorTypeOf(failure) });
  }
}

/** The source of streamed responses. It has its own connections, so that slow clients cannot starve other requests. */
export type RowSource = Pick<Database, 'db' | 'stream'>;

/** Executes statements without parameters, also several at once, as in migrations. */
export async function executeScript(db: Db | Tx, text: string): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(text));
}
