import type pg from 'pg';
import { type LookUpSource, lookUpMarker } from './look-ups.ts';

/**
 * Stands for a connection of the pool, which it takes when the first statement needs one. Look-ups outside of a
 * transaction need none of their own (src/platform/db/look-ups.ts).
 */
export class LazyClient {
  readonly #pool: pg.Pool;
  readonly #lookUps: LookUpSource;
  #taking: Promise<pg.PoolClient> | undefined;
  #client: pg.PoolClient | undefined;

  constructor(pool: pg.Pool, lookUps: LookUpSource) {
    this.#pool = pool;
    this.#lookUps = lookUps;
  }

  // biome-ignore lint/suspicious/noExplicitAny: Kysely describes results in a way that pg does not.
  query(...[text, values]: any[]): any {
    return this.#query(text, values);
  }

  async #query(text: string, values: unknown[]): Promise<unknown> {
    const isAlone = this.#taking === undefined;
    const lookUps = isAlone && text.includes(lookUpMarker) ? this.#lookUps.find() : undefined;
    if (lookUps !== undefined) return lookUps.execute(text, values);
    this.#taking ??= this.#pool.connect();
    this.#client = await this.#taking;
    return this.#client.query(text, values);
  }

  release(destroy?: boolean): void {
    this.#client?.release(destroy);
  }
}
