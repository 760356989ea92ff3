import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { join } from 'node:path';

/**
 * How requests arrive: one after another on each of some connections, or at a rate that does not wait for responses.
 */
export type Arrivals = { concurrency: number } | { perSecond: number; maxConnections: number };

export interface Load {
  port: number;
  /** The request as it is sent, the same each time. */
  message: string;
  seconds: number;
  arrivals: Arrivals;
  /** The time after which a client without a complete response gives up. */
  timeoutMs: number;
}

/** One request: when it was due, in ms from the start, and how long its response took. Status 0 means no response. */
export interface LoadedResponse {
  dueMs: number;
  tookMs: number;
  status: number;
  hasRetryAfter: boolean;
}

export interface LoadReport {
  responses: LoadedResponse[];
  /** Requests that were due while every connection was busy. */
  unsent: number;
}

export interface LoadProcess {
  put(load: Load): Promise<LoadReport>;
  end(): Promise<void>;
}

/**
 * Starts a process that creates load over raw sockets, so that it needs little processor time. It has a lower priority
 * than the service and its database, which share the processors with it. Otherwise its own processor time would worsen
 * their results.
 */
export async function startLoadProcess(): Promise<LoadProcess> {
  const child = fork(join(import.meta.dirname, 'load-process.ts'), { serialization: 'advanced' });
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  const exited = once(child, 'exit').then(() => process.off('exit', endWithUs));
  const died = exited.then(() => Promise.reject(new Error('The load process has ended.')));
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
