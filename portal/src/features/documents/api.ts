import type {
  AddedDocument,
  DocumentsProgress,
  ListedDocument,
  ListedDocumentsQuery,
  NewDocumentBody,
} from '../../../../src/features/documents/contract.ts';
import { useChange, useGet, useGetPage } from '../../app/api/queries.ts';
import { at, pathTo, post, type Query, readBase64 } from '../../app/api/request.ts';

const generationMillis = 5_000;

/** Returns whether a file is still being written. Files of other types can never be downloaded. */
export const isBeingWritten = ({ downloadable, fileType }: ListedDocument) => !downloadable && fileType === 'pdf';

/** Fetches a page of documents. Refetches it while files on it are being written. */
export const useDocuments = (query: Query<ListedDocumentsQuery>) =>
  useGetPage<ListedDocument, ListedDocumentsQuery>(['documents'], '/documents', query, {
    refetchInterval: ({ state }) => (state.data?.data.some(isBeingWritten) ? generationMillis : false),
  });

const progressMillis = 2_000;

/** Fetches how many documents are written. Refetches it while there are some to write. */
export const useDocumentsProgress = () =>
  useGet<DocumentsProgress>(['documents-progress'], '/documents/progress', {
    refetchInterval: ({ state }) => (state.data && state.data.pending > 0 ? progressMillis : false),
  });

const isInvoice = ({ type }: ListedDocument) => type === 'invoice' || type === 'credit-note';

/** Returns the address of the file and the ability that it needs. */
export const fileOf = (document: ListedDocument) =>
  isInvoice(document)
    ? ({ path: pathTo(at`/invoices/${document.id}/download`), ability: 'invoice-files' } as const)
    : ({ path: pathTo(at`/documents/${document.id}/download`), ability: 'documents' } as const);

export const useAddCompanyDocument = () =>
  useChange(
    async ({ name, file }: { name: string; file: File }) =>
      post<AddedDocument, NewDocumentBody>('/documents', { name, content: await readBase64(file) }),
    ['documents', 'activity'],
  );
