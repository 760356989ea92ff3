import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Db } from '../src/platform/db/database.ts';

/** Sends sequential requests until `isOver`. Returns their times in ms. */
export async function timeRequests(
  url: string,
  headers: Record<string, string>,
  isOver: () => boolean,
): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const begun = performance.now();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`${url} returned ${response.status}`);
    times.push(performance.now() - begun);
  }
  return times;
}

export function percentile(times: number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 0.5);

/** Returns what the kernel says about a process, from its state on (proc_pid_stat(5), field 3). */
async function statusOf(pid: number): Promise<string[]> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8');
  return status.slice(status.lastIndexOf(')') + 2).split(' ');
}

/** Adds the user and system time at this place and the next. The kernel counts in hundredths of a second. */
const millisecondsAt = (fields: string[], place: number) => (Number(fields[place]) + Number(fields[place + 1])) * 10;

/** Returns the user and system time that a process has spent. */
export const cpuMilliseconds = async (pid: number): Promise<number> => millisecondsAt(await statusOf(pid), 11);

/** Returns the time that those children of a process have spent that have ended. */
const endedMilliseconds = async (pid: number): Promise<number> => millisecondsAt(await statusOf(pid), 13);

async function parentOf(pid: number): Promise<number> {
  const [, parent] = await statusOf(pid).catch(() => []);
  return Number(parent);
}

/** Returns the processor time that the server processes of this database system have spent, also those that have ended. */
export async function postgresMilliseconds(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const postmaster = await parentOf(rows[0]?.pid ?? 0);
  let total = await endedMilliseconds(postmaster);
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || (await parentOf(Number(name))) !== postmaster) continue;
    total += await cpuMilliseconds(Number(name)).catch(() => 0);
  }
  return total;
}
