import { sql } from 'kysely';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { countChange, newEvents } from '../../platform/db/write.ts';
import { type By, insertAudit } from '../activity/record.ts';
import { appendEvents } from '../events/append.ts';
import type { EndpointKey } from './endpoints.ts';

/** A range of sequences, both ends included. */
export interface SequenceRange {
  from: number;
  to: number;
}

const wantedBy = (types: readonly string[] | undefined) => {
  if (types === undefined) return sql`true`;
  return types.length === 0 ? sql`e.type <> 'webhook-test'` : sql`e.type = any(${types}::text[])`;
};

/**
 * Makes the events of a range due, also those that were delivered before, as a new series of attempts. `types`: only
 * these; if empty, all except test events, which are meant for one endpoint. Undefined: whatever their type.
 */
async function requestDeliveries(
  tx: Tx,
  { companyId, endpointId }: EndpointKey,
  { from, to }: SequenceRange,
  types?: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with requested as (
      insert into webhook_deliveries as d (company_id, endpoint_id, sequence, event_id, event_type, next_attempt_at)
      select e.company_id, ${endpointId}::bigint, e.sequence, e.id, e.type, now() from events e
      where ${ofCompany(companyId, 'e')} and e.sequence between ${from} and ${to}
        and ${wantedBy(types)}
      on conflict (company_id, endpoint_id, sequence)
        do update set state = 'pending', failures = 0, next_attempt_at = excluded.next_attempt_at, finished_at = null
      returning 1)
    select count(*) as count from requested`.execute(tx);
  await sql`select pg_notify(${newEvents}, ${String(companyId)})`.execute(tx);
  return rows[0]?.count ?? 0;
}

async function findTypes(tx: Tx, { companyId, endpointId }: EndpointKey): Promise<string[] | undefined> {
  const { rows } = await sql<{ types: string[] }>`
    select w.event_types as types from webhook_endpoints w where ${ofCompany(companyId, 'w')} and w.id = ${endpointId}
    for no key update`.execute(tx);
  return rows[0]?.types;
}

/**
 * Delivers the events of a range again that are still kept and that the endpoint wants. Returns how many. Undefined: there is no such endpoint.
 */
export async function replayEvents(
  tx: Tx,
  key: EndpointKey,
  range: SequenceRange,
  by: By = {},
): Promise<number | undefined> {
  const types = await findTypes(tx, key);
  if (types === undefined) return undefined;
  const events = await requestDeliveries(tx, key, range, types);
  const detail = { ...range, events };
  await insertAudit(tx, key.companyId, { action: 'webhook.replay', target: String(key.endpointId), detail, ...by });
  return events;
}

/** Delivers one event again, whatever its type. Returns whether the endpoint exists and the event is still kept. */
export async function redeliverEvent(tx: Tx, key: EndpointKey, sequence: number, by: By = {}): Promise<boolean> {
  if ((await findTypes(tx, key)) === undefined) return false;
  const events = await requestDeliveries(tx, key, { from: sequence, to: sequence });
  if (events === 0) return false;
  const detail = { sequence };
  await insertAudit(tx, key.companyId, { action: 'webhook.redeliver', target: String(key.endpointId), detail, ...by });
  return true;
}

async function findNewestEvent(tx: Tx, companyId: CompanyId): Promise<{ id: string; sequence: number }> {
  const { rows } = await sql<{ id: string; sequence: number }>`
    select e.id, e.sequence from events e where ${ofCompany(companyId, 'e')} order by e.sequence desc limit 1`.execute(
    tx,
  );
  const [event] = rows;
  if (event === undefined) throw new Error('The test event was not written.');
  return event;
}

/**
 * Sends a test event to this endpoint only. Its sequence is assigned by counting the change, which is why this does it:
 * the lock of the version is held until the commit, so the newest event is the one that was just written. Returns
 * undefined if there is no such endpoint.
 */
export async function sendTestEvent(
  tx: Tx,
  key: EndpointKey,
  now: Temporal.Instant,
  by: By = {},
): Promise<{ eventId: string; sequence: number } | undefined> {
  if ((await findTypes(tx, key)) === undefined) return undefined;
  appendEvents(tx, key.companyId, [{ type: 'webhook-test', occurredAt: now, payload: {} }]);
  await insertAudit(tx, key.companyId, { action: 'webhook.test', target: String(key.endpointId), ...by });
  await countChange(tx, key.companyId);
  const { id, sequence } = await findNewestEvent(tx, key.companyId);
  await requestDeliveries(tx, key, { from: sequence, to: sequence });
  return { eventId: id, sequence };
}
