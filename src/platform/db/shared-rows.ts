import { type RawBuilder, sql } from 'kysely';
import { type SentColumn, unnest } from './sent-rows.ts';

/**
 * Rows to insert of which many have most of their values in common. Those are sent and parsed once: for a roster that is
 * new to the service, a hundred thousand rows have the same texts.
 */
export class SharedRows<Own extends Record<string, string>> {
  readonly #own: (SentColumn & { values: unknown[] })[];
  readonly #bodyOf: number[] = [];
  readonly #bodies: string[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #known = new Map<object, number>();

  /** `own`: the types of the columns that differ. */
  constructor(own: Own) {
    this.#own = Object.entries(own).map(([name, type]) => ({ name, type, values: [] }));
  }

  get isEmpty(): boolean {
    return this.#bodyOf.length === 0;
  }

  /** Adds a row. `shared`: values that other rows probably have as well. */
  add(own: Record<keyof Own, unknown>, shared: object): void {
    this.#bodyOf.push(this.#known.getOrInsertComputed(shared, () => this.#indexOf(JSON.stringify(shared))));
    for (const { name, values } of this.#own) values.push(own[name]);
  }

  #indexOf(key: string): number {
    return this.#indexes.getOrInsertComputed(key, () => this.#bodies.push(key) - 1);
  }

  /** Returns what follows `from`: the rows in their order. `r` has their own values, and `s` the shared ones, in these columns. */
  join(shared: RawBuilder<unknown>): RawBuilder<unknown> {
    const bodies = `[${this.#bodies.map((body, index) => `{"index":${index},${body.slice(1)}`).join(',')}]`;
    return sql`${unnest([...this.#own, { name: 'shared', type: 'integer', values: this.#bodyOf }], 'n')}
      join json_to_recordset(${bodies}::json) as s(index integer, ${shared}) on s.index = r.shared
      order by r.n`;
  }
}
