import { sql } from 'kysely';
import { OperatorError } from '../../config/operator-error.ts';
import type { Db, Tx } from '../database.ts';

export interface Cluster {
  version: string;
  nodes: number;
}

/** Returns the Citus cluster of the database. Undefined on plain PostgreSQL, and without any node. */
export async function findCluster(db: Db | Tx): Promise<Cluster | undefined> {
  const extension = await sql<{ version: string }>`
    select extversion as version from pg_extension where extname = 'citus'`.execute(db);
  const [installed] = extension.rows;
  if (installed === undefined) return undefined;
  const { rows } = await sql<{ nodes: number; hasCoordinator: boolean; isCoordinator: boolean }>`
    select count(*) filter (where noderole = 'primary' and isactive and shouldhaveshards) as nodes,
      coalesce(bool_or(groupid = 0), false) as "hasCoordinator", citus_is_coordinator() as "isCoordinator"
    from pg_dist_node`.execute(db);
  const [found] = rows;
  if (found === undefined || found.nodes === 0) return undefined;
  if (!found.hasCoordinator) {
    throw new OperatorError(
      "The Citus cluster does not know the address of its coordinator. Run `select citus_set_coordinator_host('ADDRESS')` on the coordinator.",
    );
  }
  if (!found.isCoordinator) {
    throw new OperatorError(
      'DATABASE_URL points to a node of a Citus cluster. Use the address of the coordinator instead.',
    );
  }
  return { version: installed.version, nodes: found.nodes };
}
