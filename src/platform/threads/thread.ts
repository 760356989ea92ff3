import { Worker } from 'node:worker_threads';
import type * as piscina from 'piscina';
import { lazyPackage } from '../lazy-package.ts';

const loadPiscina = lazyPackage<typeof piscina>('piscina');

/** A thread for work that would block other requests. The module that it runs exports a function as default. */
export interface Thread<Task, Result> {
  run(task: Task): Promise<Result>;
  stop(): Promise<void>;
}

interface Pool<Task, Result> extends Thread<Task, Result> {
  hasFailed(): boolean;
}

function startPool<Task, Result>(url: URL, workerData: unknown): Pool<Task, Result> {
  const { Piscina } = loadPiscina();
  const pool = new Piscina<Task, Result>({
    filename: url.href,
    workerData,
    // With a minimum of one, a thread that is lost is replaced while tasks are waiting.
    minThreads: 1,
    maxThreads: 1,
    idleTimeout: Number.POSITIVE_INFINITY,
    recordTiming: false,
    // Flags of the process, such as those of an inline script, do not apply to the thread.
    execArgv: [],
  });
  let failure: Error | undefined;
  // Piscina starts no further thread after one that cannot start. Waiting tasks would never end without this.
  pool.on('error', (error) => {
    failure = error;
    void pool.destroy();
  });
  return {
    hasFailed: () => failure !== undefined,
    run: (task) =>
      pool.run(task).catch((error: unknown) => {
        throw failure ?? error;
      }),
    stop: () => pool.destroy(),
  };
}

/** How long a thread waits for another task. Ending it returns its memory. */
const idleMillis = 60_000;

/** Starts the thread with the first task, and again with the next task after it was idle or could not start. */
export function createThread<Task, Result>(
  url: URL,
  workerData?: unknown,
  { endsAfterMillis = idleMillis } = {},
): Thread<Task, Result> {
  let pool: Pool<Task, Result> | undefined;
  let isStopped = false;
  let tasks = 0;
  let idle: NodeJS.Timeout | undefined;
  let ending: Promise<void> | undefined;
  const end = () => {
    ending = pool?.stop();
    pool = undefined;
  };
  return {
    async run(task) {
      if (isStopped) throw new Error('The thread has been stopped.');
      clearTimeout(idle);
      if (pool === undefined || pool.hasFailed()) pool = startPool(url, workerData);
      tasks += 1;
      return pool.run(task).finally(() => {
        tasks -= 1;
        if (tasks === 0) idle = setTimeout(end, endsAfterMillis).unref();
      });
    },
    async stop() {
      isStopped = true;
      clearTimeout(idle);
      await Promise.all([ending, pool?.stop()]);
    },
  };
}

export class MemoryExceededError extends Error {}

export interface LimitedThread<Call, Reply> {
  /** Sends a message and waits for the next one. Throws if a limit ends the thread before. One call at a time. */
  call(message: Call): Promise<Reply>;
  stop(): Promise<void>;
}

interface LimitedThreadOptions {
  workerData?: unknown;
  maxHeapMegabytes: number;
  signal: AbortSignal;
}

/** Starts a thread for work whose cost a company decides. It ends at a limit instead of ending the process. */
export function startLimitedThread<Call, Reply>(
  url: URL,
  { workerData, maxHeapMegabytes, signal }: LimitedThreadOptions,
): LimitedThread<Call, Reply> {
  signal.throwIfAborted();
  const thread = new Worker(url, {
    workerData,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMegabytes },
  });
  const ended = Promise.withResolvers<never>();
  // Nobody may be waiting for a reply.
  ended.promise.catch(() => {});
  const abort = () => {
    ended.reject(signal.reason);
    void thread.terminate();
  };
  signal.addEventListener('abort', abort, { once: true });
  thread.once('error', (error: Error & { code?: string }) =>
    ended.reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new MemoryExceededError(error.message) : error),
  );
  thread.once('exit', () => {
    signal.removeEventListener('abort', abort);
    ended.reject(new Error('The thread has ended.'));
  });
  return {
    call(message) {
      const reply = Promise.withResolvers<Reply>();
      thread.once('message', reply.resolve);
      thread.postMessage(message);
      return Promise.race([reply.promise, ended.promise]).finally(() => thread.off('message', reply.resolve));
    },
    async stop() {
      await thread.terminate();
    },
  };
}
