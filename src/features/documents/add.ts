import { extname } from 'node:path';
import type { Actor } from '../../domain/actor.ts';
import { searchText } from '../../domain/search.ts';
import { readInput } from '../../platform/cli/files.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { notFound } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import { lockCompany } from '../companies/companies.ts';
import type { CompanyContext } from '../context.ts';
import { appendEvents } from '../events/append.ts';
import { addToDocumentCount } from './counts.ts';
import { type DocumentStore, openDocumentStore, type StoredFile } from './files.ts';
import { hasEmployee } from './list.ts';

export interface NewDocument {
  employeeId: number | null;
  name: string;
  fileType: string;
  file: StoredFile | null;
  /** Who adds it. Absent: the operator. */
  actor?: Actor;
}

/** Inserts a document, hidden if its employee was removed a moment ago. The lock ensures that. */
export async function insertDocument(
  tx: Tx,
  companyId: CompanyId,
  document: NewDocument,
  now: Temporal.Instant,
): Promise<number> {
  await lockCompany(tx, companyId);
  const owner = await tx
    .selectFrom('employees as e')
    .select('e.removed_at')
    .where(ofCompany(companyId, 'e'))
    .where('e.id', '=', document.employeeId)
    .executeTakeFirst();
  const row = await tx
    .insertInto('documents')
    .values({
      company_id: companyId,
      employee_id: document.employeeId,
      name: document.name,
      search_text: searchText(document.name),
      file_type: document.fileType,
      store_key: document.file?.key ?? null,
      sha256: document.file?.sha256 ?? null,
      size_bytes: document.file?.sizeBytes ?? null,
      removed_at: owner?.removed_at ?? null,
      created_at: now.toString(),
      updated_at: now.toString(),
    })
    .returning(['id', 'removed_at', 'downloadable'])
    .executeTakeFirstOrThrow();
  await addToDocumentCount(tx, companyId, row.removed_at === null ? 1 : 0);
  await insertAudit(tx, companyId, {
    action: 'document.add',
    target: String(row.id),
    detail: { employeeId: document.employeeId, name: document.name },
    ...(document.actor ? { actor: document.actor } : {}),
    at: now,
  });
  if (row.downloadable && row.removed_at === null) {
    const payload = { id: row.id, resource: 'employee-document', employeeId: document.employeeId, kind: null } as const;
    appendEvents(tx, companyId, [{ type: 'new-employee-document-generated', occurredAt: now, payload }]);
  }
  return row.id;
}

export const isPdf = (content: Buffer) => content.subarray(0, 5).toString('latin1') === '%PDF-';

interface AddedDocument extends Omit<NewDocument, 'file' | 'actor'> {
  content: Buffer;
}

/** Stores a file as a document. The file is removed again if the document cannot be inserted. */
export const addDocument = (
  { companyId, by, write }: CompanyContext,
  store: Pick<DocumentStore, 'put' | 'remove'>,
  { content, ...document }: AddedDocument,
): Promise<{ id: number }> =>
  write(async (tx) => {
    const { employeeId } = document;
    if (employeeId !== null && !(await hasEmployee(tx, companyId, employeeId))) throw notFound('employee');
    const file = await store.put(companyId, document.fileType, content);
    try {
      return { id: await insertDocument(tx, companyId, { ...document, file, actor: by.actor }, by.at) };
    } catch (error) {
      await store.remove(file.key);
      throw error;
    }
  });

/** Returns the file type by the file's extension. Throws if a file named as PDF does not begin like one. */
function fileTypeOf(file: string, content: Buffer): string {
  const fileType = extname(file).slice(1).toLowerCase() || 'bin';
  if (!/^[a-z0-9]{1,10}$/.test(fileType)) throw new OperatorError(`${file} has an unusual extension: rename it.`);
  if (fileType === 'pdf' && !isPdf(content)) {
    throw new OperatorError(`${file} ends in .pdf but is not a PDF file: choose another file or rename it.`);
  }
  return fileType;
}

/** Adds a file of the operator's computer. */
export async function addFile(
  context: CompanyContext,
  { employee = null, file, name }: { employee?: number | null | undefined; file: string; name: string },
) {
  const content = await readInput('--file', file);
  const document = { employeeId: employee, name, fileType: fileTypeOf(file, content), content };
  return addDocument(context, await openDocumentStore(context.config.documentStore), document);
}
