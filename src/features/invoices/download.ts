import { buffer } from 'node:stream/consumers';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InvoiceFormat } from '../../domain/enums.ts';
import { writeOutput } from '../../platform/cli/files.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { ApiError, notFound, unavailable } from '../../platform/http/errors.ts';
import { sendFile } from '../../platform/http/send-file.ts';
import type { EngineContext } from '../context.ts';
import { type DocumentStore, openDocumentStore, openStored } from '../documents/files.ts';
import { formatInvoiceNumber } from './rules/invoice.ts';
import { findInvoice } from './store.ts';
import { writeInvoices } from './write.ts';

/** Lets the browser's own viewer show a PDF. The policy of all other responses forbids every kind of content. */
const viewerPolicy = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

interface SendInvoiceOptions {
  db: Db;
  documents: Pick<DocumentStore, 'open'>;
  companyId: CompanyId;
  id: number;
  format: InvoiceFormat;
  /** Shown by the browser instead of saved. */
  isInline?: boolean;
}

export async function sendInvoice(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, documents, companyId, id, format, isInline = false }: SendInvoiceOptions,
) {
  const row = await findInvoice(db, companyId, id);
  if (row === undefined) throw notFound('invoice');
  const file = row.files?.[format];
  if (file === undefined) {
    throw new ApiError(
      'document-not-downloadable',
      `The files of invoice ${row.id} are being written. Try again in a few seconds, or check \`downloadable\` first.`,
    );
  }
  const [extension, type] = format === 'pdf' ? ['pdf', 'application/pdf'] : ['xml', 'application/xml'];
  return sendFile(request, reply, {
    ...file,
    contentType: type,
    disposition: contentDisposition(`${formatInvoiceNumber(row.number)} ${row.period.slice(0, 7)}.${extension}`, {
      type: isInline ? 'inline' : 'attachment',
    }),
    headers: isInline ? { 'content-security-policy': viewerPolicy } : {},
    open: () => openStored(documents, file, request.log, { invoiceId: row.id }),
  });
}

interface SaveInput {
  id: number;
  format: InvoiceFormat;
  out: string;
}

/** Writes a file of an invoice to a path. Writes the stored files first if no worker has done so yet. */
export async function saveInvoice({ config, db, clock, companyId }: EngineContext, { id, format, out }: SaveInput) {
  const documents = await openDocumentStore(config.documentStore);
  if ((await findInvoice(db, companyId, id))?.files === null) {
    const { default: render } = await import('./files.ts');
    await writeInvoices({ db, clock, documents, renderer: { render } }, companyId);
  }
  const invoice = await findInvoice(db, companyId, id);
  if (invoice === undefined) throw notFound('invoice');
  const file = invoice.files?.[format];
  if (file === undefined) throw unavailable(`The files of invoice ${id} could not be written. Try again.`);
  await writeOutput(out, await buffer(await documents.open(file.key, file.sizeBytes)));
  const { sizeBytes, sha256 } = file;
  return { id, number: formatInvoiceNumber(invoice.number), format, out, sizeBytes, sha256 };
}
