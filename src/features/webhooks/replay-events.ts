import { createMessage } from '../../domain/messages/message.ts';
import { invalidValue } from '../../platform/http/errors.ts';
import { maxInteger } from '../../platform/http/schemas.ts';
import { insertAudit } from '../activity/record.ts';
import type { CompanyContext } from '../context.ts';
import { lockEnabled, requestDeliveries } from './request-deliveries.ts';

interface ReplayInput {
  id: number;
  /** The sequences of the first and the last event. Without the last: up to the newest. */
  from: number;
  to?: number | null | undefined;
}

/** Delivers the events of a range again that are still kept and that the endpoint wants. */
export async function replayEvents({ companyId, by, write }: CompanyContext, { id, from, to }: ReplayInput) {
  const range = { from, to: to ?? maxInteger };
  if (range.to < from) throw invalidValue('/to', 'range', createMessage('value-not-before-from'));
  return write(async (tx) => {
    const key = { companyId, endpointId: id };
    const { eventTypes: types } = await lockEnabled(tx, key);
    const events = await requestDeliveries(tx, key, range, types);
    const detail = { ...range, events };
    await insertAudit(tx, companyId, { action: 'webhook.replay', target: String(id), detail, ...by });
    return { id, events };
  });
}
