import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { EventType } from '../../domain/enums.ts';
import type { CompanyId } from './company-scope.ts';
import type { Tx } from './database.ts';

/** Collects the events of a transaction until its end, when they get their sequence. Equal bodies are stored once. */

interface PendingEvent {
  type: EventType;
  occurredAt: Temporal.Instant;
  payload: object;
}

interface Body {
  type: EventType;
  occurredAt: string;
  payload: object;
}

/** Event `n` consists of body `bodyOf[n]` and, if there is one, the subject `ids[n]`. */
interface Batch {
  bodies: Body[];
  indexes: Map<string, number>;
  bodyOf: number[];
  ids: (number | null)[];
}

export interface PendingEvents {
  count: number;
  batch: Batch;
}

const batches = new WeakMap<Tx, Map<CompanyId, Batch>>();

function batchOf(tx: Tx, companyId: CompanyId): Batch {
  const ofTransaction = batches.get(tx) ?? new Map<CompanyId, Batch>();
  batches.set(tx, ofTransaction);
  const batch = ofTransaction.get(companyId) ?? { bodies: [], indexes: new Map(), bodyOf: [], ids: [] };
  ofTransaction.set(companyId, batch);
  return batch;
}

/** Returns the number of a body in the transaction. */
export function addPendingBody(tx: Tx, companyId: CompanyId, { occurredAt, ...event }: PendingEvent): number {
  const { bodies, indexes } = batchOf(tx, companyId);
  const body = { ...event, occurredAt: occurredAt.toString() };
  return indexes.getOrInsertComputed(JSON.stringify(body), () => bodies.push(body) - 1);
}

/** Adds an event with a body that was added before. `id`: its subject, if it has one. */
export function addPendingSubject(tx: Tx, companyId: CompanyId, body: number, id: number | null): void {
  const batch = batchOf(tx, companyId);
  batch.bodyOf.push(body);
  batch.ids.push(id);
}

export function addPendingEvent(tx: Tx, companyId: CompanyId, { payload, ...event }: PendingEvent): void {
  const { id, ...shared } = payload as { id?: unknown };
  const subject = typeof id === 'number' ? id : null;
  const body = addPendingBody(tx, companyId, { ...event, payload: subject === null ? payload : shared });
  addPendingSubject(tx, companyId, body, subject);
}

export function takePendingEvents(tx: Tx, companyId: CompanyId): PendingEvents | undefined {
  const batch = batches.get(tx)?.get(companyId);
  if (batch === undefined) return undefined;
  batches.get(tx)?.delete(companyId);
  return { count: batch.bodyOf.length, batch };
}

/** Throws if events were collected that nothing will write: the change would be committed without them. */
export function assertNoEventsPending(tx: Tx): void {
  const companyIds = [...(batches.get(tx)?.keys() ?? [])];
  if (companyIds.length === 0) return;
  throw new Error(`Events of company ${companyIds.join(', ')} were not written: end the transaction with countChange.`);
}

const eventsPerStatement = 20_000;

/** Returns the beginning of the ids of a transaction's events. It grows with time, so that the index grows at its end. */
const newIdPrefix = () =>
  `evt_${Temporal.Now.instant().epochMilliseconds.toString(16).padStart(12, '0')}${randomBytes(6).toString('hex')}`;

/** Inserts the events with the sequences after `last`. Requires the lock of the company's version. */
export async function insertPendingEvents(
  tx: Tx,
  companyId: CompanyId,
  { count, batch }: PendingEvents,
  last: number,
): Promise<void> {
  const prefix = newIdPrefix();
  const bodies = JSON.stringify(batch.bodies.map((body, index) => ({ index, ...body })));
  for (let from = 0; from < count; from += eventsPerStatement) {
    const [bodyOf, ids] = [batch.bodyOf, batch.ids].map((all) => all.slice(from, from + eventsPerStatement));
    await sql`
      insert into events (company_id, sequence, id, type, occurred_at, payload)
      select ${companyId}, ${last + from}::bigint + r.n, ${prefix} || lpad(to_hex(${from}::bigint + r.n), 8, '0'), b.type,
        b."occurredAt", case when r.id is null then b.payload else b.payload || jsonb_build_object('id', r.id) end
      from unnest(${bodyOf}::integer[], ${ids}::bigint[]) with ordinality as r(index, id, n)
      join json_to_recordset(${bodies}::json)
        as b(index integer, type text, "occurredAt" timestamptz, payload jsonb) on b.index = r.index
      order by r.n`.execute(tx);
  }
}
