import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import Cursor from 'pg-cursor';
import { findBackend } from './lost-answer.ts';
import { PreparingClient } from './preparing-client.ts';
import type { DB } from './types.gen.ts';

export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;

/**
 * Dates stay `YYYY-MM-DD` strings and timestamps RFC 3339 strings in UTC, ready for JSON; the domain parses what it
 * calculates with. Identity columns stay below 2^53, so numbers hold them exactly.
 */
const { builtins } = pg.types;
pg.types.setTypeParser(builtins.INT8, Number);
pg.types.setTypeParser(builtins.DATE, (text) => text);
pg.types.setTypeParser(builtins.TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, -3)}Z`);

export interface PoolOptions {
  url: string;
  max: number;
  applicationName: string;
  /** For answers that stream from a cursor: a statement then lasts as long as its reader takes. */
  streaming?: boolean;
  /** A lost or idle connection is not an error of any request; it is only worth a log line. */
  onIdleError?: (error: Error) => void;
}

export interface Database {
  db: Db;
  /** Batches of rows from a cursor, fetched as they are consumed; leaving the loop closes it and so ends the query. */
  stream<Row>(query: CompiledQuery<Row>): AsyncGenerator<Row[]>;
  /** How many statements and transactions wait for a connection. */
  waiting(): number;
  close(): Promise<void>;
}

async function onConnect(client: pg.ClientBase): Promise<void> {
  (client as PreparingClient).backend = await findBackend(client);
}

export function connectDatabase(options: PoolOptions): Database {
  const statementTimeout = options.streaming ? 600_000 : 15_000;
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: options.url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementTimeout,
    // The server gives up on whoever is lost without a word as well, and with it the locks that others wait for.
    idle_in_transaction_session_timeout: options.streaming ? 30_000 : 20_000,
    options: '-c timezone=UTC -c idle_session_timeout=30s',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    ...(options.streaming ? { onConnect } : {}),
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return { db, stream: (query) => streamRows(pool, query), waiting: () => pool.waitingCount, close: () => pool.end() };
}

const rowsPerBatch = 500;
/** The next batch comes within the time that any other statement has, however long the whole takes. */
const batchWithinMillis = 20_000;

/** Written here and not left to Kysely, because a cursor whose connection is lost between two batches would wait for ever. */
async function* streamRows<Row>(pool: pg.Pool, query: CompiledQuery<Row>): AsyncGenerator<Row[]> {
  const client = await pool.connect();
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  const lose = (error?: Error) => lost.reject(error ?? new Error('Connection terminated'));
  client.on('error', lose).on('end', lose);
  const inTime = async <T>(answer: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => lose(new Error('Query read timeout')), batchWithinMillis);
    return Promise.race([answer, lost.promise]).finally(() => clearTimeout(timer));
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
  }
}

/** What answers that stream read from: connections of their own, so that slow readers cannot starve everybody else. */
export type RowSource = Pick<Database, 'db' | 'stream'>;

/** For statements without parameters and for several statements at once, as in migrations. */
export async function executeScript(db: Db | Tx, text: string): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(text));
}
