import { notFound } from '../../platform/http/errors.ts';
import { fileResponses, operation, pageResponse, recordResponse } from '../../platform/http/operation.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { IdParams } from '../../platform/http/schemas.ts';
import { principalOf } from '../caller.ts';
import type { Routes } from '../context.ts';
import { DocumentsQuery, documentExample, EmployeeDocumentSchema } from './contract.ts';
import { sendDocument } from './download.ts';
import type { DocumentStore } from './files.ts';
import { findDocument, listDocuments, listDocumentsOf } from './list.ts';
import { presentDocument } from './present.ts';

const page = pageResponse(EmployeeDocumentSchema, 'documents', documentExample);

export const employeeDocumentRoutes: Routes<{ documents: DocumentStore }> = (app, { db, documents, links }) => {
  app.get(
    '/employees/:id/documents',
    operation({
      id: 'listEmployeeDocuments',
      tag: 'Documents',
      summary: 'List employee documents',
      description: 'Documents of one employee.',
      permissions: ['view-employees'],
      isKept: true,
      params: IdParams('employee'),
      querystring: DocumentsQuery,
      response: page,
      problems: ['not-found'],
    }),
    async function listEmployeeDocumentsHandler(request) {
      const { companyId } = principalOf(request);
      const { id } = request.params;
      const page = await listDocumentsOf(db, companyId, id, request.query);
      if (page === undefined) throw notFound('employee');
      return presentPage(page, request.query, (row) => presentDocument(row, links));
    },
  );

  app.get(
    '/employee-documents',
    operation({
      id: 'listDocuments',
      tag: 'Documents',
      summary: 'List all documents',
      description: 'Documents of all employees of the company.',
      permissions: ['view-employees'],
      isKept: true,
      querystring: DocumentsQuery,
      response: page,
    }),
    async function listDocumentsHandler(request) {
      const page = await listDocuments(db, principalOf(request).companyId, request.query);
      return presentPage(page, request.query, (row) => presentDocument(row, links));
    },
  );

  app.get(
    '/employee-documents/:id',
    operation({
      id: 'getDocument',
      tag: 'Documents',
      summary: 'Get document',
      description: 'The details of one document. Use the download for the file itself.',
      permissions: ['view-employees'],
      isKept: true,
      params: IdParams('document'),
      response: recordResponse(EmployeeDocumentSchema, 'document', documentExample),
      problems: ['not-found'],
    }),
    async function getDocumentHandler(request) {
      const row = await findDocument(db, principalOf(request).companyId, request.params.id);
      if (row === undefined) throw notFound('document');
      return { data: presentDocument(row, links) };
    },
  );

  app.get(
    '/employee-documents/:id/download',
    operation({
      id: 'downloadDocument',
      tag: 'Documents',
      summary: 'Download document',
      description:
        'The PDF file. Store its `ETag` and send it as `If-None-Match` to download the file again only after it has changed.',
      permissions: ['view-employees'],
      params: IdParams('document'),
      responses: fileResponses(['application/pdf'], {
        file: 'The PDF file.',
        etag: 'Changes whenever the file changes.',
        fileName: 'A safe file name for saving.',
        notModified: 'The file has not changed since the `ETag` in `If-None-Match`.',
      }),
      problems: ['not-found', 'document-not-downloadable'],
    }),
    async function downloadDocumentHandler(request, reply) {
      const { companyId } = principalOf(request);
      return sendDocument(request, reply, { db, documents, companyId, id: request.params.id });
    },
  );
};
