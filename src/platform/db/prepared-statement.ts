import { CompiledQuery, type DatabaseConnection, type Kysely, type RawBuilder } from 'kysely';
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import type { Tracing } from '../telemetry/tracing/tracing.ts';
import { DescribedQuery, type NamedStatement } from './described-query.ts';
import { endIfLost } from './lost-response.ts';
import { endSpan, startStatement } from './trace-statement.ts';
import type { DB } from './types.gen.ts';
import { isStaleStatement } from './unavailable.ts';

/** Statements are compiled once per process and prepared once per connection, both up to a limit (decision 0069). */

const maxTexts = 1_000;
const maxStatementsPerConnection = 250;
/** pg remembers the text of each statement that a connection has ever prepared. Beyond this many, it is replaced. */
const maxNamesPerConnection = 2_000;
/** How much longer than the server's statement timeout to wait for a response. */
const responseGraceMillis = 5_000;

export interface PreparingClientConfig extends pg.ClientConfig {
  /** After this time the server ends a statement. */
  statementTimeoutMillis?: number;
  /** Absent: statements are not traced. */
  tracing?: Tracing | undefined;
}

/** A connection that gives each statement with values a name, by which pg prepares it once. */
export class PreparingClient extends pg.Client {
  /** If known, the server is queried whether it still works on a long statement. */
  backend: number | undefined;
  /** Whether the connection should be replaced when nobody uses it. */
  isWornOut = false;
  readonly #config: pg.ClientConfig;
  readonly #tracing: Tracing | undefined;
  readonly #responseTimeoutMillis: number;
  /** Whether a transaction has begun, also if the server has not confirmed that yet. */
  #isInTransaction = false;
  #lastName = 0;
  readonly #evicted: string[] = [];
  readonly #statements = new LRUCache<string, NamedStatement>({
    max: maxStatementsPerConnection,
    dispose: ({ name }, _text, reason) => {
      if (reason === 'evict') this.#evicted.push(name);
    },
  });

  constructor({ tracing, ...config }: PreparingClientConfig = {}) {
    super(config);
    this.#config = config;
    this.#tracing = tracing;
    this.#responseTimeoutMillis = Number(config.statementTimeoutMillis) + responseGraceMillis;
    // Losing a connection in use fails its current statement. An unhandled event would also end the process.
    this.on('error', () => {});
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg overloads `query` in ways that no signature of ours can restate.
  override query(...args: any[]): any {
    const [text, values] = args;
    // A cursor, which `streamRows` supervises: pg would never clear this timer for it.
    // biome-ignore lint/suspicious/noExplicitAny: see above.
    if (typeof text !== 'string') return (super.query as any)(...args);
    const span = startStatement(this.#tracing, text);
    const result = this.#query(text, values);
    return span === undefined ? result : endSpan(span, result);
  }

  #query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    if (/^(?:begin|start transaction)\b/i.test(text)) this.#isInTransaction = true;
    else if (/^(?:commit|rollback$)/i.test(text)) this.#isInTransaction = false;
    const isAlone = !this.#isInTransaction && this.getTransactionStatus() === 'I';
    if (isAlone && this.#evicted.length > 0) this.#deallocate();
    const result = values.length > 0 ? this.#executePrepared(text, values, isAlone) : this.#send({ text });
    return this.backend === undefined ? result : endIfLost(this, this.backend, this.#config, result);
  }

  /** Runs outside of transactions only: one that fails would fail its transaction. */
  #deallocate(): void {
    const names = this.#evicted.splice(0);
    this.#send({ text: names.map((name) => `deallocate ${name}`).join(';') }).catch(() => {});
  }

  #statementOf(text: string): NamedStatement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    this.#lastName += 1;
    if (this.#lastName >= maxNamesPerConnection) this.isWornOut = true;
    const statement = { name: `s${this.#lastName}` };
    this.#statements.set(text, statement);
    return statement;
  }

  /** Executes a statement. A stale one has changed nothing and is repeated unprepared, outside of transactions. */
  #executePrepared(text: string, values: unknown[], isAlone: boolean): Promise<pg.QueryResult> {
    this.#sendTogether();
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    const query = new DescribedQuery(this.#statementOf(text), text, values, this.#responseTimeoutMillis);
    query.callback = (error, result) => (error ? reject(error) : resolve(result));
    super.query(query);
    // One handler does all that can follow: each further promise costs as much as parsing a row.
    return promise.catch((error: Error) => {
      // pg closes a statement whose values it cannot send.
      if (!('severity' in error)) this.#statements.delete(text);
      if (!isStaleStatement(error)) throw this.#noteFailure(error);
      this.isWornOut = true;
      if (!isAlone) throw this.#noteFailure(error);
      return this.#send({ text, values });
    });
  }

  #send(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#sendTogether();
    const timed = { ...statement, query_timeout: this.#responseTimeoutMillis };
    return super.query(timed).catch((error: Error) => {
      throw this.#noteFailure(error);
    });
  }

  /** Abandons a connection that accepts a statement and never responds, so that not even the rollback waits for it. */
  #noteFailure(error: Error): Error {
    if (error.message === 'Query read timeout') this.abandon();
    // The stack of pg ends where the response was read.
    Error.captureStackTrace(error);
    return error;
  }

  #isCorked = false;

  /** Writes the statements that begin in the same turn of the event loop by one call of the system. */
  #sendTogether(): void {
    const { stream } = this.connection;
    if (!this.pipeline || this.#isCorked) return;
    this.#isCorked = true;
    stream.cork();
    setImmediate(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  /** Ends a connection that no longer responds, which fails everything that waits for it. */
  abandon(): void {
    this.end().catch(() => {});
    this.connection.stream.destroy();
  }
}

/** One process sends no more short statements than two servers can execute. More of them go into each packet. */
const maxShared = 2;
const maxStatementsAtOnce = 16;

interface SharedConnection {
  connecting: Promise<pg.PoolClient>;
  client?: PreparingClient;
  statements: number;
}

/** Executes short statements of several requests on few connections, without waiting for responses (`pipeline`). */
class SharedConnections {
  isAllowed = false;
  readonly #pool: pg.Pool;
  readonly #open = new Set<SharedConnection>();
  readonly #waiting: (() => void)[] = [];

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async execute(text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    let shared = this.#find();
    while (shared === undefined) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      shared = this.#find();
    }
    shared.statements += 1;
    try {
      const client = await shared.connecting;
      shared.client = client as pg.PoolClient & PreparingClient;
      return await client.query(text, values);
    } finally {
      shared.statements -= 1;
      if (shared.statements === 0) this.#close(shared);
      this.#waiting.shift()?.();
    }
  }

  /** Returns the connection with the fewest statements, or undefined if all are busy. */
  #find(): SharedConnection | undefined {
    if (this.#open.size < maxShared) {
      const opened = { connecting: this.#pool.connect(), statements: 0 };
      this.#open.add(opened);
      return opened;
    }
    let found: SharedConnection | undefined;
    for (const one of this.#open) {
      if (one.statements < (found?.statements ?? maxStatementsAtOnce) && !one.client?.isWornOut) found = one;
    }
    return found;
  }

  #close(shared: SharedConnection): void {
    this.#open.delete(shared);
    shared.connecting.then(
      (client) => client.release(),
      () => {},
    );
  }
}

