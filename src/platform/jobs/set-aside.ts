import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/**
 * Sets jobs aside that end their process: by a crash, by using all memory, or by blocking it until somebody kills it.
 * Otherwise such a job would end one process after another. A job that is set aside stays in the queue and waits
 * forever, so nobody adds it again, until an operator releases it.
 */

/** How many processes a job may end. An innocent job may be running when a process is killed. */
const maxLostProcesses = 2;

/** With this the queue returns the job of a process that reports nothing any more. */
const lostOutput = 'job heartbeat timeout';
const reason = `It ended its process ${maxLostProcesses} times.`;

interface QueueDatabase {
  executeSql(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

interface StartedJob {
  id: string;
  name: string;
  /** Jobs of a schedule have none. */
  data: object | null;
  output: unknown;
}

/** What the job names, without what the queue adds: the same for the same work. */
function workOf(data: object): string {
  const { trace, lostProcesses, ...work } = data as Record<string, unknown>;
  return JSON.stringify(work);
}

const isLost = (output: unknown) => (output as { value?: { message?: string } } | null)?.value?.message === lostOutput;

export function createSetAside(db: QueueDatabase) {
  /** Jobs that have ended in this process, so they did not end it. The database may not have learned of it. */
  const survived = new Set<string>();
  return {
    /** `set-aside`: the job may not run from now on. `known`: another job brought the same work and is set aside. */
    async admit({ id, name, data, output }: StartedJob): Promise<'run' | 'set-aside' | 'known'> {
      // What is done for all companies must go on, and no company decides what it costs.
      if (data === null || !('companyId' in data)) return 'run';
      const same = `select 1 from queue.job where name = $1 and state < 'active' and start_after = 'infinity' and data @> $2::jsonb limit 1`;
      const { rows } = await db.executeSql(same, [name, workOf(data)]);
      if (rows.length > 0) return 'known';
      if (!isLost(output) || survived.delete(id)) return 'run';
      const lostProcesses = Number((data as { lostProcesses?: number }).lostProcesses ?? 0) + 1;
      const isLast = lostProcesses >= maxLostProcesses;
      const waiting = `, state = 'retry', start_after = 'infinity', keep_until = 'infinity', output = $4::jsonb`;
      await db.executeSql(
        `update queue.job set data = data || jsonb_build_object('lostProcesses', $3::int)${isLast ? waiting : ''}
          where name = $1 and id = $2 and state = 'active'`,
        [name, id, lostProcesses, ...(isLast ? [JSON.stringify({ value: { message: reason } })] : [])],
      );
      return isLast ? 'set-aside' : 'run';
    },
    /** Records that a job ended and its process did not, although the queue may have lost sight of it meanwhile. */
    survive: (id: string): void => {
      survived.add(id);
      if (survived.size > 1_000) survived.delete(survived.values().next().value ?? '');
    },
  };
}

export interface JobSetAside {
  id: string;
  queue: string;
  companyId: number | null;
  hrIntegrationId: number | null;
  reason: string;
  since: string;
}

export async function listJobsSetAside(db: Db): Promise<JobSetAside[]> {
  const { rows } = await sql<JobSetAside>`
    select j.id, j.name as queue, (j.data->>'companyId')::int as "companyId",
      (j.data->>'hrIntegrationId')::int as "hrIntegrationId", j.output->'value'->>'message' as reason, j.started_on as since
    from queue.job j where j.state < 'active' and j.start_after = 'infinity' order by j.started_on, j.id`.execute(db);
  return rows;
}

export async function releaseJob(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update queue.job set start_after = now(), keep_until = now() + interval '14 days', data = data - 'lostProcesses', output = null
    where id = ${id}::uuid and state < 'active' and start_after = 'infinity'`.execute(db);
  return numAffectedRows > 0n;
}
