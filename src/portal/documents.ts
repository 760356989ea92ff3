import { sendDocument } from '../employee-documents/download.ts';
import type { Routes } from '../http/routes.ts';
import { IdParams } from '../http/schemas.ts';
import { personOf } from './guard.ts';

export const documentRoutes: Routes = (app, { db, documents }) => {
  app.get(
    '/documents/:id/download',
    { config: { portal: 'read' }, schema: { hide: true, params: IdParams('document') } },
    async (request, reply) => {
      const { companyId } = personOf(request);
      return sendDocument(request, reply, { db, documents, companyId, id: request.params.id });
    },
  );
};
