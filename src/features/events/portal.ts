import { presentPage } from '../../platform/http/paging.ts';
import { PageOf } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { portalRoutes } from '../portal-route.ts';
import { EventsQuery, LoggedEventSchema } from './contract.ts';
import { presentEvent } from './present.ts';
import { listNewestEvents } from './store.ts';

export const eventRoutes = portalRoutes((route, { db, links }) => {
  route('GET /events', {
    summary: 'List events',
    description: 'Newest first.',
    access: 'read',
    query: EventsQuery,
    returns: PageOf(LoggedEventSchema),
    async handle({ user, query }) {
      const view = viewFor(user, links);
      const page = await listNewestEvents(db, user.companyId, query);
      return presentPage(page, query, (row) => {
        const { payload, resource: _, _links, ...event } = presentEvent({ ...row, id: row.event_id }, view);
        return { ...event, payload: payload as Record<string, unknown> };
      });
    },
  });
});
