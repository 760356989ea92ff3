import { sql } from 'kysely';
import { asCompanyId, type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { listRows } from '../../platform/db/shards.ts';

/** How long deliveries and their log are kept (contract, section 8). */
const retentionDays = 30;
const batchSize = 5_000;

const old = sql.raw(`now() - interval '${retentionDays} days'`);

async function deleteAttempts(db: Db, companyId: CompanyId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with deleted as (delete from webhook_attempts a where ${ofCompany(companyId, 'a')}
      and (a.endpoint_id, a.sequence, a.attempt) in (
        select o.endpoint_id, o.sequence, o.attempt from webhook_attempts o
        where ${ofCompany(companyId, 'o')} and o.attempted_at < ${old} limit ${batchSize})
      returning 1)
    select count(*) as count from deleted`.execute(db);
  return rows[0]?.count ?? 0;
}

async function deleteDeliveries(db: Db, companyId: CompanyId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with deleted as (delete from webhook_deliveries d where ${ofCompany(companyId, 'd')}
      and (d.endpoint_id, d.sequence) in (
        select o.endpoint_id, o.sequence from webhook_deliveries o
        where ${ofCompany(companyId, 'o')} and o.created_at < ${old} and coalesce(o.finished_at, o.created_at) < ${old}
        limit ${batchSize})
      returning 1)
    select count(*) as count from deleted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Deletes what is older than the retention period, in batches. Returns how many attempts of the log that were. */
export async function expireLog(db: Db, signal: AbortSignal): Promise<number> {
  const { rows } = await listRows<{ company: number }>(db, {
    table: 'webhook_endpoints',
    columns: 'distinct t.company_id as company',
    where: 'true',
  });
  let attempts = 0;
  for (const companyId of rows.map(({ company }) => asCompanyId(company))) {
    let deleted = batchSize;
    while (deleted === batchSize && !signal.aborted) {
      deleted = await deleteAttempts(db, companyId);
      attempts += deleted;
    }
    while (!signal.aborted && (await deleteDeliveries(db, companyId)) === batchSize);
  }
  return attempts;
}
