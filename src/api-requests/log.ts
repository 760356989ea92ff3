import { setTimeout as sleep } from 'node:timers/promises';
import type { CompanyId } from '../db/company-scope.ts';
import type { Db } from '../db/database.ts';
import { isDatabaseUnavailable } from '../db/unavailable.ts';
import { BatchGroup, countRequests, type RequestBatch, type RequestRow } from './batches.ts';
import { describePath } from './describe-path.ts';
import { createBatchWriter } from './write.ts';

/** A request as it is known when its response has been sent. */
export interface LoggedRequest {
  companyId: CompanyId;
  keyId: string;
  requestId: string;
  method: string;
  /** The pattern of the route. */
  route: string;
  /** The path and the query as sent. */
  url: string;
  status: number;
  ms: number;
  problem: string | undefined;
  address: string | undefined;
}

/** Requests wait this long for others, and so many are written at once. */
const [waitMillis, maxAtOnce] = [1_000, 5_000];
/** How many requests may wait while the database is slow or away. Further ones are not logged. */
const maxWaiting = 20_000;
/** The largest value of a column of type integer. */
const maxInteger = 2 ** 31 - 1;
/** How long the log may delay the end of the process. */
const stopMillis = 2_000;

interface LogOptions {
  db: Db;
  /** Returns the names of the parameters of a route. */
  parametersOf: (route: string) => ReadonlySet<string>;
  onDropped: (count: number) => void;
  onError: (error: unknown) => void;
}

export interface RequestLog {
  /** Adds a request whose response has been sent. Never waits and never throws. */
  add(request: LoggedRequest): void;
  /** Writes what waits, unless the database does not respond. */
  stop(): Promise<void>;
}

/**
 * Collects the requests of all keys in memory and writes them in batches. The log must never delay or refuse a request,
 * so what does not fit in memory is dropped and counted.
 */
export function createRequestLog({ db, parametersOf, onDropped, onError }: LogOptions): RequestLog {
  const write = createBatchWriter(db);
  /** The last group receives requests. Those before it are full. */
  let groups: BatchGroup[] = [];
  let unwritten: RequestBatch[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isStopped = false;

  const countWaiting = () => groups.reduce((sum, { count }) => sum + count, countRequests(unwritten));

  const toRow = (request: LoggedRequest): RequestRow => ({
    companyId: request.companyId,
    id: request.requestId,
    at: Date.now(),
    keyId: request.keyId,
    method: request.method,
    path: describePath(request, parametersOf(request.route)),
    status: request.status,
    us: Math.min(maxInteger, Math.round(request.ms * 1000)),
    problem: request.problem ?? null,
    address: request.address ?? null,
  });

  /** Keeps what the database could not take at the moment. What it refuses is dropped. */
  async function writeSome(batches: readonly RequestBatch[]): Promise<boolean> {
    const failures = await write(batches);
    for (const { batches: failed, error } of failures) {
      onError(error);
      if (isDatabaseUnavailable(error)) unwritten.push(...failed);
      else onDropped(countRequests(failed));
    }
    return failures.length === 0;
  }

  async function writeAll(): Promise<void> {
    let isWritten = true;
    while (isWritten && unwritten.length + groups.length > 0) {
      // A batch that is tried again keeps its id, so that it is not stored twice.
      const batches = unwritten.length > 0 ? unwritten : (groups.shift()?.batches ?? []);
      if (batches === unwritten) unwritten = [];
      isWritten = await writeSome(batches);
    }
  }

  /** Returns the group that receives requests. */
  function openGroup(): BatchGroup {
    const last = groups.at(-1);
    if (last !== undefined && last.count < maxAtOnce) return last;
    const group = new BatchGroup();
    groups.push(group);
    return group;
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll().finally(() => {
      writing = undefined;
      // What could not be written is tried again.
      if (unwritten.length > 0 && !isStopped) schedule();
    });
    return writing;
  }

  function schedule(): void {
    timer ??= setTimeout(flush, waitMillis).unref();
  }

  return {
    add(request) {
      if (isStopped || countWaiting() >= maxWaiting) {
        onDropped(1);
        return;
      }
      const group = openGroup();
      group.add(toRow(request));
      if (group.count === maxAtOnce) void flush();
      else schedule();
    },
    async stop() {
      isStopped = true;
      const written = (async () => {
        await writing;
        await flush();
      })();
      await Promise.race([written, sleep(stopMillis, undefined, { ref: false })]);
      const lost = countWaiting();
      [groups, unwritten] = [[], []];
      if (lost > 0) onDropped(lost);
    },
  };
}
