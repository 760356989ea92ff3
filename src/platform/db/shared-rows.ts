import { type RawBuilder, sql } from 'kysely';

/**
 * Rows to insert of which many have most of their values in common. Those are sent and parsed once: for a roster that is
 * new to the service, a hundred thousand rows have the same texts.
 */
export class SharedRows {
  readonly #rows: object[] = [];
  readonly #shared: string[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #known = new Map<object, number>();

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  /** Adds a row. `shared`: values that other rows probably have as well. */
  add(own: object, shared: object): void {
    const index = this.#known.getOrInsertComputed(shared, () => this.#indexOf(JSON.stringify(shared)));
    this.#rows.push({ n: this.#rows.length, shared: index, ...own });
  }

  #indexOf(key: string): number {
    return this.#indexes.getOrInsertComputed(key, () => this.#shared.push(key) - 1);
  }

  /** Returns what follows `from`: the rows in their order. `r` has their own values, and `s` the shared ones, in these columns. */
  join(own: RawBuilder<unknown>, shared: RawBuilder<unknown>): RawBuilder<unknown> {
    const bodies = `[${this.#shared.map((body, index) => `{"index":${index},${body.slice(1)}`).join(',')}]`;
    return sql`json_to_recordset(${JSON.stringify(this.#rows)}::json) as r(n integer, shared integer, ${own})
      join json_to_recordset(${bodies}::json) as s(index integer, ${shared}) on s.index = r.shared
      order by r.n`;
  }
}
