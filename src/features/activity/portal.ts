import { type RawBuilder, sql } from 'kysely';
import type { ActorType, Role } from '../../domain/enums.ts';
import { isAble } from '../../domain/roles.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { offsetOf, type Page, type PageRow, pageOf, toPage } from '../../platform/db/page.ts';
import { presentPage } from '../../platform/http/paging.ts';
import { betweenDays } from '../../platform/http/portal/between-days.ts';
import { createLineExport, ExportedLines } from '../../platform/http/portal/export-lines.ts';
import { PageOf } from '../../platform/http/schemas.ts';
import { presentTimestamp } from '../../platform/http/view.ts';
import { portalRoutes } from '../portal-route.ts';
import { listUserNames } from './actor-names.ts';
import { type ActivityEntry, ActivityEntrySchema, ActivityQuery } from './contract.ts';
import { createNaming } from './names.ts';

interface Entry {
  at: string;
  actor_type: ActorType;
  actor: string | null;
  actor_name: string | null;
  action: string;
  target: string | null;
  detail: Record<string, unknown>;
}

interface ActivityRow extends Entry {
  id: number;
  user_name: string | null;
  names: Record<string, string>;
}

function conditionsOf({ actorType, action, from, to }: ActivityQuery, timeZone: string): RawBuilder<unknown>[] {
  return [
    ...(actorType ? [sql`l.actor_type = ${actorType}`] : []),
    ...(action ? [sql`starts_with(l.action, ${action})`] : []),
    ...betweenDays(sql.ref('l.at'), { from, to }, timeZone),
  ];
}

const actingUser = ({ actor_type, actor }: Entry) => (actor_type === 'user' ? actor : null);

const affectedUser = ({ action, target }: Entry) => (action.startsWith('session.') ? target : null);

/**
 * Names keys and users, including those that have been revoked or removed since, and what entries are about. Accounts are
 * no company's rows, so their names come from a statement of their own.
 */
async function listActivity(
  db: Db,
  companyId: CompanyId,
  query: ActivityQuery,
  timeZone: string,
): Promise<Page<ActivityRow>> {
  const matching = sql.join([ofCompany(companyId, 'l'), ...conditionsOf(query, timeZone)], sql` and `);
  const rows = sql`select l.id, l.id as sorted from audit_log l where ${matching}`;
  const page = pageOf({ rows, storedTotal: undefined }, { ...query, sortOrder: 'desc' }, offsetOf(query));
  const found = await sql<Entry & PageRow>`
    ${page.found}
    select n.total, l.id, l.at, l.actor_type, l.actor, l.action, l.target, l.detail, k.name as actor_name
    from ${page.source}
    left join audit_log l on ${ofCompany(companyId, 'l')} and l.id = p.id
    left join api_keys k on ${ofCompany(companyId, 'k')} and l.actor_type = 'key' and k.id = right(l.actor, 16)
    ${page.order}`.execute(db);
  const entries = toPage(found.rows);
  const userIds = entries.rows.flatMap((row) => [actingUser(row) ?? [], affectedUser(row) ?? []].flat());
  const names = await listUserNames(db, companyId, [...new Set(userIds)]);
  const listNames = await createNaming(db, companyId, entries.rows);
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  return {
    ...entries,
    rows: entries.rows.map((row) => ({
      ...row,
      actor_name: row.actor_name ?? nameOf(actingUser(row)),
      user_name: nameOf(affectedUser(row)),
      names: listNames(row),
    })),
  };
}

function presentActor({ actor_type, actor, actor_name }: ActivityRow): string | null {
  // What an employee does is about themselves, so that the entry names them anyway.
  if (actor_name === null) return actor_type === 'employee' ? null : actor;
  return actor_type === 'key' ? `${actor_name} (${actor})` : actor_name;
}

/**
 * Returns whether an entry is about portal users or invitations. Entries about employees show nothing that the employee
 * pages do not show as well.
 */
const isAboutUsers = (action: string) => /^(user|invitation|session)\./.test(action);

/** Includes addresses of portal users only for roles that may open the users page. */
function presentDetail({ action, detail, user_name }: ActivityRow, held: readonly Role[]): Record<string, unknown> {
  const { email, ...rest } = detail;
  const mayKnow = !isAboutUsers(action) || isAble(held, 'users');
  return {
    ...(user_name === null ? {} : { name: user_name }),
    ...rest,
    ...(email !== undefined && mayKnow ? { email } : {}),
  };
}

const presentEntryFor =
  (held: readonly Role[]) =>
  (row: ActivityRow): ActivityEntry => ({
    id: row.id,
    at: presentTimestamp(row.at),
    actorType: row.actor_type,
    actor: presentActor(row),
    action: row.action,
    target: row.target,
    detail: presentDetail(row, held),
    names: row.names,
  });

/** Only reads the log. The changes themselves write it. */
export const activityRoutes = portalRoutes((route, context) => {
  const { db } = context;
  const sendLines = createLineExport(context);
  route('GET /activity', {
    summary: 'List the entries of the audit log',
    description: 'Newest first.',
    access: 'read',
    query: ActivityQuery,
    returns: PageOf(ActivityEntrySchema),
    async handle({ user, query }) {
      const { companyId, company, roles } = user;
      const page = await listActivity(db, companyId, query, company.timeZone);
      return presentPage(page, query, presentEntryFor(roles));
    },
  });

  route('GET /activity/export', {
    summary: 'Export the entries of the audit log',
    description: 'All entries that match the filters, one line of JSON each, newest first.',
    access: 'read',
    query: ActivityQuery,
    returns: ExportedLines,
    options: { exposeHeadRoute: false },
    async handle({ reply, user, query }) {
      const { companyId, company, roles } = user;
      return sendLines(user, reply, {
        read: (tx, page) => listActivity(tx, companyId, { ...query, ...page }, company.timeZone),
        present: presentEntryFor(roles),
      });
    },
  });
});
