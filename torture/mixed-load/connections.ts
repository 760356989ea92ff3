import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { readProcess } from '../../harness/samples.ts';
import type { Db } from '../../src/db/database.ts';
import type { Serving } from '../../test/support/process.ts';

/** Returns the number of connections by application name, and the memory of the largest one, in MB. */
export async function readConnections(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ pid: number; name: string }>`
    select a.pid, a.application_name as name from pg_stat_activity a
    where a.datname = current_database() and a.application_name like 'transit %'`.execute(db);
  const reading: Record<string, number> = { all: rows.length, largestMb: 0 };
  for (const { pid, name } of rows) {
    reading[name] = (reading[name] ?? 0) + 1;
    const { ownMb } = await readProcess(pid).catch(() => ({ ownMb: 0 }));
    reading.largestMb = Math.max(reading.largestMb ?? 0, ownMb);
  }
  return reading;
}

/** The default process, which runs API and worker together, and a second process with the API only. */
export interface Pair {
  whole: Serving;
  api: Serving;
}

export interface Rest {
  connections: number;
  wholeFiles: number;
  apiFiles: number;
}

/**
 * Returns what is open while no requests are sent. It is the minimum of several readings, because the clock and the
 * queue poll now and then.
 */
export async function rest(db: Db, { whole, api }: Pair, restMs: number): Promise<Rest> {
  await sleep(restMs);
  const looks: Rest[] = [];
  for (let count = 0; count < 10; count++) {
    const { all = 0 } = await readConnections(db);
    const [one, other] = [await readProcess(whole.pid), await readProcess(api.pid)];
    looks.push({ connections: all, wholeFiles: one.files, apiFiles: other.files });
    await sleep(restMs / 100);
  }
  const least = (name: keyof Rest) => Math.min(...looks.map((look) => look[name]));
  return { connections: least('connections'), wholeFiles: least('wholeFiles'), apiFiles: least('apiFiles') };
}
