import type pg from 'pg';
import { roles, serverUrl, withConnection } from './connections.ts';

/**
 * Test databases on a Citus cluster. `create database` copies the metadata of Citus as well, so a copy on every server
 * is again a database of the whole cluster. To distribute the tables anew would take seconds per test.
 */

/** Returns the URLs of the nodes besides the coordinator. None on plain PostgreSQL. */
const nodeUrls = () => process.env.TEST_SERVER_NODES?.split(',').filter(Boolean) ?? [];

export const isCluster = () => nodeUrls().length > 0;

/** Skips a test on a Citus cluster, for a reason that is printed. */
export const skipOnCluster = (reason: string) => ({ skip: isCluster() && `on Citus: ${reason}` });

/** Reads the nodes from the database of a URL. */
export const findNodeUrls = (url: string): Promise<string[]> =>
  withConnection(url, async (client) => {
    const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`);
    if (!rowCount) return [];
    const { rows } = await client.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node
      where groupid <> 0 and noderole = 'primary' order by nodeid`,
    );
    return rows.map(({ host, port }) => Object.assign(new URL(url), { hostname: host, port: String(port) }).href);
  });

/** Runs work on the server, or on the coordinator and every node at the same time. */
export async function onEveryServer(work: (client: pg.Client) => Promise<void>): Promise<void> {
  // No connection may use a database while it is copied or dropped.
  const urls = [serverUrl(), ...nodeUrls()].map((url) => Object.assign(new URL(url), { pathname: '/postgres' }).href);
  await Promise.all(urls.map((url) => withConnection(url, work)));
}

/** Closes a database for all connections, including those of Citus itself, so that it can be copied. */
export async function closeForCopies(client: pg.Client, name: string): Promise<void> {
  await client.query(`alter database ${name} allow_connections false`);
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
}

/**
 * Creates a database that the test role owns: a copy, or an empty one without Citus. A copy of its files takes a fifth of
 * the time of a copy through the write-ahead log.
 */
export async function createDatabaseFrom(client: pg.Client, name: string, template: string | undefined): Promise<void> {
  await client.query(
    `create database ${name} ${template ? `template ${template} strategy file_copy` : ''} owner ${roles.owner}`,
  );
}

/** Copies the database of TEST_DATABASE_URL, which knows the nodes of the cluster and has no tables. */
export async function copyGivenDatabase(client: pg.Client, name: string): Promise<void> {
  const given = new URL(serverUrl()).pathname.slice(1);
  await closeForCopies(client, given);
  await createDatabaseFrom(client, name, given);
  await client.query(`alter database ${given} allow_connections true`);
}

/** Citus connects to its databases by itself, also in the moment in which they are dropped. */
export async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  if (isCluster()) await closeForCopies(client, name);
  await client.query(`drop database ${name} with (force)`);
}
