import { sql } from 'kysely';
import { createMessage } from '../../domain/messages/message.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { countChange } from '../../platform/db/write.ts';
import { ApiError, invalidValue, notFound } from '../../platform/http/errors.ts';
import { maxInteger } from '../../platform/http/schemas.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { appendEvents } from '../events/append.ts';
import { type EndpointKey, lockEndpointRow, wakeWorkers } from './store.ts';

async function lockEnabled(tx: Tx, key: EndpointKey) {
  const endpoint = await lockEndpointRow(tx, key);
  if (endpoint.state === 'enabled') return endpoint;
  throw new ApiError('webhook-disabled', 'The webhook endpoint is disabled. Enable it first.');
}

const isWanted = (types: readonly string[] | undefined) => {
  if (types === undefined) return sql`true`;
  return types.length === 0 ? sql`e.type <> 'webhook-test'` : sql`e.type = any(${types}::text[])`;
};

/** Makes the events of a range due again. `types`: only these, if empty all except tests. Undefined: any type. */
async function requestDeliveries(
  tx: Tx,
  { companyId, endpointId }: EndpointKey,
  { from, to = from }: { from: number; to?: number },
  types?: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with requested as (
      insert into webhook_deliveries as d (company_id, endpoint_id, sequence, event_id, event_type, next_attempt_at)
      select e.company_id, ${endpointId}::bigint, e.sequence, e.id, e.type, now() from events e
      where ${ofCompany(companyId, 'e')} and e.sequence between ${from} and ${to} and ${isWanted(types)}
      on conflict (company_id, endpoint_id, sequence)
        do update set state = 'pending', failures = 0, next_attempt_at = excluded.next_attempt_at, finished_at = null
      returning 1)
    select count(*) as count from requested`.execute(tx);
  await wakeWorkers(tx, companyId);
  return rows[0]?.count ?? 0;
}

export const redeliverEvent = (
  { companyId, by, write }: CompanyContext,
  { id, sequence }: { id: number; sequence: number },
) =>
  write(async (tx) => {
    const key = { companyId, endpointId: id };
    await lockEnabled(tx, key);
    if ((await requestDeliveries(tx, key, { from: sequence })) === 0) throw notFound('event');
    const detail = { sequence };
    await insertAudit(tx, companyId, { action: 'webhook.redeliver', target: String(id), detail, ...by });
  });

/** Delivers the events of a range again that are still kept and that the endpoint wants. Without `to`: to the newest. */
export async function replayEvents(
  { companyId, by, write }: CompanyContext,
  { id, from, to }: { id: number; from: number; to?: number | null | undefined },
) {
  const range = { from, to: to ?? maxInteger };
  if (range.to < from) throw invalidValue('/to', 'range', createMessage('value-not-before-from'));
  return write(async (tx) => {
    const key = { companyId, endpointId: id };
    const { eventTypes } = await lockEnabled(tx, key);
    const events = await requestDeliveries(tx, key, range, eventTypes);
    const detail = { ...range, events };
    await insertAudit(tx, companyId, { action: 'webhook.replay', target: String(id), detail, ...by });
    return { id, events };
  });
}

/** Sends a test event to this endpoint only. Counts the change itself, which assigns the sequence of the event. */
export const sendTestEvent = ({ companyId, by, write }: CompanyContext, { id }: { id: number }) =>
  write(async (tx) => {
    const key = { companyId, endpointId: id };
    await lockEnabled(tx, key);
    appendEvents(tx, companyId, [{ type: 'webhook-test', occurredAt: by.at, payload: {} }]);
    await insertAudit(tx, companyId, { action: 'webhook.test', target: String(id), ...by });
    await countChange(tx, companyId);
    const { rows } = await sql<{ eventId: string; sequence: number }>`
      select e.id as "eventId", e.sequence from events e where ${ofCompany(companyId, 'e')}
      order by e.sequence desc limit 1`.execute(tx);
    const [event] = rows;
    if (event === undefined) throw new Error('The test event was not written.');
    await requestDeliveries(tx, key, { from: event.sequence });
    return event;
  });
