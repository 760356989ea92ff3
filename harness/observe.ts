import { readFile } from 'node:fs/promises';

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

/** Returns the user and system time that a process has spent. The kernel counts in hundredths of a second. */
export async function cpuMilliseconds(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
