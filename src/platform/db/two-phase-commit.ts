import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * Makes a transaction that writes rows of a company and of the queue atomic on a Citus cluster. Citus commits on the
 * company's node first and then on the coordinator, which may be killed in between, unless the transaction also
 * modifies a table that Citus manages on the coordinator. A statement that changes no row is enough, and locks none. A
 * `select` is not enough. On plain PostgreSQL, the statement has no effect.
 */
export async function requireTwoPhaseCommit(tx: Tx): Promise<void> {
  await sql`update environment set clock_ahead_seconds = clock_ahead_seconds where false`.execute(tx);
}
