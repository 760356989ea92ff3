import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../src/platform/db/database.ts';
import { holdsWithin } from '../../test/support/until.ts';

export type Kind = 'sync' | 'first of a month' | 'other day' | 'documents';

/** Something a worker is doing: a sync, a day (`of`) of a company, or a try (`of`) of a job that writes documents. */
interface Work {
  kind: Kind;
  id: string;
  of: string;
  /** The database user of the worker. Null for documents: the queue does not record which worker writes them. */
  user: string | null;
}

/** Returns what workers are doing, as far as locks and jobs show. A sync also processes missed days. */
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
    select a.user, 'sync' as kind, a.id::text as id, '' as of from applying a
    union all
    select h.user, case extract(day from c.processed_through + 1) when 1 then 'first of a month' else 'other day' end,
      c.id::text, (c.processed_through + 1)::text
    from held h join companies c on h.key = hashtextextended('company ' || c.id, 0)
    where not exists (select from applying a where a.pid = h.pid) and c.processed_through < (
      select (now() + e.clock_ahead_seconds * interval '1 s') at time zone c.time_zone from environment e)::date
    union all
    select null, 'documents', id::text, retry_count::text from queue.job
    where name = 'write-documents' and state = 'active'`.execute(db);
  return rows;
}

/** `gone`: the kill interrupted nothing, because the worker on this job had finished it. */
type Progress = 'open' | 'done' | 'gone';
type Interruption = Work & { atMs: number };

async function readProgress(db: Db, { kind, id, of, atMs }: Interruption): Promise<Progress> {
  const ofSync = sql<{ progress: Progress }>`
    select case when state in ('accepted', 'processing') then 'open' else 'done' end as progress
    from syncs where id::text = ${id}`;
  const ofDay = sql<{ progress: Progress }>`
    select case when processed_through < ${of}::date then 'open' else 'done' end as progress
    from companies where id::text = ${id}`;
  const ofJob = sql<{ progress: Progress }>`
    select case
      when j.retry_count = ${of}::integer and j.state not in ('active', 'retry') then 'gone'
      when j.retry_count = ${of}::integer and j.state = 'active' then 'open'
      when exists (select from queue.job k where k.name = j.name and k.group_id = j.group_id
        and k.started_on > to_timestamp(${atMs}::float8 / 1000)) then 'done'
      else 'open' end as progress
    from queue.job j where j.name = 'write-documents' and j.id::text = ${id}`;
  const { rows } = await (kind === 'sync' ? ofSync : kind === 'documents' ? ofJob : ofDay).execute(db);
  return rows[0]?.progress ?? 'gone';
}

/** Records what kills interrupted and how long each item took since. From outside: the service's clock travels. */
export function watchInterruptions(db: Db) {
  const open = new Map<string, Interruption>();
  const noted: Kind[] = [];
  const done: { kind: Kind; seconds: number }[] = [];
  const over = new AbortController();
  const watching = (async () => {
    for (; !over.signal.aborted; await sleep(50)) {
      for (const [key, item] of open) {
        const progress = await readProgress(db, item);
        // A later kill may have interrupted it again in the meantime.
        if (progress === 'open' || open.get(key) !== item) continue;
        open.delete(key);
        if (progress === 'gone') continue;
        done.push({ kind: item.kind, seconds: (Date.now() - item.atMs) / 1_000 });
        if (item.kind === 'documents') noted.push('documents');
      }
    }
  })();
  return {
    /** Records the work of a worker that has ended. Returns what it had not done. Documents show that when resumed. */
    async note(work: Work[], atMs: number): Promise<Kind[]> {
      const kinds: Kind[] = [];
      for (const item of work.map((one) => ({ ...one, atMs }))) {
        const isOpen = (await readProgress(db, item)) === 'open';
        if (isOpen || item.kind === 'documents') open.set(`${item.kind} ${item.id} ${item.of}`, item);
        if (isOpen && item.kind !== 'documents') kinds.push(item.kind);
      }
      noted.push(...kinds);
      return kinds;
    },
    /** Returns how many kills interrupted this kind of work. For documents, how many of them workers resumed. */
    count: (kind: Kind) => noted.filter((one) => one === kind).length,
    countOpen: () => open.size,
    slowest: (...kinds: Kind[]) =>
      Math.max(0, ...done.flatMap(({ kind, seconds }) => (kinds.includes(kind) ? seconds : []))),
    untilAllDone: () => holdsWithin(60_000, () => open.size === 0),
    async stop() {
      over.abort();
      await watching;
    },
  };
}

export type Interruptions = ReturnType<typeof watchInterruptions>;
