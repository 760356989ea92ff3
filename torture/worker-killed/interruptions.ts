import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../src/db/database.ts';
import type { Attempt, Work } from './work-in-progress.ts';

export type Kind = 'sync' | 'first of a month' | 'other day' | 'documents';

interface Interruption {
  kind: Kind;
  atMs: number;
}

/** `gone`: the kill interrupted nothing, because the worker on this job had finished it. */
type Progress = 'open' | 'done' | 'gone';

const timeoutMs = 60_000;

/**
 * Records what kills interrupted, and how long each item took from the last kill until it was done. For documents, this
 * is the time until a worker resumes writing for the same company. The times are measured from outside, because the
 * service's own times come from a clock that travels.
 */
export class Interruptions {
  readonly seconds: Record<Kind, number[]> = { sync: [], 'first of a month': [], 'other day': [], documents: [] };
  /** How many kills interrupted each kind of work. For documents this is known only when a worker resumes writing. */
  readonly count: Record<Kind, number> = { sync: 0, 'first of a month': 0, 'other day': 0, documents: 0 };
  readonly #open = new Map<string, Interruption>();
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Records the work of a dead worker. Call it only after the worker has ended: what is done by then was done by that
   * worker. Returns the kinds of work that were not done.
   */
  async note({ syncs, days }: Work = { syncs: [], days: [] }, jobs: Attempt[], atMs: number): Promise<Kind[]> {
    const found = [
      ...syncs.map((key): [string, Kind] => [`sync ${key}`, 'sync']),
      ...days.map(({ companyId, day }): [string, Kind] => [
        `day ${companyId} ${day}`,
        day.endsWith('-01') ? 'first of a month' : 'other day',
      ]),
    ];
    const states = await this.#check(found.map(([key]) => key));
    const interrupted = found.filter(([key]) => states.get(key) === 'open');
    for (const [key, kind] of interrupted) {
      this.count[kind] += 1;
      this.#open.set(key, { kind, atMs });
    }
    for (const { jobId, attempt } of jobs) {
      this.#open.set(`job ${jobId} ${attempt}`, { kind: 'documents', atMs });
    }
    return interrupted.map(([, kind]) => kind);
  }

  countOpen(): number {
    return this.#open.size;
  }

  async untilAllDone(): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (this.#open.size > 0 && Date.now() < deadline) await sleep(50);
  }

  /** Checks the open interruptions until the signal aborts. */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const keys = [...this.#open.keys()];
      for (const [key, progress] of await this.#check(keys)) if (progress !== 'open') this.#close(key, progress);
      await sleep(50);
    }
  }

  slowest(...chosen: Kind[]): number {
    return Math.max(0, ...chosen.flatMap((kind) => this.seconds[kind]));
  }

  #close(key: string, progress: Progress): void {
    const interruption = this.#open.get(key);
    if (interruption === undefined) return;
    this.#open.delete(key);
    if (progress === 'gone') return;
    const { kind, atMs } = interruption;
    this.seconds[kind].push((Date.now() - atMs) / 1_000);
    if (kind === 'documents') this.count.documents += 1;
  }

  async #check(keys: string[]): Promise<Map<string, Progress>> {
    if (keys.length === 0) return new Map();
    const times = keys.map((key) => this.#open.get(key)?.atMs ?? 0);
    const { rows } = await sql<{ key: string; progress: Progress }>`
      with open as (
        select key, split_part(key, ' ', 1) as kind, split_part(key, ' ', 2) as id, split_part(key, ' ', 3) as of,
          at_ms from unnest(${keys}::text[], ${times}::float8[]) u(key, at_ms)
      )
      select o.key, case when s.state in ('accepted', 'processing') then 'open' else 'done' end as progress
      from open o join syncs s on s.id = case o.kind when 'sync' then o.id::bigint end
      union all
      select o.key, case when c.processed_through < o.of::date then 'open' else 'done' end
      from open o join companies c on c.id = case o.kind when 'day' then o.id::bigint end
      union all
      select o.key, case
          when j.id is null or j.retry_count = o.of::integer and j.state not in ('active', 'retry') then 'gone'
          when j.retry_count = o.of::integer and j.state = 'active' then 'open'
          when exists (select from queue.job k where k.name = j.name and k.group_id = j.group_id
            and k.started_on > to_timestamp(o.at_ms / 1000)) then 'done'
          else 'open' end
      from open o left join queue.job j on j.name = 'write-documents' and j.id = case o.kind when 'job' then o.id::uuid end
      where o.kind = 'job'`.execute(this.#db);
    return new Map(rows.map(({ key, progress }) => [key, progress]));
  }
}
