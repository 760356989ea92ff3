import { sql } from 'kysely';
import { readProcessor } from '../harness/observe.ts';
import type { Db } from '../src/platform/db/database.ts';

/** Returns the processor time that each connection has used so far at the server, in milliseconds. */
async function readConnections(db: Db): Promise<Map<number, number>> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where backend_type in ('client backend', 'parallel worker')`.execute(db);
  const read = async ({ pid }: { pid: number }): Promise<[number, number][]> =>
    readProcessor(pid).then(
      (ms) => [[pid, ms]],
      () => [],
    );
  return new Map((await Promise.all(rows.map(read))).flat());
}

const readAll = async (pids: readonly number[]) =>
  (await Promise.all(pids.map(readProcessor))).reduce((sum, ms) => sum + ms, 0);

/**
 * Starts to measure the processor time of these processes and of all connections to the server. Autovacuum and the
 * writers of PostgreSQL, which work for what happened before, do not count.
 */
export async function startProcessorTime(db: Db, pids: readonly number[]) {
  const [connections, own] = [await readConnections(db), await readAll(pids)];
  return {
    async stop(): Promise<number> {
      let ms = (await readAll(pids)) - own;
      for (const [pid, used] of await readConnections(db)) ms += used - (connections.get(pid) ?? 0);
      return ms;
    },
  };
}
