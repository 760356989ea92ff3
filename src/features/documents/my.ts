import { presentPage } from '../../platform/http/paging.ts';
import { FileOf } from '../../platform/http/portal/operation.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import { getCompany } from '../companies/companies.ts';
import { myRoutes } from '../my-route.ts';
import { sendDocument } from './download.ts';
import type { DocumentStore } from './files.ts';
import { MyDocumentsQuery, MyDocumentsSchema } from './my-contract.ts';
import { listEmployeeDocuments } from './store.ts';

/** Serves employees their own documents. */
export const ownDocumentRoutes = myRoutes<{ documents: DocumentStore }>((route, { db, documents }) => {
  route('GET /documents', {
    summary: 'List my documents',
    description: 'Newest first.',
    access: 'employee',
    query: MyDocumentsQuery,
    returns: MyDocumentsSchema,
    async handle({ employee: { companyId, employeeId }, query }) {
      const { timeZone } = await getCompany(db, companyId);
      const own = { ...query, owner: 'employees', employeeId } as const;
      const page = await listEmployeeDocuments(db, { companyId, timeZone }, own);
      return presentPage(page, query, ({ id, type, name, file_type: fileType, about, downloadable, ...row }) => ({
        ...{ id, type, name, fileType, about, downloadable },
        createdAt: presentTimestamp(row.created_at),
      }));
    },
  });

  route('GET /documents/:id/download', {
    summary: 'Download one of my documents',
    access: 'employee',
    params: IdParams('document'),
    isConditional: true,
    returns: FileOf('application/pdf'),
    problems: ['not-found', 'document-not-downloadable'],
    handle({ request, reply, employee: { companyId, employeeId }, params: { id }, by: { actor, at }, write }) {
      const entry = { action: 'document.download', target: String(id), detail: { employeeId }, actor, at };
      const onDownload = () => write((tx) => insertAudit(tx, companyId, entry));
      return sendDocument(request, reply, { db, documents, companyId, id, employeeId, onDownload });
    },
  });
});
