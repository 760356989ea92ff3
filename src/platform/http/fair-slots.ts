import { ApiError, unavailable } from './errors.ts';

export interface SlotCaller {
  companyId: number;
  name?: string;
}

export interface SlotLimits {
  /** What is limited, as in "2 … of your company are already in progress". */
  what: string;
  total: number;
  perCompany: number;
  /** How many requests of one key or user have a slot or wait for one. 0: no limit. */
  perCaller: number;
  /** How long a request waits for its turn. May be infinite. */
  waitMillis: number;
}

export type Release = () => void;

/** Estimates when one of the current requests will have finished. */
const retryAfter = { 'retry-after': '5' };

export class Counts<Key> extends Map<Key, number> {
  of = (key: Key) => this.get(key) ?? 0;
  add(key: Key, change: 1 | -1): void {
    const count = this.of(key) + change;
    if (count === 0) this.delete(key);
    else this.set(key, count);
  }
}

/**
 * Shares slots fairly: no company has more than its share, and those that wait get a slot in turn, one request of each
 * company after the other. Take a slot when everything that the client sends has arrived, and free it before the client
 * has read the response, so that no client holds one. Slots are not shared with other processes, because they protect the
 * memory, threads and connections of this one.
 */
export function createFairSlots({ what, total, perCompany, perCaller, waitMillis }: SlotLimits) {
  const running = new Counts<number>();
  const callers = new Counts<string>();
  /** The requests that wait, by company. The company whose turn is next comes first. */
  const waiting = new Map<number, (() => void)[]>();
  let free = total;

  const tooMany = (whose: string) =>
    new ApiError(
      'rate-limited',
      `${whose} are already in progress. Wait until one of them has finished, then send the request again.`,
      {},
      retryAfter,
    );

  function begin(companyId: number): void {
    free -= 1;
    running.add(companyId, 1);
  }

  function startNext(): void {
    for (const [companyId, queue] of waiting) {
      if (free === 0) return;
      if (running.of(companyId) >= perCompany) continue;
      const start = queue.shift();
      waiting.delete(companyId);
      // Behind the others. The loop visits it again if they leave slots free.
      if (queue.length > 0) waiting.set(companyId, queue);
      begin(companyId);
      start?.();
    }
  }

  function wait(companyId: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = waiting.getOrInsert(companyId, []);
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    const giveUp = () => {
      queue.splice(queue.indexOf(start), 1);
      if (queue.length === 0) waiting.delete(companyId);
      const isOwnShare = running.of(companyId) >= perCompany;
      reject(
        isOwnShare
          ? tooMany(`${perCompany} ${what} of your company`)
          : unavailable(`Too many ${what} are in progress.`),
      );
    };
    const timer = Number.isFinite(waitMillis) ? setTimeout(giveUp, waitMillis) : undefined;
    queue.push(start);
    return promise;
  }

  async function take({ companyId, name }: SlotCaller): Promise<Release> {
    const caller = `${companyId} ${name}`;
    const isCounted = perCaller > 0 && name !== undefined;
    if (isCounted && callers.of(caller) >= perCaller) throw tooMany(`${perCaller} of your ${what}`);
    if (isCounted) callers.add(caller, 1);
    const leave = () => isCounted && callers.add(caller, -1);
    try {
      if (free > 0 && running.of(companyId) < perCompany) begin(companyId);
      else await wait(companyId);
    } catch (error) {
      leave();
      throw error;
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      leave();
      free += 1;
      running.add(companyId, -1);
      startNext();
    };
  }

  return {
    take,
    async run<T>(caller: SlotCaller, work: () => Promise<T>): Promise<T> {
      const release = await take(caller);
      try {
        return await work();
      } finally {
        release();
      }
    },
    /** Yields what the source does, in a slot that is free when the source ends. */
    async *stream<T>(caller: SlotCaller, open: () => AsyncGenerator<T>): AsyncGenerator<T> {
      const release = await take(caller);
      try {
        yield* open();
      } finally {
        release();
      }
    },
  };
}

/** A scarce thing that companies share: connections, threads, memory. */
export type FairSlots = ReturnType<typeof createFairSlots>;
