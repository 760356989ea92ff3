import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { presentEndpoint } from './present.ts';
import { getEndpointRow, lockEndpointRow, wakeWorkers } from './store.ts';

/**
 * Enables an endpoint. It resumes with what is still kept: the events that happened meanwhile, and the deliveries that
 * were pending when it was disabled, which are attempted at once.
 */
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
