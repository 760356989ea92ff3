import type { EventType } from '../../domain/enums.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { addPendingEvent } from '../../platform/db/pending-events.ts';
import type { StoredPayloads } from './contract.ts';

/** An event of one of the types, with the payload of its type. `occurredAt` is by the clock of the environment. */
type NewEvent = {
  [Type in EventType]: { type: Type; occurredAt: Temporal.Instant; payload: StoredPayloads[Type] };
}[EventType];

/** Adds events to the transaction of their change. They are written at its end (src/platform/db/write.ts). */
export function appendEvents(tx: Tx, companyId: CompanyId, events: readonly NewEvent[]): void {
  for (const event of events) addPendingEvent(tx, companyId, event);
}
