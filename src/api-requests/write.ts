import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { CompanyId } from '../db/company-scope.ts';
import type { Db, Tx } from '../db/database.ts';
import { allCompaniesMarker, isDistributed } from '../db/shards.ts';
import { writeShared } from '../db/write.ts';

/** One request as it is stored in a batch. */
export interface StoredRequest {
  id: string;
  /** In milliseconds since 1970. */
  at: number;
  keyId: string;
  method: string;
  path: string;
  status: number;
  /** How long the response took, in microseconds. */
  us: number;
  problem: string | null;
}

/** The columns of `json_to_recordset` for the requests of a batch. */
export const storedColumns = sql.raw(
  'id uuid, at float8, "keyId" text, method text, path text, status integer, us integer, problem text',
);

/** One request of a key, with what only its usage needs. */
export interface RequestRow extends StoredRequest {
  companyId: CompanyId;
  /** The address of the client. Null: not known. */
  address: string | null;
}

/** Requests of one company and minute that are stored in one row. */
export interface RequestBatch {
  companyId: CompanyId;
  id: string;
  rows: readonly RequestRow[];
}

/** A batch never covers more than one minute, so that the requests of a time are in the batches of that time. */
export const batchMillis = 60_000;

export function toBatches(rows: readonly RequestRow[]): RequestBatch[] {
  const groups = new Map<string, RequestBatch & { rows: RequestRow[] }>();
  for (const row of rows) {
    const name = `${row.companyId} ${Math.floor(row.at / batchMillis)}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { companyId: row.companyId, id: randomUUID(), rows: [row] });
    else group.rows.push(row);
  }
  return [...groups.values()];
}

/** Returns how many requests the batches contain. */
export const countRequests = (batches: readonly RequestBatch[]): number =>
  batches.reduce((sum, { rows }) => sum + rows.length, 0);

interface Usage {
  companyId: CompanyId;
  keyId: string;
  /** The beginning of the hour, in seconds since 1970. */
  hour: number;
  requests: number;
  clientErrors: number;
  serverErrors: number;
  address: string | null;
}

const hourSeconds = 3600;

/** Counts the requests of each key by hour. In a fixed order, so that two processes never wait for each other in a circle. */
function sumUsage(rows: readonly RequestRow[]): Usage[] {
  const sums = new Map<string, Usage>();
  for (const { companyId, keyId, at, status, address } of rows) {
    const hour = Math.floor(at / (hourSeconds * 1000)) * hourSeconds;
    const name = `${companyId} ${keyId} ${hour}`;
    let sum = sums.get(name);
    if (sum === undefined) {
      sum = { companyId, keyId, hour, requests: 0, clientErrors: 0, serverErrors: 0, address: null };
      sums.set(name, sum);
    }
    sum.requests += 1;
    if (status >= 500) sum.serverErrors += 1;
    else if (status >= 400) sum.clientErrors += 1;
    sum.address = address ?? sum.address;
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}

const toStored = ({ id, at, keyId, method, path, status, us, problem }: RequestRow): StoredRequest => ({
  id,
  at,
  keyId,
  method,
  path,
  status,
  us,
  problem,
});

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
  const stored = batches.map(({ companyId: owner, id, rows }) => ({
    companyId: owner,
    id,
    lastAt: Math.max(...rows.map(({ at }) => at)),
    requests: rows.map(toStored),
  }));
  const { rows: added } = await sql<{ id: string }>`${marker}
    insert into api_request_batches (company_id, last_at, id, requests)
    select ${companyId}, to_timestamp(r."lastAt" / 1000), r.id, r.requests
    from json_to_recordset(${JSON.stringify(stored)}::json) as r("companyId" bigint, id uuid, "lastAt" float8,
      requests json)
    on conflict do nothing returning id`.execute(tx);
  const addedIds = new Set(added.map(({ id }) => id));
  const usage = sumUsage(batches.filter(({ id }) => addedIds.has(id)).flatMap(({ rows }) => rows));
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
