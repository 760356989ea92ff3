import { sql } from 'kysely';
import { nameSecretOf } from '../../platform/crypto/encryption.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { offsetOf, type Page, type PageRow, pageOf, toPage } from '../../platform/db/page.ts';
import { newEvents } from '../../platform/db/write.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { EventRow } from '../events/present.ts';
import type { DeliveriesQuery, DeliveryDetails, EndpointSettings, WebhookDelivery } from './contract.ts';

export interface EndpointKey {
  companyId: CompanyId;
  endpointId: number;
}

export const noEndpoint = () => notFound('webhook endpoint');

/** Returns the name of the row to which both of its secrets are bound. */
export const secretNameOf = ({ companyId, endpointId }: EndpointKey) =>
  nameSecretOf('webhook_endpoints', companyId, endpointId);

/** The columns that people may see: all except the secrets. */
const shown = [
  'w.id',
  'w.url',
  'w.event_types as eventTypes',
  'w.description',
  'w.state',
  'w.disabled_reason as disabledReason',
  'w.disabled_at as disabledAt',
  'w.previous_secret_until as previousSecretUntil',
  'w.failing_since as failingSince',
  'w.created_at as createdAt',
] as const;

export const columnsOf = ({ eventTypes, ...settings }: EndpointSettings) => ({ ...settings, event_types: eventTypes });

export const listEndpointRows = (db: Db | Tx, companyId: CompanyId) =>
  db.selectFrom('webhook_endpoints as w').select(shown).where(ofCompany(companyId, 'w')).orderBy('w.id').execute();

const selectEndpoint = (db: Db | Tx, { companyId, endpointId }: EndpointKey) =>
  db.selectFrom('webhook_endpoints as w').select(shown).where(ofCompany(companyId, 'w')).where('w.id', '=', endpointId);

export type EndpointRow = Awaited<ReturnType<typeof listEndpointRows>>[number];

export const getEndpointRow = (db: Db | Tx, key: EndpointKey): Promise<EndpointRow> =>
  selectEndpoint(db, key).executeTakeFirstOrThrow(noEndpoint);

export const lockEndpointRow = (tx: Tx, key: EndpointKey): Promise<EndpointRow> =>
  selectEndpoint(tx, key).forNoKeyUpdate().executeTakeFirstOrThrow(noEndpoint);

export const wakeWorkers = (tx: Tx, companyId: CompanyId) =>
  sql`select pg_notify(${newEvents}, ${String(companyId)})`.execute(tx);

export interface AttemptCounts {
  endpointId: number;
  hour: string;
  succeeded: number;
  failed: number;
}

/** Counts the attempts of these endpoints by hour, from `since` on. Hours without attempts are missing. */
export async function countAttempts(
  db: Db | Tx,
  companyId: CompanyId,
  endpointIds: readonly number[],
  since: Temporal.Instant,
): Promise<AttemptCounts[]> {
  const { rows } = await sql<AttemptCounts>`
    select a.endpoint_id as "endpointId", date_bin('1 hour', a.attempted_at, 'epoch') as hour,
      count(*) filter (where a.error is null) as succeeded, count(*) filter (where a.error is not null) as failed
    from webhook_attempts a
    where ${ofCompany(companyId, 'a')} and a.endpoint_id = any(${endpointIds}::bigint[])
      and a.attempted_at >= ${since.toString()}::timestamptz
    group by 1, 2`.execute(db);
  return rows;
}

/** A delivery with its last attempt, as it is stored: timestamps are those of the database. */
export type DeliveryRow = WebhookDelivery;

const columns = sql`d.sequence, d.event_id as "eventId", d.event_type as "eventType", d.state, d.attempts,
  d.last_status as status, a.error, a.attempted_at as "attemptedAt", a.duration_ms as "durationMs",
  d.next_attempt_at as "nextAttemptAt", d.created_at as "createdAt"`;

const lastAttempt = ({ companyId, endpointId }: EndpointKey) => sql`left join webhook_attempts a
  on ${ofCompany(companyId, 'a')} and a.endpoint_id = ${endpointId} and a.sequence = d.sequence and a.attempt = d.attempts`;

const wereAttemptedIn = ({ companyId, endpointId }: EndpointKey, hour: Temporal.Instant) => sql`and o.sequence in (
  select w.sequence from webhook_attempts w where ${ofCompany(companyId, 'w')} and w.endpoint_id = ${endpointId}
    and w.attempted_at >= ${hour.toString()}::timestamptz
    and w.attempted_at < ${hour.add({ hours: 1 }).toString()}::timestamptz)`;

export async function listDeliveries(
  db: Db,
  key: EndpointKey,
  query: DeliveriesQuery,
): Promise<Page<DeliveryRow & PageRow>> {
  const { companyId, endpointId } = key;
  const { states, types, attemptedIn } = query;
  const matching = sql`from webhook_deliveries o
    where ${ofCompany(companyId, 'o')} and o.endpoint_id = ${endpointId}
      ${states ? sql`and o.state = any(${states}::text[])` : sql``}
      ${types ? sql`and o.event_type = any(${types}::text[])` : sql``}
      ${attemptedIn ? wereAttemptedIn(key, Temporal.Instant.from(attemptedIn)) : sql``}`;
  const rows = sql`select o.sequence as id, o.sequence as sorted ${matching}`;
  // Counted on its own, so that the page is read from the index, whose order is that of the page.
  const storedTotal = sql`select count(*) as total ${matching}`;
  const page = pageOf({ rows, storedTotal }, { ...query, sortOrder: 'desc' }, offsetOf(query));
  const found = await sql<DeliveryRow & PageRow>`
    ${page.found}
    select n.total, p.id, ${columns}
    from ${page.source}
    left join webhook_deliveries d
      on ${ofCompany(companyId, 'd')} and d.endpoint_id = ${endpointId} and d.sequence = p.id
    ${lastAttempt(key)}
    ${page.order}`.execute(db);
  return toPage(found.rows);
}

export async function findDelivery(db: Db, key: EndpointKey, sequence: number): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select ${columns} from webhook_deliveries d ${lastAttempt(key)}
    where ${ofCompany(key.companyId, 'd')} and d.endpoint_id = ${key.endpointId} and d.sequence = ${sequence}`.execute(
    db,
  );
  return rows[0];
}

export type AttemptRow = DeliveryDetails['log'][number];

export async function listAttempts(
  db: Db,
  { companyId, endpointId }: EndpointKey,
  sequence: number,
): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select a.attempt, a.attempted_at as "attemptedAt", a.status, a.error, a.duration_ms as "durationMs",
      a.response_body as "responseBody"
    from webhook_attempts a
    where ${ofCompany(companyId, 'a')} and a.endpoint_id = ${endpointId} and a.sequence = ${sequence}
    order by a.attempt desc`.execute(db);
  return rows;
}

export async function listEventRows(db: Db, companyId: CompanyId, sequences: number[]): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select e.id, e.sequence, e.type, e.occurred_at, e.payload from events e
    where ${ofCompany(companyId, 'e')} and e.sequence = any(${sequences}::bigint[])`.execute(db);
  return rows;
}
