import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { writeOutput } from '../../platform/cli/files.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { sendFile } from '../../platform/http/send-file.ts';
import type { CompanyContext } from '../context.ts';
import { contentTypeOf, fileNameOf } from './rules/file.ts';
import { findPayrollExport, getPayrollFile } from './store.ts';

interface SendOptions {
  db: Db;
  companyId: CompanyId;
  id: number;
  onDownload?(number: number): Promise<void>;
}

export async function sendPayrollFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { db, companyId, id, onDownload }: SendOptions,
) {
  const row = await findPayrollExport(db, companyId, id);
  if (row === undefined) throw notFound('payroll export');
  const { number, period, system } = row;
  return sendFile(request, reply, {
    sha256: row.sha256.toString('hex'),
    sizeBytes: row.size_bytes,
    contentType: contentTypeOf(system),
    disposition: contentDisposition(fileNameOf(system, period, number)),
    open: async () => (await getPayrollFile(db, companyId, id)).content,
    onDownload: onDownload && (() => onDownload(number)),
  });
}

/** Writes the file of an export to a path. */
export async function savePayrollFile({ db, companyId }: CompanyContext, { id, out }: { id: number; out: string }) {
  const file = await getPayrollFile(db, companyId, id);
  await writeOutput(out, file.content);
  const { number, period, system, sha256, size_bytes: sizeBytes } = file;
  return { id, fileName: fileNameOf(system, period, number), out, sizeBytes, sha256: sha256.toString('hex') };
}
