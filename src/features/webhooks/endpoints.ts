import { sql } from 'kysely';
import type { EventType, WebhookDisabledReason } from '../../domain/enums.ts';
import { type Encryption, nameSecretOf } from '../../platform/crypto/encryption.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { newEvents } from '../../platform/db/write.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { createWebhookSecret } from './sign.ts';

/** How many endpoints a company may have. */
export const maxEndpoints = 20;
/** How long the previous secret still signs after a rotation. */
const rotationHours = 24;

export interface EndpointSettings {
  /** Must have passed `describeWrongUrl` (src/platform/outgoing/urls.ts). */
  url: string;
  /** Empty: all types. */
  eventTypes: readonly EventType[];
  description: string;
}

export interface NewEndpoint {
  id: number;
  /** Shown once. */
  secret: string;
}

/** Identifies an endpoint. */
export interface EndpointKey {
  companyId: CompanyId;
  endpointId: number;
}

/** Returns the name of the row to which both of its secrets are bound. */
const secretName = ({ companyId, endpointId }: EndpointKey) => nameSecretOf('webhook_endpoints', companyId, endpointId);

/** The columns that people may see: all except the secrets. */
const shown = [
  'w.id',
  'w.url',
  'w.event_types',
  'w.description',
  'w.state',
  'w.disabled_reason',
  'w.disabled_at',
  'w.previous_secret_until',
  'w.failing_since',
  'w.created_at',
  'w.updated_at',
] as const;

export const listEndpoints = (db: Db | Tx, companyId: CompanyId) =>
  db.selectFrom('webhook_endpoints as w').select(shown).where(ofCompany(companyId, 'w')).orderBy('w.id').execute();

export const findEndpoint = (db: Db | Tx, { companyId, endpointId }: EndpointKey) =>
  db
    .selectFrom('webhook_endpoints as w')
    .select(shown)
    .where(ofCompany(companyId, 'w'))
    .where('w.id', '=', endpointId)
    .executeTakeFirst();

/**
 * Returns the endpoints that the user created, changed or saw the secret of. The audit log knows, also for endpoints of
 * earlier releases.
 */
export async function listEndpointsOf(db: Db | Tx, companyId: CompanyId, userId: string) {
  const { rows } = await sql<{ target: string }>`
    select distinct a.target from audit_log a
    where ${ofCompany(companyId, 'a')} and a.action in ('webhook.create', 'webhook.update', 'webhook.rotate') and a.actor = ${userId}`.execute(
    db,
  );
  const targets = new Set(rows.map(({ target }) => target));
  return (await listEndpoints(db, companyId)).filter(({ id }) => targets.has(String(id)));
}

export type EndpointRow = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>;

/** Wakes the workers when the transaction commits. */
const wakeWorkers = (tx: Tx, companyId: CompanyId) =>
  sql`select pg_notify(${newEvents}, ${String(companyId)})`.execute(tx);

const describe = ({ url, eventTypes, description }: EndpointSettings) => ({
  // The path and the query may contain a token of the receiver.
  host: new URL(url).host,
  eventTypes: [...eventTypes],
  description,
});

/**
 * Creates an endpoint that receives the events from now on. This is the only place, besides a rotation, where the secret
 * leaves the service. Returns undefined if the company has as many as it may have.
 */
