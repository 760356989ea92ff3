import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../src/db/database.ts';
import { holdsWithin } from '../../test/support/until.ts';

export type Kind = 'sync' | 'first of a month' | 'other day' | 'documents';

/** Something a worker is doing. */
interface Work {
  kind: Kind;
  /** `sync`, `day` or `job`, with what identifies it. */
  key: string;
  /** The database user of the worker. Null for documents: the queue does not record which worker writes them. */
  user: string | null;
}

/**
 * Returns what workers are doing, as far as locks and jobs show. A sync also processes missed days, so a worker that
 * applies a sync is not counted as processing days.
 */
export async function findWork(db: Db): Promise<Work[]> {
  const { rows } = await sql<Work>`
    with held as (
      select l.pid, a.usename as user, l.classid::bigint << 32 | l.objid::bigint as key
      from pg_locks l join pg_stat_activity a using (pid) where l.locktype = 'advisory' and l.granted
    ), applying as (
      select h.pid, h.user, s.id from held h
      join syncs s on h.key = hashtextextended('sync ' || s.company_id || ' ' || s.hr_integration_id, 0)
      where s.state = 'processing'
    )
    select a.user, 'sync' as kind, 'sync ' || a.id as key from applying a
    union all
    select h.user, case extract(day from c.processed_through + 1) when 1 then 'first of a month' else 'other day' end,
      'day ' || c.id || ' ' || (c.processed_through + 1)
    from held h join companies c on h.key = hashtextextended('company ' || c.id, 0)
    where not exists (select from applying a where a.pid = h.pid) and c.processed_through < (
      select (now() + e.clock_ahead_seconds * interval '1 s') at time zone c.time_zone from environment e)::date
    union all
    select null, 'documents', 'job ' || id || ' ' || retry_count from queue.job
    where name = 'write-documents' and state = 'active'`.execute(db);
  return rows;
}

interface Interruption extends Omit<Work, 'user'> {
  /** When the worker was killed. */
  atMs: number;
  /** `gone`: the kill interrupted nothing, because the worker on this job had finished it. */
  progress: 'open' | 'done' | 'gone';
}

/**
 * Records what kills interrupted, and how long each item took from the last kill until it was done. For documents, this
 * is the time until a worker resumes writing for the same company. The times are measured from outside, because the
 * service's own times come from a clock that travels.
 */
export class Interruptions {
  readonly #db: Db;
  readonly #open = new Map<string, Interruption>();
  readonly #noted: Kind[] = [];
  readonly #done: { kind: Kind; seconds: number }[] = [];

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Records the work of a dead worker. Call it only after the worker has ended: what is done by then was done by that
   * worker. Returns the kinds of work that were not done.
   */
  async note(work: Work[], atMs: number): Promise<Kind[]> {
    const checked = await this.#check(work.map(({ kind, key }) => ({ kind, key, atMs, progress: 'open' })));
    const interrupted = checked.filter(({ kind, progress }) => progress === 'open' || kind === 'documents');
    for (const one of interrupted) this.#open.set(one.key, one);
    // Only a worker that resumes writing documents shows that the kill interrupted them.
    const kinds = interrupted.map(({ kind }) => kind).filter((kind) => kind !== 'documents');
    this.#noted.push(...kinds);
    return kinds;
  }

  /** Returns how many kills interrupted this kind of work. For documents, how many of them workers resumed. */
  count(kind: Kind): number {
    return this.#noted.filter((noted) => noted === kind).length;
  }

  countOpen(): number {
    return this.#open.size;
  }

  slowest(...kinds: Kind[]): number {
    return Math.max(0, ...this.#done.flatMap(({ kind, seconds }) => (kinds.includes(kind) ? seconds : [])));
  }

  async untilAllDone(): Promise<void> {
    await holdsWithin(60_000, () => this.#open.size === 0);
  }

  /** Checks the open interruptions until the signal aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    for (; !signal.aborted; await sleep(50)) {
      for (const { kind, key, atMs, progress } of await this.#check([...this.#open.values()])) {
        // A later kill may have interrupted it again in the meantime.
        if (progress === 'open' || this.#open.get(key)?.atMs !== atMs) continue;
        this.#open.delete(key);
        if (progress === 'gone') continue;
        this.#done.push({ kind, seconds: (Date.now() - atMs) / 1_000 });
        if (kind === 'documents') this.#noted.push(kind);
      }
    }
  }

  /** Returns the items with their present progress. */
  async #check(items: Interruption[]): Promise<Interruption[]> {
    if (items.length === 0) return [];
    const { rows } = await sql<Pick<Interruption, 'key' | 'progress'>>`
      with open as (
        select key, split_part(key, ' ', 1) as type, split_part(key, ' ', 2) as id, split_part(key, ' ', 3) as of, at_ms
        from unnest(${items.map(({ key }) => key)}::text[], ${items.map(({ atMs }) => atMs)}::float8[]) u(key, at_ms)
      )
      select o.key, case when s.state in ('accepted', 'processing') then 'open' else 'done' end as progress
      from open o join syncs s on s.id = case o.type when 'sync' then o.id::bigint end
      union all
      select o.key, case when c.processed_through < o.of::date then 'open' else 'done' end
      from open o join companies c on c.id = case o.type when 'day' then o.id::bigint end
      union all
      select o.key, case
          when j.id is null or j.retry_count = o.of::integer and j.state not in ('active', 'retry') then 'gone'
          when j.retry_count = o.of::integer and j.state = 'active' then 'open'
          when exists (select from queue.job k where k.name = j.name and k.group_id = j.group_id
            and k.started_on > to_timestamp(o.at_ms / 1000)) then 'done'
          else 'open' end
      from open o left join queue.job j on j.name = 'write-documents' and j.id = case o.type when 'job' then o.id::uuid end
      where o.type = 'job'`.execute(this.#db);
    const progress = new Map(rows.map((row) => [row.key, row.progress]));
    return items.map((item) => ({ ...item, progress: progress.get(item.key) ?? 'open' }));
  }
}
