import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../src/operator/demo/random.ts';
import { holdsWithin } from '../../test/support/until.ts';
import type { Cluster } from './cluster.ts';

export interface Kill {
  port: number;
  /** What was going on: any moment, or a node was about to commit while the coordinator waited for it. */
  aim: 'any moment' | 'commit';
  /** No server of the cluster is missing before `killingAt` and after `startedAt`. */
  killingAt: number;
  killedAt: number;
  startingAt: number;
  startedAt: number;
  /** How many transactions the nodes had prepared after the kill. */
  prepared: number;
}

export async function countPrepared({ ask, nodes }: Cluster): Promise<number> {
  let count = 0;
  for (const port of nodes) {
    const text = 'select count(*)::int as count from pg_prepared_xacts where database = current_database()';
    count += (await ask<{ count: number }>(port, text))[0]?.count ?? 0;
  }
  return count;
}

/**
 * Makes every commit on a node wait, as for a standby that does not respond, until the returned function is called. It
 * then holds the coordinator at the moment at which a crash could separate the two halves of a transaction.
 */
async function holdCommits({ ask }: Cluster, port: number): Promise<() => Promise<void>> {
  await ask(port, `alter system set synchronous_standby_names = 'nobody'`);
  await ask(port, 'select pg_reload_conf()');
  return async () => {
    await ask(port, 'alter system reset synchronous_standby_names');
    await ask(port, 'select pg_reload_conf()');
  };
}

const waiting = `select 1 from pg_stat_activity where wait_event = 'SyncRep' and datname = current_database()`;
const holdMs = 20_000;

/** Kills one server and starts it again. */
export async function killOnce(
  cluster: Cluster,
  random: Random,
  { aim, awayMs }: { aim: Kill['aim']; awayMs: number },
): Promise<Kill> {
  const { coordinator, nodes, ask, kill, start } = cluster;
  const node = random.pick(nodes);
  const port = aim === 'commit' ? coordinator : random.pick([coordinator, ...nodes]);
  const release = aim === 'commit' ? await holdCommits(cluster, node) : async () => {};
  try {
    if (aim === 'commit') await holdsWithin(holdMs, async () => (await ask(node, waiting)).length > 0);
    const killingAt = Date.now();
    await kill(port);
    const killedAt = Date.now();
    await release();
    const prepared = port === coordinator ? await countPrepared(cluster) : 0;
    await sleep(random.int(200, awayMs));
    const startingAt = Date.now();
    await start(port);
    return { port, aim, killingAt, killedAt, startingAt, startedAt: Date.now(), prepared };
  } catch (error) {
    await release();
    throw error;
  }
}
