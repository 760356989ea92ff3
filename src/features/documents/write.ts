import { sql } from 'kysely';
import type { DocumentKind } from '../../domain/enums.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeCompany, writeShared } from '../../platform/db/write.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import { findCompany } from '../companies/companies.ts';
import { findLogo } from '../companies/logo.ts';
import { appendEvents } from '../events/append.ts';
import type { DocumentStore } from './files.ts';
import { writeTicketConfirmations } from './insert.ts';
import type { DocumentContent } from './pdf/content.ts';
import type { Renderer } from './pdf/renderer.ts';

export interface WriteDocumentsDeps {
  db: Db;
  clock: Clock;
  queue: Pick<Enqueue, 'enqueueDocuments'>;
  documents: Pick<DocumentStore, 'put' | 'remove'>;
  renderer: Pick<Renderer, 'render'>;
  signal: AbortSignal;
  /** Learns how many documents a job has written, also if the job fails. Not called if there were none. */
  onFinished?: (result: { written: number; failed: number; millis: number }) => void;
  /** Reports a document that could not be written. It waits for the next attempt and does not delay the others. */
  onError: (error: unknown, document: { companyId: CompanyId; documentId: number }) => void;
}

interface Pending {
  id: number;
  content: DocumentContent;
}

const batchSize = 32;
/** Limits the documents per job. The rest is left to the next job, so that other companies get their turn. */
const documentsPerJob = 1_000;

async function listPending(db: Db, companyId: CompanyId, afterId: number): Promise<Pending[]> {
  const { rows } = await sql<Pending>`
    select d.id, d.content from documents d
    where ${ofCompany(companyId, 'd')} and d.content is not null and d.id > ${afterId}
    order by d.id limit ${batchSize}`.execute(db);
  return rows;
}

/** Renders a document and stores its file under the document's name, so that writing it twice results in one file. */
async function store(
  { documents, renderer, logo }: WriteDocumentsDeps & { logo: Buffer | null },
  companyId: CompanyId,
  { id, content }: Pending,
) {
  const bytes = await renderer.render({ ...content, documentId: id, logo });
  const { key, sha256, sizeBytes } = await documents.put(companyId, 'pdf', bytes, `document-${id}`);
  return { id, key, sha256: sha256.toString('hex'), sizeBytes };
}

type Stored = Awaited<ReturnType<typeof store>>;

/** Makes the documents available, and reports those that are not hidden. Their content is no longer needed. */
async function recordStored({ db, clock }: WriteDocumentsDeps, companyId: CompanyId, stored: Stored[]): Promise<void> {
  if (stored.length === 0) return;
  const now = clock.now();
  await writeCompany(db, companyId, async (tx) => {
    // Without the array, PostgreSQL may read all pending documents while it has no statistics of them.
    const ids = stored.map(({ id }) => id);
    const { rows } = await sql<{ id: number; employeeId: number | null; kind: DocumentKind | null; isHidden: boolean }>`
      update documents d set store_key = r.key, sha256 = decode(r.sha256, 'hex'), size_bytes = r."sizeBytes", content = null,
        updated_at = ${now.toString()}::timestamptz
      from json_to_recordset(${JSON.stringify(stored)}::json) as r(id bigint, key text, sha256 text, "sizeBytes" bigint)
      where ${ofCompany(companyId, 'd')} and d.id = r.id and d.id = any(${ids}::bigint[])
        and d.content is not null
      returning d.id, d.employee_id as "employeeId", d.kind, d.removed_at is not null as "isHidden"`.execute(tx);
    const shown = rows.filter(({ isHidden }) => !isHidden);
    appendEvents(
      tx,
      companyId,
      shown.map(({ id, employeeId, kind }) => ({
        type: 'new-employee-document-generated',
        occurredAt: now,
        payload: { id, resource: 'employee-document', employeeId, kind },
      })),
    );
  });
}

/** Removes the files of documents that were erased meanwhile. Otherwise nothing would ever remove them. */
async function removeOrphans(
  { db, documents }: WriteDocumentsDeps,
  companyId: CompanyId,
  stored: Stored[],
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select d.id from documents d
    where ${ofCompany(companyId, 'd')} and d.id = any(${stored.map(({ id }) => id)})`.execute(db);
  const existing = new Set(rows.map(({ id }) => id));
  for (const { id, key } of stored) if (!existing.has(id)) await documents.remove(key);
}

/** Returns how many documents could not be written. Throws if some were not, because the worker stops. */
async function writeSome(deps: WriteDocumentsDeps, companyId: CompanyId, pending: Pending[]): Promise<number> {
  const logo = await findLogo(deps.db, companyId);
  const results = await Promise.allSettled(pending.map((one) => store({ ...deps, logo }, companyId, one)));
  const stored = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  await recordStored(deps, companyId, stored);
  await removeOrphans(deps, companyId, stored);
  if (stored.length < pending.length) deps.signal.throwIfAborted();
  results.forEach((result, index) => {
    if (result.status === 'rejected') {
      deps.onError(result.reason, { companyId, documentId: pending[index]?.id ?? 0 });
    }
  });
  return pending.length - stored.length;
}

/**
 * Renders and stores the pending documents of a company, and with a month also the confirmations of its tickets.
 * Rejects if some could not be written, so that the queue retries: a store that does not respond now may do so later.
 */
export async function writeDocuments(
  deps: WriteDocumentsDeps,
  companyId: CompanyId,
  month: string | null,
): Promise<void> {
  const { db, clock, queue, signal } = deps;
  const company = await findCompany(db, companyId);
  if (company === undefined) return;
  if (month !== null) await writeTicketConfirmations(db, company, { month, now: clock.now(), signal });
  const start = performance.now();
  let [tried, failed] = [0, 0];
  let pending = await listPending(db, companyId, 0);
  try {
    while (pending.length > 0 && tried < documentsPerJob) {
      signal.throwIfAborted();
      failed += await writeSome(deps, companyId, pending);
      tried += pending.length;
      pending = await listPending(db, companyId, pending.at(-1)?.id ?? 0);
    }
  } finally {
    if (tried > 0) deps.onFinished?.({ written: tried - failed, failed, millis: performance.now() - start });
  }
  const isLeft = pending.length > 0 && failed < tried;
  if (isLeft) await writeShared(db, (tx) => queue.enqueueDocuments(tx, companyId, null));
  else if (failed > 0) throw new Error(`${failed} documents of company ${companyId} could not be rendered.`);
}
