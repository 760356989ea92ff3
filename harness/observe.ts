import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

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

export async function readProcess(pid: number): Promise<{ residentMb: number; ownMb: number; files: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const files = await readdir(`/proc/${pid}/fd`);
  return { residentMb: megabytes(status, 'VmRSS'), ownMb: megabytes(status, 'RssAnon'), files: files.length };
}

/** Clock ticks per second of /proc, on every Linux. */
const ticksPerSecond = 100;

/** Returns what the system says of a process from its state on. The name before, in parentheses, may contain spaces. */
async function readStat(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const toMillis = (...ticks: (string | undefined)[]) =>
  (ticks.reduce((all, one) => all + Number(one), 0) * 1_000) / ticksPerSecond;

/** Returns the processor time that a process has used, in milliseconds. */
export async function readProcessor(pid: number): Promise<number> {
  const fields = await readStat(pid);
  return toMillis(fields[11], fields[12]);
}

/** Returns the process that has started a process. */
export const readParent = async (pid: number): Promise<number> => Number((await readStat(pid))[1]);

/** Returns the processor time that a process has used with its children, those that have ended and those that run. */
export async function readProcessorOfTree(pid: number): Promise<number> {
  const fields = await readStat(pid);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const ofChildren = pids.map(async (other) => {
    // One may end at any time.
    const child = await readStat(other).catch((): string[] => []);
    return Number(child[1]) === pid ? toMillis(child[11], child[12]) : 0;
  });
  const used = await Promise.all(ofChildren);
  return used.reduce((all, one) => all + one, toMillis(fields[11], fields[12], fields[13], fields[14]));
}

/** Measures how far the memory of a process rises above its value at the start. `stop` returns the rise in MB. */
export async function watchMemory(pid: number): Promise<{ stop(): Promise<number> }> {
  const { residentMb: before } = await readProcess(pid);
  const sampling = startSampling(50, () => readProcess(pid));
  return { stop: async () => (await sampling.stop()).highest('residentMb') - before };
}