type Execute = (text: string, values: unknown[], isShort: boolean) => Promise<{ rows: unknown[] }>;

/** A database in a transaction that writes, or with a plugin, has none: Kysely has to execute its statements. */
const executors = new WeakMap<object, Execute>();

/** Lets the statements of a snapshot skip Kysely if those of its database do. */
export function allowDirectSnapshot(db: object, tx: object, connection: DatabaseConnection): void {
  if (executors.has(db)) executors.set(tx, (text, values) => connection.executeQuery(CompiledQuery.raw(text, values)));
}

/** Lets statements skip Kysely, which creates a dozen promises for each. Returns the connections that they share. */
export function allowDirectStatements(db: object, pool: pg.Pool): SharedConnections {
  const shared = new SharedConnections(pool);
  executors.set(db, async (text, values, isShort) => {
    if (isShort && shared.isAllowed) return shared.execute(text, values);
    const client = await pool.connect();
    try {
      return await client.query(text, values);
    } finally {
      client.release();
    }
  });
  return shared;
}

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

interface Text {
  sql: string;
  parameters: readonly unknown[];
}

/**
 * Creates a statement whose text depends on its shape and on which values are given. Builds and compiles the text once
 * per combination, because that takes longer than all other work of this process for a small response. `build` receives
 * the shape and placeholders instead of the values, so that no data of one request can remain in the text of another.
 * A statement that finds a few rows by their keys `isShort`: it may share its connection with others.
 */
export function preparedStatement<Shape extends object, Values extends object, Row>(
  build: (shape: Shape, values: Values) => RawBuilder<Row>,
  { isShort = false } = {},
): (db: Kysely<DB>, shape: Shape, values: Values) => Promise<Row[]> {
  const texts = new LRUCache<string, Text>({ max: maxTexts });

  function compile(db: Kysely<DB>, shape: Shape, given: string[]): Text {
    const slots = Object.fromEntries(given.map((name) => [name, new Placeholder(name)]));
    return build(shape, slots as Values).compile(db);
  }

  return async (db, shape, values) => {
    const given = Object.keys(values).filter((name) => values[name as keyof Values] !== undefined);
    const key = JSON.stringify([shape, given]);
    let text = texts.get(key);
    if (text === undefined) {
      text = compile(db, shape, given);
      texts.set(key, text);
    }
    const filled = text.parameters.map((one) => (one instanceof Placeholder ? values[one.name as keyof Values] : one));
    const execute = executors.get(db);
    if (execute !== undefined) return (await execute(text.sql, filled, isShort)).rows as Row[];
    return (await db.executeQuery<Row>(CompiledQuery.raw(text.sql, filled))).rows;
  };
}
