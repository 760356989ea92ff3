import { type RawBuilder, sql } from 'kysely';
import type { Tx } from './database.ts';

/** Returns how many rows an `insert … on conflict do nothing` adds. Citus itself also counts those it did not. */
export async function countInserted(tx: Tx, insert: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ inserted: number }>`
    with inserted as (${insert} returning 1) select count(*) as inserted from inserted`.execute(tx);
  return rows[0]?.inserted ?? 0;
}
