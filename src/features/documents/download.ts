import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toAscii } from '../../domain/ascii.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { sendFile } from '../../platform/http/send-file.ts';
import { type DocumentStore, openStored } from './files.ts';
import { findDocument, type StoredDocumentRow } from './list.ts';

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

/** Returns what the file is called: the document, its month unless the name has it, and the employee. */
export function fileNameOf({ name, kind, created_at, person }: StoredDocumentRow): string {
  const month = kind === null || kind === 'ticket-confirmation' ? null : created_at.slice(0, 7);
  return safeFileName([name.replace(/\.pdf$/i, ''), month, person].filter((part) => part !== null).join(' '));
}

interface SendDocumentOptions {
  db: Db;
  documents: DocumentStore;
  companyId: CompanyId;
  id: number;
  /** Whose document it must be. Absent: any of the company. */
  employeeId?: number;
  onDownload?(document: { id: number; employeeId: number | null }): Promise<void>;
}

export async function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, documents, companyId, id, employeeId, onDownload }: SendDocumentOptions,
) {
  const row = await findDocument(db, companyId, id);
  if (row === undefined || (employeeId !== undefined && row.employee_id !== employeeId)) throw notFound('document');
  const { store_key: key, size_bytes: sizeBytes, sha256 } = row;
  if (!row.downloadable || key === null || sha256 === null || sizeBytes === null) {
    throw new ApiError(
      'document-not-downloadable',
      `Document ${row.id} (${row.file_type}) has no PDF to download. Check \`downloadable\` before a download.`,
    );
  }
  const fileName = fileNameOf(row);
  return sendFile(request, reply, {
    sha256: sha256.toString('hex'),
    sizeBytes,
    contentType: 'application/pdf',
    // With an ASCII file name for clients that do not support Unicode.
    disposition: contentDisposition(fileName, { fallback: toAscii(fileName) }),
    open: () => openStored(documents, { key, sizeBytes }, request.log, { documentId: row.id }),
    onDownload: onDownload && (() => onDownload({ id: row.id, employeeId: row.employee_id })),
  });
}
