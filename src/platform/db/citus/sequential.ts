import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/**
 * Makes the transaction use one connection per node of a Citus cluster. A transaction that changes the definitions or
 * privileges of several tables fails otherwise. Plain PostgreSQL ignores the setting.
 */
export async function changeSequentially(tx: Tx): Promise<void> {
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx);
}
