import type pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';
import { type Layout, type Result, readRow } from './prepared-query.ts';

/** A statement that waits for its result. */
export interface LookUp {
  text: string;
  values: unknown[];
  resolve(result: Result): void;
  reject(error: Error): void;
  isOver: boolean;
}

export interface PreparedLookUp {
  name: string;
  layout: Layout;
  lookUp: LookUp;
}

/**
 * Executes several statements that their connection has already prepared: one message to the server, one response. The
 * first error ends all that follow.
 */
export class PreparedLookUps implements pg.Submittable {
  readonly query_timeout: number;
  callback: (error: Error | null) => void = () => {};
  readonly #lookUps: readonly PreparedLookUp[];
  #rows: object[] = [];
  #next = 0;
  #failure: Error | null = null;

  constructor(lookUps: readonly PreparedLookUp[], responseTimeoutMillis: number) {
    this.#lookUps = lookUps;
    this.query_timeout = responseTimeoutMillis;
  }

  submit(connection: pg.Connection): void {
    connection.stream.cork();
    try {
      for (const { name, lookUp } of this.#lookUps) {
        connection.bind({ statement: name, values: lookUp.values.map(prepareValue) }, true);
        connection.execute(null, true);
      }
    } catch (error) {
      this.#failure = error as Error;
    } finally {
      connection.sync();
      connection.stream.uncork();
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const current = this.#lookUps[this.#next];
    if (current !== undefined) this.#rows.push(readRow(current.layout, fields));
  }

  handleCommandComplete({ text }: { text: string }): void {
    const lookUp = this.#lookUps[this.#next]?.lookUp;
    const rows = this.#rows;
    this.#rows = [];
    this.#next += 1;
    if (lookUp === undefined) return;
    lookUp.isOver = true;
    lookUp.resolve({ command: text.slice(0, text.indexOf(' ')), rowCount: rows.length, rows });
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure);
  }
}
