import type { FastifyRequest } from 'fastify';
import { createMessage } from '../../domain/messages/message.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { FileOf, NoContent, portalOperation } from '../../platform/http/portal/operation.ts';
import { DataOf, IdParams, PageOf } from '../../platform/http/schemas.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { contextOf, userOf } from '../accounts/guard.ts';
import { insertAudit } from '../activity/record.ts';
import type { Routes } from '../context.ts';
import { addDocument, isPdf } from './add.ts';
import {
  AddedDocumentSchema,
  DocumentsProgressSchema,
  type ListedDocument,
  ListedDocumentSchema,
  ListedDocumentsQuery,
  maxDocumentBytes,
  NewDocumentBody,
} from './contract.ts';
import { sendDocument } from './download.ts';
import type { DocumentStore } from './files.ts';
import { countDocumentsToWrite, type ListedDocumentRow, listCompanyDocuments, listEmployeeDocuments } from './store.ts';

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

/** Base64 takes a third more than the file. */
const maxBodyBytes = 1024 + Math.ceil(maxDocumentBytes / 3) * 4;

const addRoutes: Routes<{ documents: DocumentStore }> = (app, context) => {
  const added = {
    body: NewDocumentBody,
    response: { 201: DataOf(AddedDocumentSchema) },
    problems: ['not-found', 'body-too-large', 'unsupported-media-type'] as const,
  };

  async function add(request: FastifyRequest, employeeId: number | null) {
    const { name, content: encoded } = request.body as NewDocumentBody;
    const content = Buffer.from(encoded, 'base64');
    if (!isPdf(content)) throw new ApiError('unsupported-media-type', createMessage('document-not-a-pdf'));
    const document = { employeeId, name: name.trim(), fileType: 'pdf', content };
    const ability = employeeId === null ? 'company-documents' : 'decisions';
    return { data: await addDocument(contextOf(request, context, ability), context.documents, document) };
  }

  app.post(
    '/documents',
    {
      ...portalOperation({
        summary: 'Add a document of the company',
        access: 'company-documents',
        ...added,
      }),
      bodyLimit: maxBodyBytes,
    },
    (request) => add(request, null),
  );

  app.post(
    '/employees/:id/documents',
    {
      ...portalOperation({
        summary: 'Add a document of an employee',
        description: 'Such as the scan of a signed contract.',
        access: 'decisions',
        params: IdParams('employee'),
        ...added,
      }),
      bodyLimit: maxBodyBytes,
    },
    (request) => add(request, request.params.id),
  );
};

export const documentRoutes: Routes<{ documents: DocumentStore }> = (app, context) => {
  const { db, documents } = context;
  addRoutes(app, context);
  app.get(
    '/documents',
    portalOperation({
      summary: 'List documents',
      description: 'Of the employees, or of the company itself. Newest first.',
      access: 'read',
      querystring: ListedDocumentsQuery,
      response: { 200: PageOf(ListedDocumentSchema) },
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
      summary: 'Get how many documents are still to be written',
      access: 'read',
      response: {
        200: DataOf(DocumentsProgressSchema),
      },
    }),
    async (request) => ({ data: await countDocumentsToWrite(db, userOf(request).companyId) }),
  );

  app.get(
    '/documents/:id/download',
    portalOperation({
      summary: 'Download a document',
      access: 'documents',
      params: IdParams('document'),
      response: { 200: FileOf('application/pdf'), 304: NoContent },
      problems: ['not-found', 'document-not-downloadable'],
    }),
    async (request, reply) => {
      const { companyId, by, write } = contextOf(request, context, 'documents');
      const onDownload = ({ id, ...detail }: { id: number; employeeId: number | null }) =>
        write((tx) => insertAudit(tx, companyId, { action: 'document.download', target: String(id), detail, ...by }));
      return sendDocument(request, reply, { db, documents, companyId, id: request.params.id, onDownload });
    },
  );
};
