import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import { connectDatabase, type Db } from '../../src/platform/db/database.ts';
import { prepareDatabase } from '../../src/platform/db/prepare-database.ts';
import { withConnection } from '../../test/support/connections.ts';
import { until } from '../../test/support/until.ts';

/** Controls the cluster by `add-nodes DATABASE`, `kill-node PORT` and `start-node PORT`. */
const command = resolve(process.env.CITUS_COMMAND ?? '../shared/citus/cluster.sh');
const coordinatorUrl = process.env.CITUS_URL ?? '';

export async function findObstacle(): Promise<string | undefined> {
  if (coordinatorUrl === '') return 'CITUS_URL is not set. It names the coordinator of a cluster to kill servers of.';
  try {
    await access(command);
  } catch {
    return `no program to control a Citus cluster at ${command}. Set CITUS_COMMAND.`;
  }
  return withConnection(coordinatorUrl, async () => undefined).catch(
    () => 'no Citus cluster at CITUS_URL. Start it, or correct CITUS_URL.',
  );
}

const control = (...words: string[]) => promisify(execFile)(command, words);

export interface Cluster {
  url: string;
  db: Db;
  coordinator: number;
  nodes: number[];
  kill(port: number): Promise<unknown>;
  start(port: number): Promise<void>;
  ask<Row extends object>(port: number, text: string): Promise<Row[]>;
  locate(companyId: CompanyId): Promise<number>;
}

const addressOf = (port: number | string, database: string) =>
  Object.assign(new URL(coordinatorUrl), { port: String(port), pathname: `/${database}` }).href;

export async function withCluster<T>(work: (cluster: Cluster) => Promise<T>): Promise<T> {
  // A database to use and to keep: making one takes minutes on a slow machine.
  const given = process.env.CITUS_DATABASE;
  const name = given ?? `torture_${randomBytes(4).toString('hex')}`;
  await control('add-nodes', name);
  const coordinator = Number(new URL(coordinatorUrl).port || 5432);
  const url = addressOf(coordinator, name);
  const { db, close } = connectDatabase({ url, max: 4, applicationName: 'torture', streaming: true });
  const { rows } = await sql<{ port: number }>`
    select nodeport as port from pg_dist_node where shouldhaveshards order by 1`.execute(db);
  const nodes = rows.map(({ port }) => port);
  const ask = <Row extends object>(port: number, text: string) =>
    withConnection(addressOf(port, name), async (client) => (await client.query<Row>(text)).rows);
  const isUp = (port: number) =>
    ask(port, 'select 1').then(
      () => true,
      () => false,
    );
  try {
    await prepareDatabase({ db, url, serviceRole: new URL(url).username });
    await db
      .insertInto('environment')
      .values({ name: 'staging' })
      .onConflict((oc) => oc.doNothing())
      .execute();
    return await work({
      url,
      db,
      coordinator,
      nodes,
      ask,
      async locate(id) {
        const { rows } = await sql<{ port: number }>`
          select s.nodeport as port from citus_shards s
          where s.shardid = get_shard_id_for_distribution_column('companies', ${id}::bigint)`.execute(db);
        return rows[0]?.port ?? 0;
      },
      kill: (port) => control('kill-node', String(port)),
      async start(port) {
        await control('start-node', String(port));
        await until(`the server on port ${port} responds`, () => isUp(port));
      },
    });
  } finally {
    await close();
    for (const port of given === undefined ? [coordinator, ...nodes] : []) {
      await withConnection(addressOf(port, 'postgres'), (client) => client.query(`drop database ${name} with (force)`));
    }
  }
}
