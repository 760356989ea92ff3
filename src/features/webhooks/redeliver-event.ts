import { notFound } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { lockEnabled, requestDeliveries } from './request-deliveries.ts';

/** Delivers one event again that is still kept, whatever its type. */
export const redeliverEvent = (
  { companyId, by, write }: CompanyContext,
  { id, sequence }: { id: number; sequence: number },
) =>
  write(async (tx) => {
    const key = { companyId, endpointId: id };
    await lockEnabled(tx, key);
    if ((await requestDeliveries(tx, key, { from: sequence, to: sequence })) === 0) throw notFound('event');
    const detail = { sequence };
    await insertAudit(tx, companyId, { action: 'webhook.redeliver', target: String(id), detail, ...by });
  });
