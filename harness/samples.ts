import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './observe.ts';

export type Reading = Record<string, number>;

interface Sample {
  /** Since sampling began. */
  seconds: number;
  reading: Reading;
}

/** Seconds since sampling began. */
export interface Span {
  from: number;
  to: number;
}

/** What was read at regular intervals. */
export class Samples {
  readonly #samples: Sample[];

  constructor(samples: Sample[]) {
    this.#samples = samples;
  }

  get count(): number {
    return this.#samples.length;
  }

  /** A name that was not read counts as zero, as connections do that nobody had open. */
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

  /** How many times as much as in the first span there is in the second; 1 is no growth. */
  growth(name: string, first: Span, second: Span): number {
    return this.median(name, second) / this.median(name, first);
  }
}

export interface Sampling {
  /** Rejects when something could not be read, for instance because the process has ended. */
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

/** Memory in MB, of it what is shared with nobody, and open files, connections among them. */
export async function readProcess(pid: number): Promise<{ residentMb: number; ownMb: number; files: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const files = await readdir(`/proc/${pid}/fd`);
  return { residentMb: megabytes(status, 'VmRSS'), ownMb: megabytes(status, 'RssAnon'), files: files.length };
}

export const watchProcess = (pid: number, everyMs: number): Sampling => startSampling(everyMs, () => readProcess(pid));

/** How far the memory of a process rises above where it was, in MB; `stop` answers it. */
export async function watchMemory(pid: number): Promise<{ stop(): Promise<number> }> {
  const { residentMb: before } = await readProcess(pid);
  const sampling = watchProcess(pid, 50);
  return { stop: async () => (await sampling.stop()).highest('residentMb') - before };
}
