import { extname } from 'node:path';
import { readInput } from '../../platform/cli/files.ts';
import { OperatorError } from '../../platform/config/operator-error.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { CompanyContext } from '../context.ts';
import { employeeExists } from '../employees/store.ts';
import { type DocumentStore, openDocumentStore } from './files.ts';
import { insertDocument, type NewDocument } from './store.ts';

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
    if (employeeId !== null && !(await employeeExists(tx, companyId, employeeId))) throw notFound('employee');
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
