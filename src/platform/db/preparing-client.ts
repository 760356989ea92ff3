import pg from 'pg';
import type { Tracing } from '../telemetry/tracing/tracing.ts';
import { endIfLost } from './lost-response.ts';
import { type LookUp, type PreparedLookUp, PreparedLookUps } from './prepared-look-ups.ts';
import { type Layout, layoutOf, type Prepared, PreparedQuery, type Result } from './prepared-query.ts';
import { traceStatement } from './trace-statement.ts';
import { isStaleStatement } from './unavailable.ts';

/** Texts beyond this number are not prepared, so that the statements of a connection stay bounded. */
const maxPreparedStatements = 500;

/** A statement that a connection executes by its name. */
interface NamedStatement {
  name: string;
  text: string;
  /** Undefined until the server has prepared the statement. */
  layout: Layout | undefined;
}

/** How much longer than the server's statement timeout to wait for a response. */
const responseGraceMillis = 5_000;

export interface PreparingClientConfig extends pg.ClientConfig {
  /** After this time the server ends a statement. */
  statementTimeoutMillis?: number;
  /** Absent: statements are not traced. */
  tracing?: Tracing | undefined;
}

/** Prepares each statement once per connection by giving it a name. Kysely passes only text and values. */
export class PreparingClient extends pg.Client {
  /** If known, the server is queried whether it still works on a long statement. */
  backend: number | undefined;
  readonly #statements = new Map<string, NamedStatement>();
  readonly #config: pg.ClientConfig;
  readonly #tracing: Tracing | undefined;
  readonly #responseTimeoutMillis: number;

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
    if (this.#tracing === undefined) return this.#query(text, values);
    return traceStatement(this.#tracing, text, () => this.#query(text, values));
  }

  #query(text: string, values: unknown[] = []): Promise<Result> {
    const statement = values.length > 0 ? this.#statement(text) : undefined;
    const result: Promise<Result> =
      statement === undefined ? this.#send({ text, values }) : this.#executeFresh(statement, values);
    return this.backend === undefined ? result : endIfLost(this, this.backend, this.#config, result);
  }

  /** Returns undefined if this connection has as many statements as it may have. */
  #statement(text: string): NamedStatement | undefined {
    const known = this.#statements.get(text);
    if (known !== undefined || this.#statements.size >= maxPreparedStatements) return known;
    const statement = { name: `s${this.#statements.size + 1}`, text, layout: undefined };
    this.#statements.set(text, statement);
    return statement;
  }

  /**
   * Executes a statement that may already be prepared. A stale statement has changed nothing, so outside of a
   * transaction it is executed again, unprepared. Inside or outside of one, the connection is not reused, so that no
   * statement on it stays stale.
   */
  async #executeFresh(statement: NamedStatement, values: unknown[]): Promise<Result> {
    const isAlone = this.getTransactionStatus() === 'I';
    try {
      return await this.#execute(statement, values);
    } catch (error) {
      if (!isStaleStatement(error)) throw error;
      try {
        if (!isAlone) throw error;
        return await this.#send({ text: statement.text, values });
      } finally {
        this.abandon();
      }
    }
  }

  async #execute(statement: NamedStatement, values: unknown[]): Promise<Result> {
    const { name, text, layout } = statement;
    if (layout !== undefined)
      return this.#repeat({ name, values, layout, responseTimeoutMillis: this.#responseTimeoutMillis });
    const result = await this.#send({ name, text, values });
    statement.layout = layoutOf(result.fields);
    return result;
  }

  /**
   * Executes statements in one exchange with the server, except those that this connection has not prepared yet. Returns
   * the failure that has ended them. Those that have no result then are not over.
   */
  async lookUp(lookUps: readonly LookUp[]): Promise<Error | undefined> {
    const prepared: PreparedLookUp[] = [];
    const others: LookUp[] = [];
    for (const lookUp of lookUps) {
      const statement = this.#statement(lookUp.text);
      if (statement?.layout) prepared.push({ name: statement.name, layout: statement.layout, lookUp });
      else others.push(lookUp);
    }
    try {
      if (prepared.length > 0) await this.#executeTogether(prepared);
      for (const lookUp of others) {
        const result = await this.#query(lookUp.text, lookUp.values);
        lookUp.isOver = true;
        lookUp.resolve(result);
      }
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  #executeTogether(prepared: readonly PreparedLookUp[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const query = new PreparedLookUps(prepared, this.#responseTimeoutMillis);
      query.callback = (error) => {
        if (error) reject(this.#abandonedIfLate(error));
        else resolve();
      };
      super.query(query);
    });
  }

  /**
   * Adds a timeout for what the server cannot detect: a connection that accepts the statement and never delivers a
   * response.
   */
  #send(statement: pg.QueryConfig): Promise<pg.QueryResult> {
    const timed = { ...statement, query_timeout: this.#responseTimeoutMillis };
    return super.query(timed).catch((error: Error) => {
      throw this.#abandonedIfLate(error);
    });
  }

  #repeat(prepared: Prepared): Promise<Result> {
    return new Promise((resolve, reject) => {
      const query = new PreparedQuery(prepared);
      query.callback = (error, result) => {
        if (error) reject(this.#abandonedIfLate(error));
        else resolve(result);
      };
      super.query(query);
    });
  }

  /**
   * Abandons the connection after a timeout, so that nothing waits behind the missing response, not even the rollback.
   */
  #abandonedIfLate(error: Error): Error {
    if (error.message === 'Query read timeout') this.abandon();
    return error;
  }

  /** Ends a connection that no longer responds, which fails everything that waits for it. */
  abandon(): void {
    this.end().catch(() => {});
    this.connection.stream.destroy();
  }
}
