import { sql } from 'kysely';
import { type InvoiceFormat, invoiceFormats } from '../../domain/enums.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { createThread } from '../../platform/threads/thread.ts';
import type { DocumentStore } from '../documents/files.ts';
import type { InvoiceFiles } from './files.ts';
import { issueInvoices } from './issue.ts';
import type { PrintedInvoice } from './printed.ts';
import { formatInvoiceNumber, type InvoiceContent } from './rules/invoice.ts';

/** Writes the files of invoices on a separate thread, so that the API in the same process stays responsive. */
export function startInvoiceRenderer(isTest: boolean) {
  const { run, stop } = createThread<PrintedInvoice, InvoiceFiles>(new URL('./files.ts', import.meta.url));
  return { render: (invoice: PrintedInvoice) => run({ ...invoice, isTest }), stop };
}
export type InvoiceRenderer = ReturnType<typeof startInvoiceRenderer>;

/** Where a file is stored. */
interface StoredInvoiceFile {
  key: string;
  sha256: string;
  sizeBytes: number;
}
export type StoredInvoiceFiles = Record<InvoiceFormat, StoredInvoiceFile>;

export interface WriteInvoicesDeps {
  db: Db;
  clock: Clock;
  documents: Pick<DocumentStore, 'put'>;
  renderer: Pick<InvoiceRenderer, 'render'>;
  /** Ends the work before the next invoice. */
  signal?: AbortSignal;
  /** Learns what a job has done. Not called if there was nothing to do. */
  onWritten?: (result: { issued: number; written: number; millis: number }) => void;
}

interface Pending {
  id: number;
  number: number;
  content: InvoiceContent;
}

async function listPending(db: Db, companyId: CompanyId): Promise<Pending[]> {
  const { rows } = await sql<Pending>`
    select i.id, i.number, i.content from invoices i
    where ${ofCompany(companyId, 'i')} and i.number is not null and i.files is null order by i.id`.execute(db);
  return rows;
}

/** Returns the invoices of the months that a credit note corrects. */
async function findPreceding(db: Db, companyId: CompanyId, periods: string[]): Promise<PrintedInvoice['preceding']> {
  if (periods.length === 0) return [];
  const { rows } = await sql<{ number: number; issuedOn: string }>`
    select i.number, i.issued_on as "issuedOn" from invoices i
    where ${ofCompany(companyId, 'i')} and i.kind = 'invoice' and i.period = any(${periods}::date[])
      and i.number is not null order by i.number`.execute(db);
  return rows.map(({ number, issuedOn }) => ({ number: formatInvoiceNumber(number), issuedOn }));
}

const extensions: Record<InvoiceFormat, string> = { pdf: 'pdf', xrechnung: 'xrechnung.xml', cii: 'cii.xml' };

async function storeFiles({ db, documents, renderer }: WriteInvoicesDeps, companyId: CompanyId, one: Pending) {
  const { content, id, number } = one;
  const preceding = await findPreceding(db, companyId, content.corrects);
  const files = await renderer.render({ ...content, number: formatInvoiceNumber(number), preceding });
  const stored = await Promise.all(
    invoiceFormats.map(async (format) => {
      const { buffer, byteOffset, byteLength } = files[format];
      const bytes = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
      const { key, sha256, sizeBytes } = await documents.put(companyId, extensions[format], bytes, `invoice-${id}`);
      return [format, { key, sha256: sha256.toString('hex'), sizeBytes }] as const;
    }),
  );
  await writeCompany(db, companyId, (tx) =>
    sql`update invoices i set files = ${JSON.stringify(Object.fromEntries(stored))}::jsonb
      where ${ofCompany(companyId, 'i')} and i.id = ${id} and i.files is null`.execute(tx),
  );
}

/** Issues the drafts of a company and stores the files of its invoices. Writing them twice results in the same files. */
export async function writeInvoices(deps: WriteInvoicesDeps, companyId: CompanyId): Promise<void> {
  const start = performance.now();
  const issued = await issueInvoices(deps.db, deps.clock, companyId);
  const pending = await listPending(deps.db, companyId);
  for (const one of pending) {
    deps.signal?.throwIfAborted();
    await storeFiles(deps, companyId, one);
  }
  if (issued + pending.length > 0) {
    deps.onWritten?.({ issued, written: pending.length, millis: performance.now() - start });
  }
}
