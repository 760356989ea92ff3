import type { EventType } from '../../domain/enums.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { addPendingBody, addPendingEvent, addPendingSubject } from '../../platform/db/pending-events.ts';
import type { StoredPayloads } from './contract.ts';

/** An event of one of the types, with the payload of its type. `occurredAt` is by the clock of the environment. */
type NewEvent = {
  [Type in EventType]: { type: Type; occurredAt: Temporal.Instant; payload: StoredPayloads[Type] };
}[EventType];

/** Adds events to the transaction of their change. They are written at its end (src/platform/db/write.ts). */
export function appendEvents(tx: Tx, companyId: CompanyId, events: readonly NewEvent[]): void {
  for (const event of events) addPendingEvent(tx, companyId, event);
}

type SharedEvent = {
  [Type in EventType]: { type: Type; occurredAt: Temporal.Instant; payload: Omit<StoredPayloads[Type], 'id'> };
}[EventType];

/** Returns a function that adds these events about one subject after another. */
export function shareEvents(tx: Tx, companyId: CompanyId, events: readonly SharedEvent[]): (id: number) => void {
  const bodies = events.map((event) => addPendingBody(tx, companyId, event));
  return (id) => {
    for (const body of bodies) addPendingSubject(tx, companyId, body, id);
  };
}
