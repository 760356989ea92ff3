import { sql } from 'kysely';
import type { Tx } from '../database.ts';

/** Uses one connection per Citus node, without which changes of several tables fail. PostgreSQL ignores the setting. */
export async function changeSequentially(tx: Tx): Promise<void> {
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx);
}
