import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { type EndpointKey, type EndpointRow, lockEndpointRow, wakeWorkers } from './store.ts';

/** A range of sequences, both ends included. */
export interface SequenceRange {
  from: number;
  to: number;
}

/** Locks an endpoint. Throws if there is none, or if it is disabled. */
export async function lockEnabled(tx: Tx, key: EndpointKey): Promise<EndpointRow> {
  const endpoint = await lockEndpointRow(tx, key);
  if (endpoint.state === 'disabled') {
    throw new ApiError('webhook-disabled', 'The webhook endpoint is disabled. Enable it first.');
  }
  return endpoint;
}

const isWanted = (types: readonly string[] | undefined) => {
  if (types === undefined) return sql`true`;
  return types.length === 0 ? sql`e.type <> 'webhook-test'` : sql`e.type = any(${types}::text[])`;
};

/**
 * Makes the events of a range due, also those that were delivered before, as a new series of attempts. `types`: only
 * these; if empty, all except test events, which are meant for one endpoint. Undefined: whatever their type. Returns how many.
 */
export async function requestDeliveries(
  tx: Tx,
  { companyId, endpointId }: EndpointKey,
  { from, to }: SequenceRange,
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
