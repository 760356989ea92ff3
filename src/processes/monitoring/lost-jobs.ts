import { sql } from 'kysely';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { listRows, type SharedRead } from '../../platform/db/shards.ts';
import { writeShared } from '../../platform/db/write.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';

type Target = { companyId: CompanyId; hrIntegrationId?: number };

const dueMail = "t.state = 'pending' and t.next_attempt_at <= now()";

/** Where the tables of the companies say what is to be done, by the job that does it. */
const sources: readonly { job: string; table: SharedRead; where: string; isPerIntegration?: true }[] = [
  { job: 'apply-syncs', table: 'syncs', where: "t.state in ('accepted', 'processing')", isPerIntegration: true },
  { job: 'write-documents', table: 'documents', where: 't.content is not null' },
  { job: 'write-invoices', table: 'invoices', where: '(t.number is null or t.files is null)' },
  { job: 'pull-rosters', table: 'pulls', where: "t.state in ('waiting', 'reading')", isPerIntegration: true },
  { job: 'send-mails', table: 'mails', where: dueMail },
  { job: 'send-mails', table: 'employee_mails', where: `${dueMail} and t.urgency = 0` },
  { job: 'send-employee-mails', table: 'employee_mails', where: `${dueMail} and t.urgency > 0` },
  { job: 'collect-scim-changes', table: 'scim_connections', where: 't.collect_at <= now()', isPerIntegration: true },
  { job: 'decide-contracts', table: 'contract_batches', where: 't.finished_at is null' },
];

interface Work extends Target {
  job: string;
}

const keyOf = ({ job, companyId, hrIntegrationId }: Work) => `${job} ${companyId} ${hrIntegrationId ?? ''}`;

async function listWork(db: Db): Promise<{ work: Work[]; isComplete: boolean }> {
  const found = await Promise.all(
    sources.map(async ({ job, table, where, isPerIntegration }) => {
      const integration = isPerIntegration ? ', t.hr_integration_id as "hrIntegrationId"' : '';
      const columns = `distinct t.company_id as "companyId"${integration}`;
      const { rows, isComplete } = await listRows<Target>(db, { table, columns, where });
      return { work: rows.map((row) => ({ job, ...row })), isComplete };
    }),
  );
  return { work: found.flatMap(({ work }) => work), isComplete: found.every(({ isComplete }) => isComplete) };
}

async function listJobs(db: Db): Promise<Work[]> {
  const { rows } = await sql<{ job: string; data: Target }>`
    select distinct j.name as job, j.data from queue.job j
    where j.name = any(${sources.map(({ job }) => job)}) and j.state <= 'active'`.execute(db);
  return rows.map(({ job, data }) => ({ job, ...data }));
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
  for (const { job, companyId, hrIntegrationId = 0 } of lost) {
    await writeShared(db, (tx) => {
      if (job === 'send-mails') return queue.enqueueMails(tx, companyId);
      if (job === 'send-employee-mails') return queue.enqueueEmployeeMails(tx, companyId, 'bulk');
      if (job === 'decide-contracts') return queue.enqueueContracts(tx, companyId);
      if (job === 'write-invoices') return queue.enqueueInvoices(tx, companyId);
      if (job === 'write-documents') return queue.enqueueDocuments(tx, companyId, null);
      if (job === 'collect-scim-changes') return queue.enqueueScimChanges(tx, companyId, hrIntegrationId, 0);
      const enqueue = job === 'pull-rosters' ? queue.enqueuePull : queue.enqueueSync;
      return enqueue(tx, companyId, hrIntegrationId);
    });
  }
  return {
    restored: lost.filter(({ job }) => job !== 'send-mails' && job !== 'send-employee-mails').length,
    isComplete,
  };
}
