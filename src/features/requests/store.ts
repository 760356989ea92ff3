import { type RawBuilder, sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { momentsOf } from '../../platform/http/portal/between-days.ts';
import { parseUsername } from '../keys/credentials.ts';
import { batchMillis, type StoredRequest } from './batches.ts';
import type { RequestsQuery } from './contract.ts';
import { requestDays } from './expire.ts';
import { storedColumns } from './write.ts';

/** A request of the log, with the name of its key if the key still exists. */
export type LoggedRequest = StoredRequest & { keyName: string | null };

/** Returns the id of a key by its username. A username of another company names no key of this one. */
function keyIdOf(companyId: CompanyId, username: string): string {
  const name = parseUsername(username);
  return name?.companyId === companyId ? name.keyId : '';
}

interface Cursor {
  at: number;
  id: string;
}

function parseCursor(text: string | undefined): Cursor | undefined {
  const [at, id] = text?.split('.') ?? [];
  return at === undefined || id === undefined ? undefined : { at: Number(at), id };
}

/** Returns what a request must fulfil, apart from its time. */
function conditionsOf(companyId: CompanyId, query: RequestsQuery): RawBuilder<unknown>[] {
  const { key, statusClasses, method, path, requestId } = query;
  const cursor = parseCursor(query.before);
  return [
    ...(cursor ? [sql`(r.at, r.id) < (${cursor.at}::float8, ${cursor.id}::uuid)`] : []),
    ...(key ? [sql`r."keyId" = ${keyIdOf(companyId, key)}`] : []),
    ...(statusClasses ? [sql`r.status / 100 = any(${statusClasses.map((one) => Number(one[0]))}::integer[])`] : []),
    ...(method ? [sql`r.method = ${method}`] : []),
    ...(path ? [sql`strpos(r.path, ${path}) > 0`] : []),
    // The first condition spares reading the requests of all other batches.
    ...(requestId ? [sql`strpos(b.requests::text, ${requestId}) > 0`, sql`r.id = ${requestId}::uuid`] : []),
  ];
}

/** A part of the log, in milliseconds since 1970. It ends before `until`. */
interface Span {
  from: number;
  until: number;
}

/** The newest part of the log is short, since most readers want no more. Each part before it is longer by this factor. */
const [firstSpan, growth] = [60_000, 4];
const dayMillis = 86_400_000;

/** Returns the parts of the log to read one after the other, newest first. The newest one has no end: clocks differ. */
function* listSpans({ query, timeZone, now }: Pick<Reader, 'timeZone' | 'now'> & { query: RequestsQuery }) {
  const { start, end } = momentsOf(query, timeZone);
  const cursor = parseCursor(query.before);
  // The job that deletes old batches may be late.
  const oldest = Math.max(start?.epochMilliseconds ?? 0, now - (requestDays + 1) * dayMillis);
  let until = Math.min(end?.epochMilliseconds ?? Infinity, cursor === undefined ? Infinity : cursor.at + 1);
  for (let length = firstSpan; until > oldest; length *= growth) {
    const from = Math.max(oldest, Math.min(until, now) - length);
    yield { from, until };
    until = from;
  }
}

const timestamp = (millis: number) =>
  millis === Infinity ? sql`'infinity'::timestamptz` : sql`to_timestamp(${millis}::float8 / 1000)`;

/** Lists the newest requests of a part of the log. */
async function listSpan(
  db: Db,
  companyId: CompanyId,
  { from, until }: Span,
  { conditions, limit }: { conditions: RawBuilder<unknown>[]; limit: number },
): Promise<LoggedRequest[]> {
  const all = [
    ofCompany(companyId, 'b'),
    sql`b.last_at >= ${timestamp(from)} and b.last_at < ${timestamp(until + batchMillis)}`,
    sql`r.at >= ${from}::float8`,
    ...(until === Infinity ? [] : [sql`r.at < ${until}::float8`]),
    ...conditions,
  ];
  const { rows } = await sql<LoggedRequest>`
    select r.id, r.at, r."keyId", r.method, r.path, r.status, r.us, r.problem, k.name as "keyName"
    from api_request_batches b cross join lateral json_to_recordset(b.requests) as r(${storedColumns})
    left join api_keys k on ${ofCompany(companyId, 'k')} and k.id = r."keyId"
    where ${sql.join(all, sql` and `)}
    order by r.at desc, r.id desc limit ${sql.lit(limit)}`.execute(db);
  return rows;
}

interface Reader {
  companyId: CompanyId;
  timeZone: string;
  /** The real time in milliseconds since 1970, also where the clock of the environment was moved. */
  now: number;
}

/** Lists requests, newest first. Pages by the last row instead of a number, so that nothing has to be counted. */
export async function listRequests(
  db: Db,
  { companyId, timeZone, now }: Reader,
  query: RequestsQuery,
): Promise<{ rows: LoggedRequest[]; next: string | null }> {
  const conditions = conditionsOf(companyId, query);
  const rows: LoggedRequest[] = [];
  for (const span of listSpans({ query, timeZone, now })) {
    const limit = query.perPage + 1 - rows.length;
    rows.push(...(await listSpan(db, companyId, span, { conditions, limit })));
    if (rows.length > query.perPage) break;
  }
  const page = rows.slice(0, query.perPage);
  const last = page.at(-1);
  return { rows: page, next: rows.length > page.length && last !== undefined ? `${last.at}.${last.id}` : null };
}
