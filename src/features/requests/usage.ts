import { sql } from 'kysely';
import { asCompanyId, type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { listRows } from '../../platform/db/shards.ts';

interface UsageRow {
  day: string;
  requests: number;
  clientErrors: number;
  serverErrors: number;
}

/** Counts the requests of a key by day in the company's time zone, from the given day on. Days without requests are missing. */
async function countByDay(
  db: Db,
  { companyId, timeZone }: { companyId: CompanyId; timeZone: string },
  keyId: string,
  from: Temporal.PlainDate,
): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`
    select to_char(u.hour at time zone ${timeZone}, 'YYYY-MM-DD') as day, sum(u.requests)::bigint as requests,
      sum(u.client_errors)::bigint as "clientErrors", sum(u.server_errors)::bigint as "serverErrors"
    from api_key_usage u where ${ofCompany(companyId, 'u')} and u.key_id = ${keyId}
      and u.hour >= ${from.toZonedDateTime(timeZone).toInstant().toString()}::timestamptz
    group by 1`.execute(db);
  return rows;
}

/** Returns the address of the last request of the key of which it is known. */
async function findLastAddress(db: Db, companyId: CompanyId, keyId: string): Promise<string | null> {
  const row = await db
    .selectFrom('api_key_usage as u')
    .select('u.last_address')
    .where(ofCompany(companyId, 'u'))
    .where('u.key_id', '=', keyId)
    .where('u.last_address', 'is not', null)
    .orderBy('u.hour', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.last_address ?? null;
}

/** Returns how a key was used on each of the last days, oldest first, and from where last. By real time, as keys expire. */
export async function findUsage(
  db: Db,
  { companyId, timeZone }: { companyId: CompanyId; timeZone: string },
  keyId: string,
) {
  const first = Temporal.Now.plainDateISO(timeZone).subtract({ days: usageDays - 1 });
  const counted = await countByDay(db, { companyId, timeZone }, keyId, first);
  const usage = Array.from({ length: usageDays }, (_, index) => {
    const day = first.add({ days: index }).toString();
    return counted.find((one) => one.day === day) ?? { day, requests: 0, clientErrors: 0, serverErrors: 0 };
  });
  return { usage, lastAddress: await findLastAddress(db, companyId, keyId) };
}

/** How long requests are kept, and the usage of keys. */
export const requestDays = 7;
const usageDays = 30;
const batchesPerStep = 1_000;

/** Deletes some of the oldest batches. Returns how many requests each of them had. */
async function deleteBatches(db: Db, companyId: CompanyId): Promise<number[]> {
  const { rows } = await sql<{ requests: number }>`
    delete from api_request_batches b where ${ofCompany(companyId, 'b')} and (b.last_at, b.id) in (
      select o.last_at, o.id from api_request_batches o
      where ${ofCompany(companyId, 'o')} and o.last_at < now() - ${sql.lit(`${requestDays} days`)}::interval
      order by o.last_at limit ${batchesPerStep})
    returning json_array_length(b.requests) as requests`.execute(db);
  return rows.map(({ requests }) => requests);
}

const deleteUsage = (db: Db, companyId: CompanyId) =>
  sql`delete from api_key_usage u
    where ${ofCompany(companyId, 'u')} and u.hour < now() - ${sql.lit(`${usageDays} days`)}::interval`.execute(db);

/** Deletes what is older than the retention period, in batches. Returns how many requests that were. */
export async function expireRequests(db: Db, signal: AbortSignal): Promise<number> {
  // Every company with requests has usage, which is kept longer.
  const { rows } = await listRows<{ company: number }>(db, {
    table: 'api_key_usage',
    columns: 'distinct t.company_id as company',
    where: 'true',
  });
  let requests = 0;
  for (const companyId of rows.map(({ company }) => asCompanyId(company))) {
    let isMore = true;
    while (isMore && !signal.aborted) {
      const deleted = await deleteBatches(db, companyId);
      requests += deleted.reduce((sum, count) => sum + count, 0);
      isMore = deleted.length === batchesPerStep;
    }
    if (signal.aborted) break;
    await deleteUsage(db, companyId);
  }
  return requests;
}
