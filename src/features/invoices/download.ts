import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { InvoiceFormat } from '../../domain/enums.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { ApiError, notFound, unavailable } from '../../platform/http/errors.ts';
import { matchesETag } from '../../platform/http/kept-pages.ts';
import type { DocumentStore } from '../documents/files.ts';
import { formatInvoiceNumber } from './rules/invoice.ts';
import { findInvoice } from './store.ts';

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

/** Sends a file of an invoice byte for byte, or 304 if the client already has it. */
export async function sendInvoice(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, documents, companyId, id, format, isInline = false }: SendInvoiceOptions,
): Promise<FastifyReply> {
  const row = await findInvoice(db, companyId, id);
  if (row === undefined) throw notFound('invoice');
  const file = row.files?.[format];
  if (file === undefined) {
    throw new ApiError(
      'document-not-downloadable',
      `The files of invoice ${row.id} are being written. Try again in a few seconds, or check \`downloadable\` first.`,
    );
  }
  const etag = `"${file.sha256}"`;
  const caching = { etag, 'cache-control': 'no-store' };
  if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).headers(caching).send();
  const content = await documents.open(file.key, file.sizeBytes).catch((error: unknown) => {
    request.log.error({ err: error, invoiceId: row.id }, 'stored file cannot be read');
    throw unavailable('The file cannot be read right now. Try again later.');
  });
  const name = `${formatInvoiceNumber(row.number)}.${format === 'pdf' ? 'pdf' : 'xml'}`;
  reply.headers({
    ...caching,
    'content-type': format === 'pdf' ? 'application/pdf' : 'application/xml',
    'content-length': file.sizeBytes,
    'content-disposition': contentDisposition(name, { type: isInline ? 'inline' : 'attachment' }),
    ...(isInline ? { 'content-security-policy': viewerPolicy } : {}),
  });
  return reply.send(content);
}
