import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** A worker takes what may be sent in this time at once, so that few statements are needed. */
const batchSeconds = 2;
const maxBatch = 20;
/** Workers take turns that begin soon. Whoever would have to wait for longer tries again, and so can stop meanwhile. */
const maxAheadSeconds = 5;

/** Returns how many mails a worker takes at once at this rate. */
export const batchOf = (ratePerMinute: number): number =>
  Math.max(1, Math.min(maxBatch, Math.floor((ratePerMinute * batchSeconds) / 60)));

/** Reserves the time of so many mails after what was reserved before, for all workers. Undefined: try again soon. */
async function reserve(db: Db, mails: number, ratePerMinute: number, isLimited: boolean): Promise<number | undefined> {
  const seconds = (mails * 60) / ratePerMinute;
  const length = sql`make_interval(secs => ${seconds})`;
  const limit = isLimited
    ? sql`where p.free_at <= excluded.free_at - ${length} + make_interval(secs => ${maxAheadSeconds})`
    : sql``;
  const { rows } = await sql<{ wait: number }>`
    with reserved as (
      insert into mail_pace as p (is_only, free_at) values (true, now() + ${length})
      on conflict (is_only) do update set free_at = greatest(p.free_at + ${length}, excluded.free_at) ${limit}
      returning p.free_at
    ) select extract(epoch from r.free_at - now())::float8 - ${seconds}::float8 as wait from reserved r`.execute(db);
  return rows[0]?.wait;
}

/** Waits until so many mails may be sent at the rate of all workers together. Throws if the worker stops. */
export async function takeTurn(db: Db, mails: number, ratePerMinute: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    const wait = await reserve(db, mails, ratePerMinute, true);
    await sleep(wait === undefined ? 1_000 : Math.max(0, wait * 1_000), undefined, { signal });
    if (wait !== undefined) return;
  }
}

/** Counts a mail that does not wait, so that the others leave room for it. */
export const countAtOnce = (db: Db, ratePerMinute: number): Promise<unknown> => reserve(db, 1, ratePerMinute, false);
