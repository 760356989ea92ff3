import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toAscii } from '../../domain/ascii.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { ApiError, notFound, unavailable } from '../../platform/http/errors.ts';
import { matchesETag } from '../../platform/http/kept-pages.ts';
import type { DocumentStore } from './files.ts';
import { findDocument } from './list.ts';

/** Removes path separators, control and reserved characters, so that no client writes to an unintended place. */
function safeFileName(name: string): string {
  const plain = name
    .toWellFormed()
    .replace(/[\p{Control}\p{Format}/\\:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/\.pdf$/i, '');
  const short = plain
    .slice(0, 150)
    // Removes half a surrogate pair at the cut.
    .replace(/[\ud800-\udbff]$/, '')
    .replace(/^[. ]+/, '')
    .replace(/(?<![. ])[. ]+$/, '');
  return `${short || 'document'}.pdf`;
}

/** Adds an ASCII file name for clients that do not support Unicode. */
const disposition = (fileName: string) => contentDisposition(fileName, { fallback: toAscii(fileName) });

interface SendDocumentOptions {
  db: Db;
  documents: DocumentStore;
  companyId: CompanyId;
  id: number;
  /** Runs just before the file is sent. If it fails, nothing is sent. */
  onDownload?(document: { id: number; employeeId: number | null }): Promise<void>;
}

/** Sends the file of a document byte for byte, or 304 if the client already has it. */
export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, documents, companyId, id, onDownload }: SendDocumentOptions,
): Promise<FastifyReply> {
  const row = await findDocument(db, companyId, id);
  if (row === undefined) throw notFound('document');
  if (!row.downloadable || row.store_key === null || row.sha256 === null || row.size_bytes === null) {
    throw new ApiError(
      'document-not-downloadable',
      `Document ${row.id} (${row.file_type}) has no PDF to download. Check \`downloadable\` before a download.`,
    );
  }
  const etag = `"${row.sha256.toString('hex')}"`;
  const caching = { etag, 'cache-control': 'no-store' };
  if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).headers(caching).send();
  const file = await documents.open(row.store_key, row.size_bytes).catch((error: unknown) => {
    request.log.error({ err: error, documentId: row.id }, 'stored file cannot be read');
    throw unavailable('The file cannot be read right now. Try again later.');
  });
  if (request.method !== 'HEAD') {
    await onDownload?.({ id: row.id, employeeId: row.employee_id }).catch((error: unknown) => {
      file.destroy();
      throw error;
    });
  }
  reply.headers({
    ...caching,
    'content-type': 'application/pdf',
    'content-length': row.size_bytes,
    'content-disposition': disposition(safeFileName(row.name)),
  });
  return reply.send(file);
}
