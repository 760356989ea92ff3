import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { offsetOf, type Page, type PageRow, pageOf, toPage } from '../../platform/db/page.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { portalOperation } from '../../platform/http/portal/operation.ts';
import { PageOf, Reference } from '../../platform/http/schemas.ts';
import { viewFor } from '../../platform/http/view.ts';
import { userOf } from '../accounts/guard.ts';
import type { Routes } from '../context.ts';
import { EventsQuery, LoggedEventSchema } from './contract.ts';
import { presentEvent } from './present.ts';
import type { EventRow } from './store.ts';

/** Lists the newest events first. Those that are kept have no gaps, so without a filter nothing needs to be counted. */
async function listNewestEvents(
  db: Db,
  companyId: CompanyId,
  query: EventsQuery,
): Promise<Page<Omit<EventRow, 'id'> & { event_id: string }>> {
  const { types } = query;
  const rows = sql`select o.sequence as id, o.sequence as sorted from events o
    where ${ofCompany(companyId, 'o')} ${types ? sql`and o.type = any(${types}::text[])` : sql``}`;
  const kept = sql`select coalesce(max(k.sequence) - min(k.sequence) + 1, 0) as total from events k
    where ${ofCompany(companyId, 'k')}`;
  const matching = { rows, storedTotal: types ? undefined : kept };
  const page = pageOf(matching, { ...query, sortOrder: 'desc' }, offsetOf(query));
  const found = await sql<Omit<EventRow, 'id'> & { event_id: string } & PageRow>`
    ${page.found}
    select n.total, p.id, e.id as event_id, e.sequence, e.type, e.occurred_at, e.payload
    from ${page.source}
    left join events e on ${ofCompany(companyId, 'e')} and e.sequence = p.id
    ${page.order}`.execute(db);
  return toPage(found.rows);
}

export const eventRoutes: Routes = (app, { db, links }) => {
  app.get(
    '/events',
    portalOperation({
      id: 'listEvents',
      summary: 'List events',
      description: 'Newest first.',
      access: 'read',
      querystring: EventsQuery,
      response: { 200: PageOf(Reference(LoggedEventSchema)) },
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
