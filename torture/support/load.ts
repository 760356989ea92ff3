import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';

/** How requests arrive: one after another on each of some connections, or at a rate that does not wait for answers. */
export type Arrivals = { concurrency: number } | { perSecond: number; maxConnections: number };

export interface Load {
  port: number;
  /** The request as it is sent, the same each time. */
  message: string;
  seconds: number;
  arrivals: Arrivals;
  /** After so long without a whole answer a client gives up. */
  patienceMs: number;
}

/** One request: when it was due, in ms from the beginning, and how long its answer took; status 0: there was none. */
export interface Answered {
  dueMs: number;
  tookMs: number;
  status: number;
  hasRetryAfter: boolean;
}

export interface LoadReport {
  answers: Answered[];
  /** Requests that were due but found every connection taken. */
  unsent: number;
}

export interface LoadProcess {
  put(load: Load): Promise<LoadReport>;
  end(): Promise<void>;
}

/**
 * A process that makes load by raw sockets, so that it costs little. It is nicer than the service and its database, with
 * which it shares the processors: what it would take from them would count against them.
 */
export async function startLoadProcess(): Promise<LoadProcess> {
  const child = fork(join(import.meta.dirname, 'load-process.ts'), { serialization: 'advanced' });
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const exited = once(child, 'exit').then(() => process.off('exit', endWithUs));
  const died = exited.then(() => Promise.reject(new Error('The process that makes load has ended.')));
  died.catch(() => {});
  setPriority(child.pid ?? 0, 10);
  return {
    async put(load) {
      child.send(load);
      const [report] = await Promise.race([once(child, 'message'), died]);
      return report as LoadReport;
    },
    async end() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The value below which this share of them lies; 0 of none. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
