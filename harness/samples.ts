import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './observe.ts';

export type Reading = Record<string, number>;

interface Sample {
  /** Seconds since sampling began. */
  seconds: number;
  reading: Reading;
}

/** A span in seconds since sampling began. */
export interface Span {
  from: number;
  to: number;
}

/** Readings taken at regular intervals. */
export class Samples {
  readonly #samples: Sample[];

  constructor(samples: Sample[]) {
    this.#samples = samples;
  }

  get count(): number {
    return this.#samples.length;
  }

  /** A name without a reading counts as zero, for example connections of a process that has none open. */
  #within(name: string, { from, to }: Span): number[] {
    const within = this.#samples.filter(({ seconds }) => seconds >= from && seconds <= to);
    return within.map(({ reading }) => reading[name] ?? 0);
  }

  median(name: string, span: Span): number {
    return median(this.#within(name, span));
  }

  highest(name: string, span: Span = { from: 0, to: Infinity }): number {
    return Math.max(...this.#within(name, span));
  }

  /** Returns the ratio of the median of the second span to that of the first. 1 means no growth. */
  growth(name: string, first: Span, second: Span): number {
    return this.median(name, second) / this.median(name, first);
  }
}

export interface Sampling {
  /** Rejects if something could not be read, for example because the process has ended. */
  stop(): Promise<Samples>;
}

export function startSampling(everyMs: number, read: () => Promise<Reading>): Sampling {
  const samples: Sample[] = [];
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
      return new Samples(samples);
    },
  };
}

const megabytes = (status: string, field: string) =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1_024;

/** Returns the memory in MB, the part of it that is not shared, and the number of open files, including connections. */
export async function readProcess(pid: number): Promise<{ residentMb: number; ownMb: number; files: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const files = await readdir(`/proc/${pid}/fd`);
  return { residentMb: megabytes(status, 'VmRSS'), ownMb: megabytes(status, 'RssAnon'), files: files.length };
}

export const watchProcess = (pid: number, everyMs: number): Sampling => startSampling(everyMs, () => readProcess(pid));

/** Measures how far the memory of a process rises above its value at the start. `stop` returns the rise in MB. */
export async function watchMemory(pid: number): Promise<{ stop(): Promise<number> }> {
  const { residentMb: before } = await readProcess(pid);
  const sampling = watchProcess(pid, 50);
  return { stop: async () => (await sampling.stop()).highest('residentMb') - before };
}
