/// <reference path="./pg-utils.d.ts" />
import pg from 'pg';
import { prepareValue } from 'pg/lib/utils.js';

/** Describes how to build the rows of a statement from the data of the server. */
export interface Layout {
  readonly names: readonly string[];
  readonly parsers: readonly ((text: string) => unknown)[];
}

export const layoutOf = (fields: readonly pg.FieldDef[]): Layout => ({
  names: fields.map(({ name }) => name),
  parsers: fields.map(({ dataTypeID }) => pg.types.getTypeParser(dataTypeID, 'text')),
});

export interface Result {
  command: string;
  rowCount: number | null;
  rows: object[];
}

/** Builds a row from the texts that the server has sent. */
export function readRow({ names, parsers }: Layout, fields: (string | null)[]): object {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) {
    const text = fields[index] as string | null;
    row[names[index] as string] = text === null ? null : parsers[index]?.(text);
  }
  return row;
}

export interface Prepared {
  name: string;
  values: readonly unknown[];
  layout: Layout;
  responseTimeoutMillis: number;
}

/**
 * Executes a statement that its connection has already prepared and whose columns are known. pg's own query requests
 * the column descriptions every time, and reading them takes as long as reading ten rows. pg calls these methods on any
 * object that it executes.
 */
export class PreparedQuery implements pg.Submittable {
  readonly query_timeout: number;
  callback: (error: Error | null, result: Result) => void = () => {};
  readonly #prepared: Prepared;
  readonly #result: Result = { command: '', rowCount: 0, rows: [] };
  #failure: Error | null = null;

  constructor(prepared: Prepared) {
    this.#prepared = prepared;
    this.query_timeout = prepared.responseTimeoutMillis;
  }

  submit(connection: pg.Connection): void {
    const { name, values } = this.#prepared;
    connection.stream.cork();
    try {
      connection.bind({ statement: name, values: values.map(prepareValue) }, true);
      connection.execute(null, true);
    } catch (error) {
      this.#failure = error as Error;
    } finally {
      connection.sync();
      connection.stream.uncork();
    }
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#result.rows.push(readRow(this.#prepared.layout, fields));
  }

  handleCommandComplete({ text }: { text: string }): void {
    const words = text.split(' ');
    this.#result.command = words[0] ?? '';
    this.#result.rowCount = Number(words.at(-1));
  }

  handleError(error: Error): void {
    this.callback(error, this.#result);
  }

  handleReadyForQuery(): void {
    this.callback(this.#failure, this.#result);
  }
}
