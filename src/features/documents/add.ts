import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { DocumentStore } from './files.ts';
import { insertDocument, type NewDocument } from './store.ts';

export const isPdf = (content: Buffer) => content.subarray(0, 5).toString('latin1') === '%PDF-';

interface AddedDocument extends Omit<NewDocument, 'file'> {
  content: Buffer;
}

interface AddDeps {
  store: Pick<DocumentStore, 'put' | 'remove'>;
  companyId: CompanyId;
  now: Temporal.Instant;
}

/** Stores a file as a document. The file is removed again if the document cannot be inserted. */
export async function addDocument(
  tx: Tx,
  { store, companyId, now }: AddDeps,
  { content, ...document }: AddedDocument,
): Promise<number> {
  const file = await store.put(companyId, document.fileType, content);
  try {
    return await insertDocument(tx, companyId, { ...document, file }, now);
  } catch (error) {
    await store.remove(file.key);
    throw error;
  }
}
