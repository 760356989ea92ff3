import { sql } from 'kysely';
import type { EventType } from '../../domain/enums.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { offsetOf, type Page, type PageRow, pageOf, toPage } from '../../platform/db/page.ts';
import { preparedStatement } from '../../platform/db/prepared-statement.ts';
import type { EventsQuery } from './contract.ts';
import type { EventRow } from './present.ts';

export interface EventBounds {
  /** The sequence of the newest event. 0 if there was none. */
  newest: number;
  /** The sequence of the oldest event that is kept. The next sequence if none is. */
  oldest: number;
}

interface EventsRequest {
  after: number;
  limit: number;
  types: EventType[];
}

export interface EventPage {
  rows: EventRow[];
  bounds: EventBounds;
  /** The last sequence that was examined. The next page begins after it, whether or not events match. */
  examinedThrough: number;
}

/** Limits the rows that one request examines, so that a filter that matches nothing costs no more than one that does. */
const examinedPerRequest = 10_000;

interface Values extends EventsRequest {
  companyId: CompanyId;
}

type BoundedRow = EventBounds & (EventRow | Record<keyof EventRow, null>);

/** Reads the bounds and the events by one statement, and so from one snapshot. */
const selectEvents = preparedStatement(
  (_shape: object, { companyId, after, limit, types }: Values) => sql<BoundedRow>`
    with bounds as materialized (
      select v.event_sequence as newest, coalesce(
        (select e.sequence from events e where ${ofCompany(companyId, 'e')} order by e.sequence limit 1),
        v.event_sequence + 1) as oldest
      from company_versions v where ${ofCompany(companyId, 'v')}
    )
    select b.newest, b.oldest, p.sequence, p.id, p.type, p.occurred_at, p.payload
    from bounds b left join lateral (
      select e.sequence, e.id, e.type, e.occurred_at, e.payload from events e
      where ${ofCompany(companyId, 'e')} and e.sequence > greatest(${after}::bigint, b.oldest - 1)
        and e.sequence <= greatest(${after}::bigint, b.oldest - 1) + ${examinedPerRequest}
        and e.type = any(${types}::text[])
      order by e.sequence limit ${limit}
    ) p on true
    order by p.sequence`,
);

export async function listEvents(db: Db, companyId: CompanyId, request: EventsRequest): Promise<EventPage> {
  const found = await selectEvents(db, {}, { companyId, ...request });
  const { newest, oldest } = found[0] ?? { newest: 0, oldest: 1 };
  const rows = found.flatMap((row) => (row.sequence === null ? [] : [row]));
  const start = Math.max(request.after, oldest - 1);
  const examinedThrough =
    rows.length === request.limit ? (rows.at(-1)?.sequence ?? start) : Math.min(start + examinedPerRequest, newest);
  return { rows, bounds: { newest, oldest }, examinedThrough };
}

/** Lists the newest events first. Those that are kept have no gaps, so without a filter nothing needs to be counted. */
export async function listNewestEvents(
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
