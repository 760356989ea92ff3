import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** How far the memory of a process rises above where it was, in MB; `stop` answers it. */
export async function watchMemory(pid: number): Promise<{ stop(): Promise<number> }> {
  const before = await residentMegabytes(pid);
  let peak = before;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await residentMegabytes(pid));
      await sleep(50);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return peak - before;
    },
  };
}

/** Sequential requests until `isOver`; their times in ms. */
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
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
    times.push(performance.now() - begun);
  }
  return times;
}

export function percentile(times: number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: number[]) => percentile(values, 0.5);

/** User and system time that a process has spent; the kernel counts in hundredths of a second. */
export async function cpuMilliseconds(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
