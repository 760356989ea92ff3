import { sql } from 'kysely';
import { asCompanyId, type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db } from '../../platform/db/database.ts';
import { readShards } from '../../platform/db/shards.ts';
import type { EventRow } from '../events/present.ts';
import { type EndpointKey, listEventRows } from './store.ts';

/** A worker that has made no result of it by then is taken to be dead, and another one attempts the delivery. */
const leaseMillis = 60_000;

export interface Target {
  url: string;
  state: 'enabled' | 'disabled';
  encryptedSecrets: string[];
  company: { locale: string; currency: string };
}

export interface Claimed {
  sequence: number;
  eventId: string;
  eventType: string;
  attempts: number;
  failures: number;
  /** Undefined: it is not kept any more. */
  event: EventRow | undefined;
}

export async function findTarget(db: Db, { companyId, endpointId }: EndpointKey): Promise<Target | undefined> {
  const { rows } = await sql<Omit<Target, 'company'> & { locale: string; currency: string }>`
    select w.url, w.state, c.locale, c.currency, array_remove(array[w.encrypted_secret,
      case when w.previous_secret_until > now() then w.encrypted_previous_secret end], null) as "encryptedSecrets"
    from webhook_endpoints w join companies c on c.id = w.company_id
    where ${ofCompany(companyId, 'w')} and w.id = ${endpointId}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { locale, currency, ...target } = row;
  return { ...target, company: { locale, currency } };
}

/** Takes deliveries that are due until the lease ends. The array helps PostgreSQL without statistics of the table. */
export async function claimDeliveries(
  db: Db,
  { companyId, endpointId }: EndpointKey,
  limit: number,
): Promise<Claimed[]> {
  const { rows } = await sql<Omit<Claimed, 'event'>>`
    update webhook_deliveries d set next_attempt_at = now() + make_interval(secs => ${leaseMillis / 1000})
    where ${ofCompany(companyId, 'd')} and d.endpoint_id = ${endpointId} and d.sequence = any(array(
      select p.sequence from webhook_deliveries p
      where ${ofCompany(companyId, 'p')} and p.endpoint_id = ${endpointId} and p.state = 'pending'
        and p.next_attempt_at <= now()
      order by p.next_attempt_at, p.sequence limit ${limit} for update skip locked))
    returning d.sequence, d.event_id as "eventId", d.event_type as "eventType", d.attempts, d.failures`.execute(db);
  if (rows.length === 0) return [];
  const sequences = rows.map(({ sequence }) => sequence);
  const events = new Map((await listEventRows(db, companyId, sequences)).map((event) => [event.sequence, event]));
  return rows.map((row) => ({ ...row, event: events.get(row.sequence) })).sort((a, b) => a.sequence - b.sequence);
}

export async function releaseDeliveries(db: Db, key: EndpointKey, sequences: number[]): Promise<void> {
  if (sequences.length === 0) return;
  await sql`
    update webhook_deliveries d set next_attempt_at = now()
    where ${ofCompany(key.companyId, 'd')} and d.endpoint_id = ${key.endpointId} and d.state = 'pending'
      and d.sequence = any(${sequences}::bigint[])`.execute(db);
}

export async function listDueEndpoints(db: Db, companyId: CompanyId): Promise<EndpointKey[]> {
  const { rows } = await sql<{ id: number }>`
    select w.id from webhook_endpoints w where ${ofCompany(companyId, 'w')} and w.state = 'enabled'
      and exists (select from webhook_deliveries d where ${ofCompany(companyId, 'd')} and d.endpoint_id = w.id
        and d.state = 'pending' and d.next_attempt_at <= now())
    order by w.id`.execute(db);
  return rows.map(({ id }) => ({ companyId, endpointId: id }));
}

/** Returns all endpoints with due deliveries. Jumps in the index: the time depends on the endpoints, not deliveries. */
export async function listAllDueEndpoints(db: Db): Promise<EndpointKey[]> {
  const { results } = await readShards(
    db,
    'webhook_deliveries',
    (table) => `
      with recursive p as not materialized (
        select company_id, endpoint_id, next_attempt_at from ${table} where state = 'pending'
      ), e as (
        (select company_id, endpoint_id from p order by company_id, endpoint_id limit 1)
        union all
        select n.company_id, n.endpoint_id from e cross join lateral (
          select p.company_id, p.endpoint_id from p
          where (p.company_id, p.endpoint_id) > (e.company_id, e.endpoint_id)
          order by p.company_id, p.endpoint_id limit 1) n
      )
      select coalesce(json_agg(json_build_array(e.company_id, e.endpoint_id)), '[]') from e
      where (select min(p.next_attempt_at) from p
        where p.company_id = e.company_id and p.endpoint_id = e.endpoint_id) <= now()`,
  );
  const pairs = results.flatMap((result) => JSON.parse(result) as [number, number][]);
  return pairs.map(([companyId, endpointId]) => ({ companyId: asCompanyId(companyId), endpointId }));
}
