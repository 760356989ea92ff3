import { sql } from 'kysely';
import type { EndpointDisabledReason } from '../../domain/enums.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type By, insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { presentEndpoint } from './present.ts';
import { type EndpointKey, getEndpointRow, lockEndpointRow, wakeWorkers } from './store.ts';

/** Disables an endpoint within another change. Enabling finds its pending deliveries by `disabled_at`. */
export async function disableWithin(
  tx: Tx,
  { companyId, endpointId }: EndpointKey,
  reason: EndpointDisabledReason,
  by: By,
): Promise<void> {
  const { rows } = await sql`
    update webhook_endpoints w set state = 'disabled', disabled_reason = ${reason}, disabled_at = now(), updated_at = now()
    where ${ofCompany(companyId, 'w')} and w.id = ${endpointId} and w.state = 'enabled' returning w.id`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    update webhook_deliveries d set state = 'failed', next_attempt_at = null, finished_at = now()
    where ${ofCompany(companyId, 'd')} and d.endpoint_id = ${endpointId} and d.state = 'pending'`.execute(tx);
  const detail = { reason };
  await insertAudit(tx, companyId, { action: 'webhook.disable', target: String(endpointId), detail, ...by });
}

export const disableEndpoint = ({ companyId, by, write }: CompanyContext, { id }: { id: number }) =>
  write(async (tx) => {
    const key = { companyId, endpointId: id };
    await disableWithin(tx, key, 'manual', by);
    return presentEndpoint(await getEndpointRow(tx, key));
  });

/** Enables an endpoint. It resumes with the events since then and the deliveries that were pending. */
export const enableEndpoint = ({ companyId, by, write }: CompanyContext, { id }: { id: number }) =>
  write(async (tx) => {
    const key = { companyId, endpointId: id };
    const found = await lockEndpointRow(tx, key);
    if (found.state === 'enabled') return presentEndpoint(found);
    await sql`
      update webhook_deliveries d set state = 'pending', next_attempt_at = now(), failures = 0, finished_at = null
      where ${ofCompany(companyId, 'd')} and d.endpoint_id = ${id} and d.state = 'failed'
        and d.finished_at = ${found.disabledAt}::timestamptz`.execute(tx);
    await sql`
      update webhook_endpoints w set state = 'enabled', disabled_reason = null, disabled_at = null, failing_since = null,
        updated_at = now()
      where ${ofCompany(companyId, 'w')} and w.id = ${id}`.execute(tx);
    await insertAudit(tx, companyId, { action: 'webhook.enable', target: String(id), ...by });
    await wakeWorkers(tx, companyId);
    return presentEndpoint(await getEndpointRow(tx, key));
  });
