import { presentOptionalTimestamp, presentTimestamp, type View } from '../../platform/http/view.ts';
import { presentPayload } from '../events/present.ts';
import type { EventRow } from '../events/store.ts';
import type { EndpointRow } from './endpoints.ts';

/** Returns an endpoint as people see it. Never a secret. */
export const presentEndpoint = (row: EndpointRow) => ({
  id: row.id,
  url: row.url,
  eventTypes: row.event_types,
  description: row.description,
  state: row.state,
  disabledReason: row.disabled_reason,
  disabledAt: presentOptionalTimestamp(row.disabled_at),
  failingSince: presentOptionalTimestamp(row.failing_since),
  previousSecretUntil: presentOptionalTimestamp(row.previous_secret_until),
  createdAt: presentTimestamp(row.created_at),
});

/** Returns the body of every attempt to deliver an event. */
export const renderBody = (event: EventRow, view: View): string =>
  JSON.stringify({
    event: {
      id: event.id,
      type: event.type,
      sequence: event.sequence,
      timestamp: presentTimestamp(event.occurred_at),
    },
    payload: presentPayload(event, view),
  });
