import { sql } from 'kysely';
import { asCompanyId, type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { listRows } from '../../platform/db/shards.ts';
import { addressDays, usageDays } from '../keys/usage.ts';

/** How long requests are kept. */
export const requestDays = 7;
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

const isOlder = (days: number) => sql`u.hour < now() - ${sql.lit(`${days} days`)}::interval`;

async function deleteUsage(db: Db, companyId: CompanyId): Promise<void> {
  await sql`delete from api_key_usage u
    where ${ofCompany(companyId, 'u')} and ${isOlder(usageDays)}`.execute(db);
  await sql`update api_key_usage u set last_address = null
    where ${ofCompany(companyId, 'u')} and ${isOlder(addressDays)} and u.last_address is not null`.execute(db);
}

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
