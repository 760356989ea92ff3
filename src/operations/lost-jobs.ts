import { sql } from 'kysely';
import { asCompanyId } from '../db/company-scope.ts';
import type { Db } from '../db/database.ts';
import { listRows } from '../db/shards.ts';
import { writeShared } from '../db/write.ts';
import type { Enqueue } from '../jobs/queue.ts';

interface Work {
  companyId: number;
  /** Absent: the documents of the company. */
  hrIntegrationId?: number;
}

const keyOf = ({ companyId, hrIntegrationId }: Work) => `${companyId} ${hrIntegrationId ?? 'documents'}`;

/** Returns what is to be done according to the tables of the companies: accepted syncs and documents without a file. */
async function listWork(db: Db): Promise<{ work: Work[]; isComplete: boolean }> {
  const syncs = await listRows<Work>(db, {
    table: 'syncs',
    columns: 'distinct t.company_id as "companyId", t.hr_integration_id as "hrIntegrationId"',
    where: "t.state in ('accepted', 'processing')",
  });
  const documents = await listRows<Work>(db, {
    table: 'documents',
    columns: 'distinct t.company_id as "companyId"',
    where: 't.content is not null',
  });
  return { work: [...syncs.rows, ...documents.rows], isComplete: syncs.isComplete && documents.isComplete };
}

/** Returns what is to be done according to the queue. */
async function listJobs(db: Db): Promise<Work[]> {
  const { rows } = await sql<{ name: string; data: Work }>`
    select distinct j.name, j.data from queue.job j
    where j.name in ('apply-syncs', 'write-documents') and j.state <= 'active'`.execute(db);
  return rows.map(({ data: { companyId, hrIntegrationId } }) => ({
    companyId,
    ...(hrIntegrationId === undefined ? {} : { hrIntegrationId }),
  }));
}

/**
 * Adds a job for everything that waits and has none, and returns how many it has added. A job starts as soon as it is
 * committed. On Citus the rows that it needs may become visible later, when the maintenance daemon commits what a
 * killed node has prepared: the job then finds nothing to do. Reads the jobs last, so that it adds none for work that
 * has just been enqueued. A surplus job does no harm.
 */
export async function restoreLostJobs(db: Db, queue: Enqueue): Promise<{ restored: number; isComplete: boolean }> {
  const { work, isComplete } = await listWork(db);
  if (work.length === 0) return { restored: 0, isComplete };
  const known = new Set((await listJobs(db)).map(keyOf));
  const lost = work.filter((one) => !known.has(keyOf(one)));
  for (const { companyId, hrIntegrationId } of lost) {
    const company = asCompanyId(companyId);
    await writeShared(db, (tx) =>
      hrIntegrationId === undefined
        ? queue.enqueueDocuments(tx, company, null)
        : queue.enqueueSync(tx, company, hrIntegrationId),
    );
  }
  return { restored: lost.length, isComplete };
}
