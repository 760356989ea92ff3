import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { writeOutput } from '../../platform/cli/files.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { matchesETag } from '../../platform/http/kept-pages.ts';
import type { CompanyContext } from '../context.ts';
import { contentTypeOf, fileNameOf } from './rules/file.ts';
import { findPayrollExport, findPayrollFile } from './store.ts';

interface SendOptions {
  db: Db;
  companyId: CompanyId;
  id: number;
  /** Runs just before the file is sent. If it fails, nothing is sent. */
  onDownload?(number: number): Promise<void>;
}

/** Sends the file of an export byte for byte, or 304 if the client already has it. */
export async function sendPayrollFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, companyId, id, onDownload }: SendOptions,
): Promise<FastifyReply> {
  const row = await findPayrollExport(db, companyId, id);
  if (row === undefined) throw notFound('payroll export');
  const etag = `"${row.sha256.toString('hex')}"`;
  const caching = { etag, 'cache-control': 'no-store' };
  if (matchesETag(request.headers['if-none-match'], etag)) return reply.code(304).headers(caching).send();
  const file = await findPayrollFile(db, companyId, id);
  if (file === undefined) throw notFound('payroll export');
  if (request.method !== 'HEAD') await onDownload?.(row.number);
  reply.headers({
    ...caching,
    'content-type': contentTypeOf(row.system),
    'content-length': row.size_bytes,
    'content-disposition': contentDisposition(fileNameOf(row.system, row.period, row.number)),
  });
  return reply.send(file.content);
}

/** Writes the file of an export to a path. */
export async function savePayrollFile({ db, companyId }: CompanyContext, { id, out }: { id: number; out: string }) {
  const file = await findPayrollFile(db, companyId, id);
  if (file === undefined) throw notFound('payroll export');
  await writeOutput(out, file.content);
  const { number, period, system, sha256, size_bytes: sizeBytes } = file;
  return { id, fileName: fileNameOf(system, period, number), out, sizeBytes, sha256: sha256.toString('hex') };
}
