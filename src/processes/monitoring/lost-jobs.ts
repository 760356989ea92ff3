import { sql } from 'kysely';
import { asCompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { listRows } from '../../platform/db/shards.ts';
import { writeShared } from '../../platform/db/write.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';

interface Work {
  job: 'apply-syncs' | 'write-documents' | 'write-invoices' | 'pull-rosters' | 'send-mails' | 'decide-contracts';
  companyId: number;
  /** Only of syncs and pulls. */
  hrIntegrationId?: number;
}

const keyOf = ({ job, companyId, hrIntegrationId }: Work) => `${job} ${companyId} ${hrIntegrationId ?? ''}`;

/**
 * Returns what is to be done according to the tables of the companies: accepted syncs, documents and invoices without a
 * file, decisions about contracts, rosters to pull, and mails whose next attempt is due.
 */
async function listWork(db: Db): Promise<{ work: Work[]; isComplete: boolean }> {
  const ofIntegration = 'distinct t.company_id as "companyId", t.hr_integration_id as "hrIntegrationId"';
  const [syncs, documents, invoices, pulls, mails, contracts] = await Promise.all([
    listRows<Omit<Work, 'job'>>(db, {
      table: 'syncs',
      columns: ofIntegration,
      where: "t.state in ('accepted', 'processing')",
    }),
    listRows<Omit<Work, 'job'>>(db, {
      table: 'documents',
      columns: 'distinct t.company_id as "companyId"',
      where: 't.content is not null',
    }),
    listRows<Omit<Work, 'job'>>(db, {
      table: 'invoices',
      columns: 'distinct t.company_id as "companyId"',
      where: '(t.number is null or t.files is null)',
    }),
    listRows<Omit<Work, 'job'>>(db, {
      table: 'pulls',
      columns: ofIntegration,
      where: "t.state in ('waiting', 'reading')",
    }),
    listRows<Omit<Work, 'job'>>(db, {
      table: 'mails',
      columns: 'distinct t.company_id as "companyId"',
      where: "t.state = 'pending' and t.next_attempt_at <= now()",
    }),
    listRows<Omit<Work, 'job'>>(db, {
      table: 'contract_batches',
      columns: 'distinct t.company_id as "companyId"',
      where: 't.finished_at is null',
    }),
  ]);
  const work: Work[] = [
    ...syncs.rows.map((row) => ({ job: 'apply-syncs' as const, ...row })),
    ...documents.rows.map((row) => ({ job: 'write-documents' as const, ...row })),
    ...invoices.rows.map((row) => ({ job: 'write-invoices' as const, ...row })),
    ...pulls.rows.map((row) => ({ job: 'pull-rosters' as const, ...row })),
    ...mails.rows.map((row) => ({ job: 'send-mails' as const, ...row })),
    ...contracts.rows.map((row) => ({ job: 'decide-contracts' as const, ...row })),
  ];
  const all = [syncs, documents, invoices, pulls, mails, contracts];
  return { work, isComplete: all.every((found) => found.isComplete) };
}

/** Returns what is to be done according to the queue. */
async function listJobs(db: Db): Promise<Work[]> {
  const { rows } = await sql<{ name: Work['job']; data: Omit<Work, 'job'> }>`
    select distinct j.name, j.data from queue.job j
    where j.name in ('apply-syncs', 'write-documents', 'write-invoices', 'pull-rosters', 'send-mails', 'decide-contracts')
      and j.state <= 'active'`.execute(db);
  return rows.map(({ name, data: { companyId, hrIntegrationId } }) => ({
    job: name,
    companyId,
    ...(hrIntegrationId === undefined ? {} : { hrIntegrationId }),
  }));
}

/** Returns what waits and has no job. Reads the jobs last, so that work that has just been enqueued does not count. */
async function findLost(db: Db): Promise<{ lost: Work[]; isComplete: boolean }> {
  const { work, isComplete } = await listWork(db);
  if (work.length === 0) return { lost: [], isComplete };
  const known = new Set((await listJobs(db)).map(keyOf));
  return { lost: work.filter((one) => !known.has(keyOf(one))), isComplete };
}

/** Looks twice: work that ends between the two readings, together with its job, seems to have none. */
async function findLostForSure(db: Db): ReturnType<typeof findLost> {
  const { lost, isComplete } = await findLost(db);
  if (lost.length === 0) return { lost, isComplete };
  const again = new Set((await findLost(db)).lost.map(keyOf));
  return { lost: lost.filter((one) => again.has(keyOf(one))), isComplete };
}

/**
 * Adds a job for everything that waits and has none, and returns how many were lost. A mail that is sent once more after
 * a failure has no job by design, so those do not count. A job starts as soon as it is
 * committed. On Citus the rows that it needs may become visible later, when the maintenance daemon commits what a
 * killed node has prepared: the job then finds nothing to do. A surplus job does no harm.
 */
export async function restoreLostJobs(db: Db, queue: Enqueue): Promise<{ restored: number; isComplete: boolean }> {
  const { lost, isComplete } = await findLostForSure(db);
  for (const { job, companyId, hrIntegrationId } of lost) {
    const company = asCompanyId(companyId);
    await writeShared(db, (tx) => {
      if (job === 'send-mails') return queue.enqueueMails(tx, company);
      if (job === 'decide-contracts') return queue.enqueueContracts(tx, company);
      if (job === 'write-invoices') return queue.enqueueInvoices(tx, company);
      if (hrIntegrationId === undefined) return queue.enqueueDocuments(tx, company, null);
      const enqueue = job === 'pull-rosters' ? queue.enqueuePull : queue.enqueueSync;
      return enqueue(tx, company, hrIntegrationId);
    });
  }
  return { restored: lost.filter(({ job }) => job !== 'send-mails').length, isComplete };
}
