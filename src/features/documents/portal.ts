import { maxArchived } from '../../domain/choices.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { ApiError, notFound } from '../../platform/http/errors.ts';
import { extendTimeout } from '../../platform/http/extend-timeout.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { FileOf } from '../../platform/http/portal/operation.ts';
import { IdParams, PageOf } from '../../platform/http/schemas.ts';
import { holdSlot } from '../../platform/http/slot-limits.ts';
import { sendSpooled } from '../../platform/http/spool.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { portalRoutes } from '../portal-route.ts';
import { addDocument, isPdf } from './add.ts';
import { writeArchive } from './archive.ts';
import {
  AddedDocumentSchema,
  ArchiveQuery,
  DocumentsProgressSchema,
  type ListedDocument,
  ListedDocumentSchema,
  ListedDocumentsQuery,
  maxDocumentBytes,
  NewDocumentBody,
} from './contract.ts';
import { sendDocument } from './download.ts';
import { type DocumentStore, openStored } from './files.ts';
import { findDocument, type StoredDocumentRow } from './list.ts';
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

export const documentRoutes = portalRoutes<{ documents: DocumentStore }>((route, context) => {
  const { db, documents, config, slots } = context;
  const added = {
    body: NewDocumentBody,
    status: 201,
    data: AddedDocumentSchema,
    problems: ['not-found', 'body-too-large', 'unsupported-media-type'] as const,
    options: { bodyLimit: maxBodyBytes },
  };

  function add(call: CompanyContext & { body: NewDocumentBody }, employeeId: number | null) {
    const { name, content: encoded } = call.body;
    const content = Buffer.from(encoded, 'base64');
    if (!isPdf(content)) throw new ApiError('unsupported-media-type', createMessage('document-not-a-pdf'));
    return addDocument(call, documents, { employeeId, name: name.trim(), fileType: 'pdf', content });
  }

  route('POST /documents', {
    summary: 'Add a document of the company',
    access: 'company-documents',
    ...added,
    handle: (call) => add(call, null),
  });

  route('POST /employees/:id/documents', {
    summary: 'Add a document of an employee',
    description: 'Such as the scan of a signed contract.',
    access: 'decisions',
    params: IdParams('employee'),
    ...added,
    handle: (call) => add(call, call.params.id),
  });

  route('GET /documents', {
    summary: 'List documents',
    description: 'Of the employees, or of the company itself. Newest first.',
    access: 'read',
    query: ListedDocumentsQuery,
    returns: PageOf(ListedDocumentSchema),
    async handle({ user, query }) {
      const { companyId, company } = user;
      const list = query.owner === 'company' ? listCompanyDocuments : listEmployeeDocuments;
      const page = await list(db, { companyId, timeZone: company.timeZone }, query);
      return presentPage(page, query, presentListed);
    },
  });

  route('GET /documents/progress', {
    summary: 'Get how many documents are still to be written',
    access: 'read',
    data: DocumentsProgressSchema,
    handle: ({ companyId }) => countDocumentsToWrite(db, companyId),
  });

  route('GET /documents/archive', {
    summary: 'Download documents of employees as one archive',
    description: `A ZIP archive of all that match the filters and have a file, at most ${maxArchived}. The names of the files have the name of the employee and the month.`,
    access: 'documents',
    query: ArchiveQuery,
    returns: FileOf('application/zip'),
    problems: ['not-found', 'document-not-downloadable'],
    async handle({ request, reply, user, companyId, query, by, write }) {
      const reader = { companyId, timeZone: user.company.timeZone };
      const found = await listEmployeeDocuments(db, reader, {
        ...query,
        owner: 'employees',
        page: 1,
        perPage: maxArchived,
      });
      if (found.total > maxArchived) {
        throw new ApiError(
          'invalid-parameters',
          createMessage('documents-too-many', { count: found.total, limit: maxArchived }),
        );
      }
      const unwritten = found.rows.filter((row) => !row.downloadable && row.file_type === 'pdf').length;
      if (unwritten > 0) {
        throw new ApiError('document-not-downloadable', createMessage('documents-being-written', { count: unwritten }));
      }
      const rows = found.rows.filter((row) => row.downloadable);
      if (rows.length === 0) throw notFound('document');
      await holdSlot(slots.transfers, { companyId, name: user.id }, reply);
      extendTimeout(reply);
      await write(async (tx) => {
        for (const { id, employee_id: employeeId } of rows) {
          await insertAudit(tx, companyId, {
            action: 'document.download',
            target: String(id),
            detail: { employeeId },
            ...by,
          });
        }
      });
      async function* stored(): AsyncGenerator<StoredDocumentRow> {
        for (const { id } of rows) {
          const row = await findDocument(db, companyId, id);
          // It may have been erased meanwhile.
          if (row?.downloadable) yield row;
        }
      }
      const archive = writeArchive(stored(), ({ id, store_key: key, size_bytes: sizeBytes }) =>
        openStored(documents, { key: key ?? '', sizeBytes: sizeBytes ?? 0 }, request.log, { documentId: id }),
      );
      const disposition = `attachment; filename="documents${query.period ? `-${query.period.slice(0, 7)}` : ''}.zip"`;
      reply.headers({ 'cache-control': 'no-store', 'content-disposition': disposition }).type('application/zip');
      return (await sendSpooled(reply, archive, config.spoolFolder)) as never;
    },
  });

  route('GET /documents/:id/download', {
    summary: 'Download a document',
    access: 'documents',
    params: IdParams('document'),
    isConditional: true,
    returns: FileOf('application/pdf'),
    problems: ['not-found', 'document-not-downloadable'],
    async handle({ request, reply, companyId, params, by, write }) {
      const onDownload = ({ id, ...detail }: { id: number; employeeId: number | null }) =>
        write((tx) => insertAudit(tx, companyId, { action: 'document.download', target: String(id), detail, ...by }));
      return sendDocument(request, reply, { db, documents, companyId, id: params.id, onDownload });
    },
  });
});
