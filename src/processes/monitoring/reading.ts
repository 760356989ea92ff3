import type { FastifyBaseLogger } from 'fastify';

/** However many scrapers there are, the database is asked at most once in this time. */
const maxAgeMillis = 5_000;
/** A scrape does not wait longer for a reading. Its metrics are then missing. */
const timeoutMillis = 3_000;

/** Returns undefined if the work takes too long. */
export async function inTime<T>(work: Promise<T>, millis: number): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), millis);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a reader whose callers share one result for seconds. Undefined: it failed or takes too long. */
export function shareReading<T>(
  name: string,
  read: () => Promise<T>,
  log: FastifyBaseLogger,
): () => Promise<T | undefined> {
  let latest: Promise<T | undefined> = Promise.resolve(undefined);
  let startedAt = Number.NEGATIVE_INFINITY;
  let isRunning = false;
  let hasFailed = false;
  const readOnce = async (): Promise<T | undefined> => {
    try {
      const result = await read();
      hasFailed = false;
      return result;
    } catch (error) {
      // A line per scrape would bury the others.
      if (!hasFailed) log.warn({ err: error, reading: name }, 'metrics could not be read from the database');
      hasFailed = true;
      return undefined;
    } finally {
      isRunning = false;
    }
  };
  return () => {
    const now = performance.now();
    if (!isRunning && now - startedAt > maxAgeMillis) {
      [isRunning, startedAt] = [true, now];
      latest = readOnce();
    }
    return inTime(latest, timeoutMillis);
  };
}
