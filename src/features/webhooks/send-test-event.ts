import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import { countChange } from '../../platform/db/write.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { appendEvents } from '../events/append.ts';
import { lockEnabled, requestDeliveries } from './request-deliveries.ts';

/**
 * Sends a test event to this endpoint only. Its sequence is assigned by counting the change, which is why this does it:
 * the lock of the version is held until the commit, so the newest event is the one that was just written.
 */
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
    await requestDeliveries(tx, key, { from: event.sequence, to: event.sequence });
    return event;
  });
