import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';

/** How many days of usage are shown. */
const shownDays = 30;

/** How long the address of a request is kept. */
export const addressDays = 30;

/** How long the usage of keys is kept: the fee for the API is charged for months in which it was used (billing/run.ts). */
export const usageDays = 70;

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
  const first = Temporal.Now.plainDateISO(timeZone).subtract({ days: shownDays - 1 });
  const counted = await countByDay(db, { companyId, timeZone }, keyId, first);
  const usage = Array.from({ length: shownDays }, (_, index) => {
    const day = first.add({ days: index }).toString();
    return counted.find((one) => one.day === day) ?? { day, requests: 0, clientErrors: 0, serverErrors: 0 };
  });
  return { usage, lastAddress: await findLastAddress(db, companyId, keyId) };
}
