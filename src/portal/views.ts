import { type RawBuilder, sql } from 'kysely';
import { Type } from 'typebox';
import { createMessage } from '../domain/messages/message.ts';
import { portalRoutes } from '../features/portal-route.ts';
import { type CompanyId, ofCompany } from '../platform/db/company-scope.ts';
import type { Db, Tx } from '../platform/db/database.ts';
import { ApiError } from '../platform/http/errors.ts';
import { Reference } from '../platform/http/schemas.ts';
import { ListQuery, RemoveBody, SaveBody, type SavedView, SavedViewSchema } from './contract.ts';

const maxViews = 100;

interface Viewer {
  companyId: CompanyId;
  id: string;
}

async function listViews(db: Db | Tx, { companyId, id }: Viewer, list: string): Promise<SavedView[]> {
  const { rows } = await sql<{ views: Record<string, Omit<SavedView, 'name'>> | null }>`
    select u.saved_views -> ${list}::text as views from portal_users u
    where ${ofCompany(companyId, 'u')} and u.id = ${id}`.execute(db);
  return Object.entries(rows[0]?.views ?? {})
    .map(([name, { address, hidden }]) => ({ name, address, hidden }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Changes the views of one list in one statement, so that two tabs that save at once keep both. */
const updateViews = (
  tx: Tx,
  { companyId, id }: Viewer,
  list: string,
  change: (views: RawBuilder<unknown>) => RawBuilder<unknown>,
) => {
  const changed = change(sql`coalesce(u.saved_views -> ${list}::text, '{}')`);
  return sql`update portal_users u
    set saved_views = jsonb_set(coalesce(u.saved_views, '{}'), array[${list}::text], ${changed})
    where ${ofCompany(companyId, 'u')} and u.id = ${id}`.execute(tx);
};

/** Every user has views of their own, in each company. */
export const viewRoutes = portalRoutes((route, { db }) => {
  route('GET /me/views', {
    summary: 'List the views of a list that the user has saved',
    access: 'read',
    query: ListQuery,
    data: Type.Array(Reference(SavedViewSchema)),
    handle: ({ user, query }) => listViews(db, user, query.list),
  });

  route('POST /me/views', {
    summary: 'Save a view of a list under a name',
    access: 'read',
    body: SaveBody,
    problems: ['invalid-body'],
    async handle({ user, body, write }) {
      const { list, name, address, hidden, keepExisting = false } = body;
      const view = sql`${JSON.stringify({ [name.trim()]: { address, hidden } })}::jsonb`;
      await write(async (tx) => {
        await updateViews(tx, user, list, (views) =>
          keepExisting ? sql`${view} || ${views}` : sql`${views} || ${view}`,
        );
        if ((await listViews(tx, user, list)).length > maxViews) {
          throw new ApiError('invalid-body', createMessage('too-many-views', { limit: maxViews }));
        }
      });
    },
  });

  route('POST /me/views/remove', {
    summary: 'Remove a saved view',
    access: 'read',
    body: RemoveBody,
    handle: ({ user, body: { list, name }, write }) =>
      write((tx) => updateViews(tx, user, list, (views) => sql`${views} - ${name.trim()}::text`)),
  });
});
