import { sql } from 'kysely';
import { readParent, readProcessor, readProcessorOfTree } from '../harness/observe.ts';
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

/** The processor time of processes by name, and of the whole server with autovacuum and writers, in milliseconds. */
export type ProcessorTimes<Name extends string> = Record<Name | 'database', number>;

/** Returns a function that measures work. It works with a server on this machine. */
export async function openProcessorTimes<Name extends string>(db: Db, pids: Record<Name, number>) {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const postmaster = await readParent(rows[0]?.pid ?? 0);
  async function read(): Promise<ProcessorTimes<Name>> {
    const own = Object.entries<number>(pids).map(async ([name, pid]) => [name, await readProcessor(pid)] as const);
    const database = await readProcessorOfTree(postmaster);
    return Object.fromEntries([...(await Promise.all(own)), ['database', database]]) as ProcessorTimes<Name>;
  }
  return async <T>(work: () => Promise<T>): Promise<{ result: T; seconds: number; times: ProcessorTimes<Name> }> => {
    const before = await read();
    const begun = performance.now();
    const result = await work();
    const seconds = (performance.now() - begun) / 1_000;
    const times = await read();
    for (const name of Object.keys(times) as (Name | 'database')[]) times[name] -= before[name];
    return { result, seconds, times };
  };
}
