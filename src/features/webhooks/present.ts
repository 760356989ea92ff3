import type { EventType } from '../../domain/enums.ts';
import { presentOptionalTimestamp, presentTimestamp, type View } from '../../platform/http/view.ts';
import { type EventRow, presentPayload } from '../events/present.ts';
import type { WebhookDelivery, WebhookEndpoint } from './contract.ts';
import type { AttemptCounts, AttemptRow, DeliveryRow, EndpointRow } from './store.ts';

/** Returns an endpoint as people see it. Never a secret. */
export const presentEndpoint = (row: EndpointRow) => ({
  ...row,
  eventTypes: row.eventTypes as EventType[],
  disabledAt: presentOptionalTimestamp(row.disabledAt),
  failingSince: presentOptionalTimestamp(row.failingSince),
  previousSecretUntil: presentOptionalTimestamp(row.previousSecretUntil),
  createdAt: presentTimestamp(row.createdAt),
});

export type Endpoint = ReturnType<typeof presentEndpoint>;

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

const hoursShown = 24;

/** Returns when the first of the last 24 hours begins. Deliveries follow real time, not the clock of the environment. */
export const startOfLastDay = (): Temporal.Instant =>
  Temporal.Now.instant()
    .round({ smallestUnit: 'hour', roundingMode: 'floor' })
    .subtract({ hours: hoursShown - 1 });

function presentLastDay(counts: readonly AttemptCounts[], start: Temporal.Instant): WebhookEndpoint['lastDay'] {
  const byHour = new Map(counts.map(({ hour, ...count }) => [presentTimestamp(hour), count]));
  return Array.from({ length: hoursShown }, (_, index) => {
    const hour = presentTimestamp(start.add({ hours: index }).toString());
    const { succeeded = 0, failed = 0 } = byHour.get(hour) ?? {};
    return { hour, succeeded, failed };
  });
}

const isFuture = (timestamp: string | null) =>
  timestamp !== null && Temporal.Instant.compare(timestamp, Temporal.Now.instant()) > 0;

interface PageView {
  counts: readonly AttemptCounts[];
  start: Temporal.Instant;
  /** Whether the user may see the path and the query, which may contain a token of the receiver. */
  showsPath: boolean;
}

export const presentEndpointPage = (
  { previousSecretUntil, url, ...endpoint }: Endpoint,
  { counts, start, showsPath }: PageView,
): WebhookEndpoint => ({
  ...endpoint,
  url: showsPath ? url : new URL(url).origin,
  previousSecretUntil: isFuture(previousSecretUntil) ? previousSecretUntil : null,
  lastDay: presentLastDay(
    counts.filter((count) => count.endpointId === endpoint.id),
    start,
  ),
});

export const presentDelivery = ({ attemptedAt, nextAttemptAt, createdAt, ...row }: DeliveryRow): WebhookDelivery => ({
  ...row,
  attemptedAt: presentOptionalTimestamp(attemptedAt),
  nextAttemptAt: presentOptionalTimestamp(nextAttemptAt),
  createdAt: presentTimestamp(createdAt),
});

export const presentAttempt = (row: AttemptRow): AttemptRow => ({
  ...row,
  attemptedAt: presentTimestamp(row.attemptedAt),
});