export async function insertEndpoint(
  tx: Tx,
  encryption: Encryption,
  { companyId, ...settings }: EndpointSettings & { companyId: CompanyId },
  by: By = {},
): Promise<NewEndpoint | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks of company ${companyId}`}, 0))`.execute(tx);
  if ((await listEndpoints(tx, companyId)).length >= maxEndpoints) return undefined;
  const { rows: ids } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('webhook_endpoints', 'id')) as id`.execute(tx);
  const id = ids[0]?.id ?? 0;
  const secret = createWebhookSecret();
  const encrypted = encryption.encrypt(secret, secretName({ companyId, endpointId: id }));
  const { rows: versions } = await sql<{ last: number }>`
    select v.event_sequence as last from company_versions v where ${ofCompany(companyId, 'v')}`.execute(tx);
  await sql`
    insert into webhook_endpoints (company_id, id, url, event_types, description, encrypted_secret, cursor_sequence)
    overriding system value
    values (${companyId}, ${id}, ${settings.url}, ${settings.eventTypes}::text[], ${settings.description}, ${encrypted},
      ${versions[0]?.last ?? 0})`.execute(tx);
  await insertAudit(tx, companyId, { action: 'webhook.create', target: String(id), detail: describe(settings), ...by });
  return { id, secret };
}

/** Changes an endpoint. Deliveries that wait go to the new URL. Returns whether it exists. */
export async function updateEndpoint(
  tx: Tx,
  { companyId, endpointId }: EndpointKey,
  settings: EndpointSettings,
  by: By = {},
): Promise<boolean> {
  const { rows } = await sql`
    update webhook_endpoints w set url = ${settings.url}, event_types = ${settings.eventTypes}::text[],
      description = ${settings.description}, updated_at = now()
    where ${ofCompany(companyId, 'w')} and w.id = ${endpointId} returning w.id`.execute(tx);
  if (rows.length === 0) return false;
  const detail = describe(settings);
  await insertAudit(tx, companyId, { action: 'webhook.update', target: String(endpointId), detail, ...by });
  return true;
}

/** Gives the endpoint a new secret. For 24 hours deliveries are signed with both. Returns undefined if there is none. */
export async function rotateEndpointSecret(
  tx: Tx,
  encryption: Encryption,
  key: EndpointKey,
  by: By = {},
): Promise<{ secret: string; previousUntil: string } | undefined> {
  const secret = createWebhookSecret();
  const encrypted = encryption.encrypt(secret, secretName(key));
  const { rows } = await sql<{ until: string }>`
    update webhook_endpoints w set encrypted_previous_secret = w.encrypted_secret, encrypted_secret = ${encrypted},
      previous_secret_until = now() + make_interval(hours => ${rotationHours}), updated_at = now()
    where ${ofCompany(key.companyId, 'w')} and w.id = ${key.endpointId}
    returning w.previous_secret_until as until`.execute(tx);
  const [row] = rows;
  if (row === undefined) return undefined;
  await insertAudit(tx, key.companyId, { action: 'webhook.rotate', target: String(key.endpointId), ...by });
  return { secret, previousUntil: row.until };
}

/**
 * Enables an endpoint. It resumes with what is still kept: the events that happened meanwhile, and the deliveries that
 * waited, which are attempted at once. Returns whether it exists.
 */
export async function enableEndpoint(tx: Tx, { companyId, endpointId }: EndpointKey, by: By = {}): Promise<boolean> {
  const found = await findEndpoint(tx, { companyId, endpointId });
  if (found === undefined) return false;
  if (found.state === 'enabled') return true;
  await sql`
    update webhook_deliveries d set state = 'pending', next_attempt_at = now(), failures = 0, finished_at = null
    where ${ofCompany(companyId, 'd')} and d.endpoint_id = ${endpointId} and d.state = 'failed'
      and d.finished_at = (select w.disabled_at from webhook_endpoints w
        where ${ofCompany(companyId, 'w')} and w.id = ${endpointId})`.execute(tx);
  await sql`
    update webhook_endpoints w set state = 'enabled', disabled_reason = null, disabled_at = null, failing_since = null,
      updated_at = now()
    where ${ofCompany(companyId, 'w')} and w.id = ${endpointId}`.execute(tx);
  await insertAudit(tx, companyId, { action: 'webhook.enable', target: String(endpointId), ...by });
  await wakeWorkers(tx, companyId);
  return true;
}

/**
 * Disables an endpoint. What waits ends at the moment of disabling, by which enabling finds it again. Returns whether the
 * endpoint exists.
 */
export async function disableEndpoint(
  tx: Tx,
  { companyId, endpointId }: EndpointKey,
  reason: WebhookDisabledReason,
  by: By = {},
): Promise<boolean> {
  const { rows } = await sql<{ changed: boolean }>`
    update webhook_endpoints w set state = 'disabled', disabled_reason = ${reason}, disabled_at = now(), updated_at = now()
    where ${ofCompany(companyId, 'w')} and w.id = ${endpointId} and w.state = 'enabled' returning true as changed`.execute(
    tx,
  );
  if (rows.length === 0) return (await findEndpoint(tx, { companyId, endpointId })) !== undefined;
  await sql`
    update webhook_deliveries d set state = 'failed', next_attempt_at = null, finished_at = now()
    where ${ofCompany(companyId, 'd')} and d.endpoint_id = ${endpointId} and d.state = 'pending'`.execute(tx);
  const detail = { reason };
  await insertAudit(tx, companyId, { action: 'webhook.disable', target: String(endpointId), detail, ...by });
  return true;
}

/** Deletes an endpoint with its deliveries and its log. Returns whether it existed. */
export async function deleteEndpoint(tx: Tx, { companyId, endpointId }: EndpointKey, by: By = {}): Promise<boolean> {
  const { rows } = await sql`
    delete from webhook_endpoints w where ${ofCompany(companyId, 'w')} and w.id = ${endpointId} returning w.id`.execute(
    tx,
  );
  if (rows.length === 0) return false;
  await insertAudit(tx, companyId, { action: 'webhook.delete', target: String(endpointId), ...by });
  return true;
}
