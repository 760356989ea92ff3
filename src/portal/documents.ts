import { insertAudit } from '../audit.ts';
import type { Routes } from '../context.ts';
import { writeCompany } from '../db/write.ts';
import { sendDocument } from '../documents/download.ts';
import type { DocumentStore } from '../documents/store.ts';
import { IdParams } from '../http/schemas.ts';
import { actorOf, userOf } from './guard.ts';
import { FileOf, NoContent, portalOperation } from './operation.ts';

export const documentRoutes: Routes<{ documents: DocumentStore }> = (app, { db, documents, clock }) => {
  app.get(
    '/documents/:id/download',
    portalOperation({
      id: 'downloadDocument',
      summary: 'Download a document',
      access: 'read',
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
