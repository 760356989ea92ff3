import { presentPage } from '../../platform/http/paging.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { PageOf } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import { EventsQuery, LoggedEventSchema } from './contract.ts';
import { presentEvent } from './present.ts';
import { listNewestEvents } from './store.ts';

export const eventRoutes: Routes = (app, { db, links }) => {
  app.get(
    '/events',
    portalOperation({
      summary: 'List events',
      description: 'Newest first.',
      access: 'read',
      querystring: EventsQuery,
      response: { 200: PageOf(LoggedEventSchema) },
    }),
    async (request) => {
      const user = userOf(request);
      const view = viewFor(user, links);
      const page = await listNewestEvents(db, user.companyId, request.query);
      return presentPage(page, request.query, (row) => {
        const { payload, resource: _, _links, ...event } = presentEvent({ ...row, id: row.event_id }, view);
        return { ...event, payload: payload as Record<string, unknown> };
      });
    },
  );
};
