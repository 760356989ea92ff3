import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/db/database.ts';
import { isDatabaseUnavailable } from '../../platform/db/unavailable.ts';
import type { KeyRequest } from '../../platform/http/request-hooks.ts';
import { BatchGroup, countRequests, type RequestBatch, type RequestRow } from './batches.ts';
import { describePath } from './describe-path.ts';
import { createBatchWriter } from './write.ts';

/** So many requests are written at once. */
const maxAtOnce = 5_000;
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
  /** How long requests wait for others, by default a second. */
  waitMillis?: number;
}

export interface RequestLog {
  /** Adds a request whose response has been sent. Never waits and never throws. */
  add(request: KeyRequest): void;
  /** Writes what waits, unless the database does not respond. */
  stop(): Promise<void>;
}

/**
 * Collects the requests of all keys in memory and writes them in batches. The log must never delay or refuse a request,
 * so what does not fit in memory is dropped and counted.
 */
export function createRequestLog(options: LogOptions): RequestLog {
  const { db, parametersOf, onDropped, onError, waitMillis = 1_000 } = options;
  const write = createBatchWriter(db);
  /** Receives requests until it is full or they have waited long enough. */
  let open: BatchGroup | undefined;
  let due: BatchGroup[] = [];
  let unwritten: RequestBatch[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isStopped = false;

  const countWaiting = () => due.reduce((sum, { count }) => sum + count, (open?.count ?? 0) + countRequests(unwritten));

  const toRow = (request: KeyRequest): RequestRow => ({
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

  async function writeDue(): Promise<void> {
    let isWritten = true;
    while (isWritten && unwritten.length + due.length > 0) {
      // A batch that is tried again keeps its id, so that it is not stored twice.
      const batches = unwritten.length > 0 ? unwritten : (due.shift()?.batches ?? []);
      if (batches === unwritten) unwritten = [];
      isWritten = await writeSome(batches);
    }
  }

  /** Writes what waits. Requests that are added meanwhile wait for others again: each write of a company takes a row. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (open !== undefined) due.push(open);
    open = undefined;
    writing ??= writeDue().finally(() => {
      writing = undefined;
      // What could not be written is tried again.
      if (unwritten.length + due.length > 0 && !isStopped) schedule();
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
      open ??= new BatchGroup();
      open.add(toRow(request));
      if (open.count === maxAtOnce) void flush();
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
      [open, due, unwritten] = [undefined, [], []];
      if (lost > 0) onDropped(lost);
    },
  };
}
