import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

export const windowSeconds = 60;
const windowMillis = windowSeconds * 1000;
const flushMillis = 1000;

/** The requests of one name within a minute. */
export interface Window {
  /**
   * Known hits of all processes: those of this one, and those that the others had sent to the database at the last
   * exchange.
   */
  count: number;
  endsAt: number;
  /** Hits of this process that have not been sent to the database yet. */
  unsent: number;
}

export interface Counter {
  /** Counts one hit synchronously. Otherwise, hits that arrive together would all see the count of the last one. */
  hit(name: string, now: number): Window;
  /** Removes a hit that should not have counted. */
  undo(name: string): void;
  /** Returns the window without counting. */
  peek(name: string, now: number): Window;
  stop(): void;
}

interface SharedWindow {
  name_hash: Buffer;
  hits: number;
  ends_in_ms: number;
}

interface PendingHits {
  name: string;
  hash: Buffer;
  window: Window;
  hits: number;
}

const hashOf = (name: string) => createHash('sha256').update(name).digest();

/**
 * Adds hits to the windows that all processes share and returns these windows. Locks the rows in a fixed order to avoid
 * deadlocks.
 */
async function addHits(db: Db, sent: readonly PendingHits[]): Promise<SharedWindow[]> {
  const hashes = sent.map(({ hash }) => hash);
  const hits = sent.map((one) => one.hits);
  const { rows } = await sql<SharedWindow>`
    insert into rate_limit_windows as w (name_hash, hits, ends_at)
    select n.name_hash, n.hits, now() + make_interval(secs => ${windowSeconds})
    from unnest(${hashes}::bytea[], ${hits}::integer[]) as n (name_hash, hits)
    order by n.name_hash
    on conflict (name_hash) do update set
      hits = case when w.ends_at <= now() then excluded.hits else w.hits + excluded.hits end,
      ends_at = case when w.ends_at <= now() then excluded.ends_at else w.ends_at end
    returning w.name_hash, w.hits, (extract(epoch from w.ends_at - now()) * 1000)::float8 as ends_in_ms`.execute(db);
  return rows;
}

async function deleteExpired(db: Db): Promise<void> {
  await sql`
    delete from rate_limit_windows where name_hash in (
      select name_hash from rate_limit_windows where ends_at <= now() for update skip locked)`.execute(db);
}

/**
 * Counts in this process and exchanges the counts with all other processes through the database, with at most one
 * statement per second for all names. While the database is unreachable, each process counts on its own.
 */
export function createCounter(db: Db, log: Pick<FastifyBaseLogger, 'warn'>): Counter {
  const windows = new Map<string, Window>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isFlushing = false;
  let flushAt = 0;
  let sweepAt = 0;
  let isAlone = false;
  let isStopped = false;

  function peek(name: string, now: number): Window {
    const known = windows.get(name);
    if (known !== undefined && known.endsAt > now) return known;
    const window = { count: 0, endsAt: now + windowMillis, unsent: 0 };
    windows.set(name, window);
    return window;
  }

  /** Sends hits. If that fails, adds them to the next exchange. */
  async function send(sent: PendingHits[]): Promise<SharedWindow[]> {
    changed.clear();
    for (const { window } of sent) window.unsent = 0;
    try {
      return await addHits(db, sent);
    } catch (error) {
      for (const { name, window, hits } of sent) {
        window.unsent += hits;
        changed.add(name);
      }
      throw error;
    }
  }

  async function exchange(): Promise<void> {
    const sent = [...changed].flatMap((name) => {
      const window = windows.get(name);
      return window === undefined ? [] : [{ name, hash: hashOf(name), window, hits: window.unsent }];
    });
    const rows = await send(sent);
    const now = performance.now();
    const shared = new Map(rows.map((row) => [row.name_hash.toString('hex'), row]));
    for (const { hash, window } of sent) {
      const row = shared.get(hash.toString('hex'));
      if (row === undefined) continue;
      window.count = Math.max(0, row.hits + window.unsent);
      // The window must not end later than clients were promised.
      window.endsAt = Math.min(window.endsAt, now + row.ends_in_ms);
    }
  }

  async function sweep(): Promise<void> {
    const now = performance.now();
    if (now < sweepAt || isStopped) return;
    sweepAt = now + windowMillis;
    for (const [name, window] of windows) if (window.endsAt <= now) windows.delete(name);
    await deleteExpired(db);
  }

  async function flush(): Promise<void> {
    flushAt = performance.now() + flushMillis;
    try {
      await exchange();
      await sweep();
      isAlone = false;
    } catch (error) {
      if (!isAlone && !isStopped) log.warn({ err: error }, 'rate limits are not shared: database unreachable');
      isAlone = true;
    }
  }

  function schedule(now: number): void {
    if (isStopped || timer !== undefined || isFlushing) return;
    timer = setTimeout(
      () => {
        timer = undefined;
        isFlushing = true;
        void flush().finally(() => {
          isFlushing = false;
          if (changed.size > 0) schedule(performance.now());
        });
      },
      Math.max(0, flushAt - now),
    ).unref();
  }

  function add(name: string, hits: 1 | -1, now: number): Window {
    const window = peek(name, now);
    window.count = Math.max(0, window.count + hits);
    window.unsent += hits;
    changed.add(name);
    schedule(now);
    return window;
  }

  return {
    peek,
    hit: (name, now) => add(name, 1, now),
    undo: (name) => add(name, -1, performance.now()),
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
