import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/**
 * Remembers that a user signed in from a network, given as a keyed hash. Returns whether it is one that they have not used
 * before. The first network of a user is not new: there is nothing to compare it with.
 */
export async function rememberNetwork(tx: Tx, userId: string, network: string): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean; known: number }>`
    with before as (select count(*) as known from portal_known_networks n where n.user_id = ${userId}),
    stored as (
      insert into portal_known_networks (user_id, network) values (${userId}, ${network})
      on conflict (user_id, network) do update set last_used_at = excluded.last_used_at returning xmax = 0 as "isNew")
    select s."isNew", b.known from stored s cross join before b`.execute(tx);
  const [row] = rows;
  return row?.isNew === true && row.known > 0;
}
