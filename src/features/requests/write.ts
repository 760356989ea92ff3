import { sql } from 'kysely';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { allCompaniesMarker, isDistributed } from '../../platform/db/shards.ts';
import { writeShared } from '../../platform/db/write.ts';
import type { RequestBatch, Usage } from './batches.ts';

/** The columns of `json_to_recordset` for the requests of a batch. */
export const storedColumns = sql.raw(
  'id uuid, at float8, "keyId" text, method text, path text, status integer, us integer, problem text',
);

/** Adds up the usage of each key and hour. In a fixed order, so that two processes never wait for each other in a circle. */
function sumUsage(batches: readonly RequestBatch[]): Usage[] {
  const sums = new Map<string, Usage>();
  for (const one of batches.flatMap(({ usage }) => [...usage.values()])) {
    const name = `${one.companyId} ${one.keyId} ${one.hour}`;
    const sum = sums.get(name);
    if (sum === undefined) {
      sums.set(name, { ...one });
      continue;
    }
    sum.requests += one.requests;
    sum.clientErrors += one.clientErrors;
    sum.serverErrors += one.serverErrors;
    sum.address = one.address ?? sum.address;
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

const renderBatches = (batches: readonly RequestBatch[]): string =>
  `[${batches
    .map(
      ({ companyId, id, lastAt, json }) =>
        `{"companyId":${companyId},"id":"${id}","lastAt":${lastAt},"requests":[${json.toString()}]}`,
    )
    .join()}]`;

/**
 * Stores batches, and adds their requests to the usage of the keys. A batch that is stored already is not counted again.
 * If all batches are of one company, the statements name it: a Citus cluster sends them to its node.
 */
export async function writeBatches(
  tx: Tx,
  batches: readonly RequestBatch[],
  company: CompanyId | undefined,
): Promise<void> {
  const marker = sql.raw(company === undefined ? allCompaniesMarker : '');
  const companyId = company === undefined ? sql`r."companyId"` : sql`${company}::bigint`;
  const { rows: added } = await sql<{ id: string }>`${marker}
    insert into api_request_batches (company_id, last_at, id, requests)
    select ${companyId}, to_timestamp(r."lastAt" / 1000), r.id, r.requests
    from json_to_recordset(${renderBatches(batches)}::json) as r("companyId" bigint, id uuid, "lastAt" float8,
      requests json)
    on conflict do nothing returning id`.execute(tx);
  const addedIds = new Set(added.map(({ id }) => id));
  const usage = sumUsage(batches.filter(({ id }) => addedIds.has(id)));
  if (usage.length === 0) return;
  await sql`${marker}
    insert into api_key_usage as u (company_id, key_id, hour, requests, client_errors, server_errors, last_address)
    select ${companyId}, r."keyId", to_timestamp(r.hour), r.requests, r."clientErrors", r."serverErrors", r.address
    from json_to_recordset(${JSON.stringify(usage)}::json) as r("companyId" bigint, "keyId" text, hour float8,
      requests integer, "clientErrors" integer, "serverErrors" integer, address text)
    on conflict (company_id, key_id, hour) do update set requests = u.requests + excluded.requests,
      client_errors = u.client_errors + excluded.client_errors,
      server_errors = u.server_errors + excluded.server_errors,
      last_address = coalesce(excluded.last_address, u.last_address)`.execute(tx);
}

export interface Unwritten {
  batches: readonly RequestBatch[];
  error: unknown;
}

/**
 * Returns a function that writes batches and returns those that could not be written. On Citus each company has its own
 * statements: the companies are on different nodes, and one may be down.
 */
export function createBatchWriter(db: Db): (batches: readonly RequestBatch[]) => Promise<Unwritten[]> {
  let known: boolean | undefined;
  return async (batches) => {
    const unwritten: Unwritten[] = [];
    const attempt = async (some: readonly RequestBatch[], write: () => Promise<void>) => {
      await write().catch((error) => unwritten.push({ batches: some, error }));
    };
    await attempt(batches, async () => {
      known ??= await isDistributed(db, 'api_request_batches');
      if (!known) return writeShared(db, (tx) => writeBatches(tx, batches, undefined));
      for (const [companyId, own] of Map.groupBy(batches, (batch) => batch.companyId)) {
        await attempt(own, () => writeShared(db, (tx) => writeBatches(tx, own, companyId)));
      }
    });
    return unwritten;
  };
}
