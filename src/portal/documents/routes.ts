import { Type } from 'typebox';
import { insertAudit } from '../../audit.ts';
import type { Routes } from '../../context.ts';
import { writeCompany } from '../../db/write.ts';
import { sendDocument } from '../../documents/download.ts';
import type { DocumentStore } from '../../documents/store.ts';
import { presentPage } from '../../http/paging.ts';
import { DataOf, IdParams, PageOf, Reference } from '../../http/schemas.ts';
import { presentTimestamp } from '../../http/view.ts';
import { actorOf, userOf } from '../guard.ts';
import { FileOf, NoContent, portalOperation } from '../operation.ts';
import { Closed } from '../schemas.ts';
import {
  countDocumentsToWrite,
  type ListedDocumentRow,
  listCompanyDocuments,
  listEmployeeDocuments,
} from './queries.ts';
import { type ListedDocument, ListedDocumentSchema, ListedDocumentsQuery } from './schema.ts';

const presentListed = (row: ListedDocumentRow): ListedDocument => ({
  id: row.id,
  type: row.type,
  name: row.name,
  fileType: row.file_type,
  about: row.about,
  employee:
    row.employee_id === null
      ? null
      : { id: row.employee_id, firstName: row.first_name ?? '', lastName: row.last_name ?? '' },
  downloadable: row.downloadable,
  createdAt: presentTimestamp(row.created_at),
});

export const documentRoutes: Routes<{ documents: DocumentStore }> = (app, { db, documents, clock }) => {
  app.get(
    '/documents',
    portalOperation({
      id: 'listDocuments',
      summary: 'List documents',
      description: 'Of the employees, or of the company itself. Newest first.',
      access: 'read',
      querystring: ListedDocumentsQuery,
      response: { 200: PageOf(Reference(ListedDocumentSchema)) },
    }),
    async (request) => {
      const { companyId, company } = userOf(request);
      const list = request.query.owner === 'company' ? listCompanyDocuments : listEmployeeDocuments;
      const page = await list(db, { companyId, timeZone: company.timeZone }, request.query);
      return presentPage(page, request.query, presentListed);
    },
  );

  app.get(
    '/documents/progress',
    portalOperation({
      id: 'getDocumentsProgress',
      summary: 'Get how many documents are still to be written',
      access: 'read',
      response: {
        200: DataOf(
          Closed({
            pending: Type.Integer({ description: 'Documents that are still to be written. 0: none.' }),
            total: Type.Integer({ description: 'These, and those that were created with them and are written.' }),
          }),
        ),
      },
    }),
    async (request) => ({ data: await countDocumentsToWrite(db, userOf(request).companyId) }),
  );

  app.get(
    '/documents/:id/download',
    portalOperation({
      id: 'downloadDocument',
      summary: 'Download a document',
      access: 'documents',
      params: IdParams('document'),
      response: { 200: FileOf('application/pdf'), 304: NoContent },
      problems: ['not-found', 'document-not-downloadable'],
    }),
    async (request, reply) => {
      const { companyId } = userOf(request);
      const by = { actor: actorOf(request), at: clock.now() };
      const onDownload = ({ id, ...detail }: { id: number; employeeId: number | null }) =>
        writeCompany(db, companyId, (tx) =>
          insertAudit(tx, companyId, { action: 'document.download', target: String(id), detail, ...by }),
        );
      return sendDocument(request, reply, { db, documents, companyId, id: request.params.id, onDownload });
    },
  );
};
