import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../src/platform/db/database.ts';

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

export type Reading = Record<string, number>;

export interface Span {
  from: number;
  to: number;
}

/** Takes readings at regular intervals. `stop` rejects if something could not be read, as of a process that has ended. */
export function startSampling(everyMs: number, read: () => Promise<Reading>) {
  const samples: { seconds: number; reading: Reading }[] = [];
  const over = new AbortController();
  const begun = performance.now();
  const sampling = (async () => {
    while (!over.signal.aborted) {
      const reading = await read();
      samples.push({ seconds: (performance.now() - begun) / 1_000, reading });
      await sleep(everyMs, undefined, { signal: over.signal }).catch(() => {});
    }
  })();
  sampling.catch(() => {});
  return {
    async stop() {
      over.abort();
      await sampling;
      return {
        highest: (name: string) => Math.max(...samples.map(({ reading }) => reading[name] ?? Number.NaN)),
        median(name: string, { from, to }: Span) {
          const within = samples.filter(({ seconds }) => seconds >= from && seconds <= to);
          return median(within.map(({ reading }) => reading[name] ?? Number.NaN));
        },
      };
    },
  };
}

export type Samples = Awaited<ReturnType<ReturnType<typeof startSampling>['stop']>>;

const megabytes = (status: string, field: string) =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1_024;

/** Returns the memory in MB, the part of it that is not shared, and the number of open files, including connections. */
export async function readProcess(pid: number): Promise<{ residentMb: number; ownMb: number; files: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const files = await readdir(`/proc/${pid}/fd`);
  return { residentMb: megabytes(status, 'VmRSS'), ownMb: megabytes(status, 'RssAnon'), files: files.length };
}

/** Measures how far the memory of a process rises above its value at the start. `stop` returns the rise in MB. */
export async function watchMemory(pid: number): Promise<{ stop(): Promise<number> }> {
  const { residentMb: before } = await readProcess(pid);
  const sampling = startSampling(50, () => readProcess(pid));
  return { stop: async () => (await sampling.stop()).highest('residentMb') - before };
}
