import { type RawBuilder, sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * Executes an `insert … select … on conflict do nothing` and returns the number of new rows. The number that the server
 * reports by itself is of no use here: Citus also counts the rows that it did not insert.
 */
export async function countInserted(tx: Tx, insert: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ inserted: number }>`
    with inserted as (${insert} returning 1) select count(*) as inserted from inserted`.execute(tx);
  return rows[0]?.inserted ?? 0;
}
