import { sql } from 'kysely';
import type { Db } from '../../src/db/database.ts';

/** What a worker is doing, as far as its locks show. */
export interface Work {
  syncs: number[];
  /** Days that have not been processed for their company yet. */
  days: { companyId: number; day: string }[];
}

/**
 * Returns the work by database user of the worker. A sync also processes missed days, so a worker that applies a sync
 * is not counted as processing days.
 */
export async function findWork(db: Db): Promise<Map<string, Work>> {
  const { rows } = await sql<{ user: string; sync_key: number | null; company_id: number; day: string }>`
    with held as (
      select l.pid, a.usename as user, l.classid::bigint << 32 | l.objid::bigint as key
      from pg_locks l join pg_stat_activity a using (pid) where l.locktype = 'advisory' and l.granted
    ), applying as (
      select h.pid, h.user, s.id, s.company_id from held h
      join syncs s on h.key = hashtextextended('sync ' || s.company_id || ' ' || s.hr_integration_id, 0)
      where s.state = 'processing'
    )
    select a.user, a.id as sync_key, a.company_id, null::date as day from applying a
    union all
    select h.user, null, c.id, c.processed_through + 1 from held h
    join companies c on h.key = hashtextextended('company ' || c.id, 0)
    where not exists (select from applying a where a.pid = h.pid) and c.processed_through < (
      select (now() + e.clock_ahead_seconds * interval '1 s') at time zone c.time_zone from environment e)::date`.execute(
    db,
  );
  const found = new Map<string, Work>();
  for (const { user, sync_key, company_id, day } of rows) {
    const work = found.get(user) ?? { syncs: [], days: [] };
    if (sync_key === null) work.days.push({ companyId: company_id, day });
    else work.syncs.push(sync_key);
    found.set(user, work);
  }
  return found;
}

/** One attempt of an active job. A worker that resumes the job makes another attempt. */
export interface Attempt {
  jobId: string;
  attempt: number;
}

/** Returns the active document jobs. The queue does not record which worker has them. */
export async function findDocumentJobs(db: Db): Promise<Attempt[]> {
  const { rows } = await sql<Attempt>`
    select id as "jobId", retry_count as attempt from queue.job
    where name = 'write-documents' and state = 'active'`.execute(db);
  return rows;
}
