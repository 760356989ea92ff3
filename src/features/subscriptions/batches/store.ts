import { type Selectable, sql } from 'kysely';
import type { ActorType, BatchAction, BatchOutcome, ConsentWay } from '../../../domain/enums.ts';
import type { Message } from '../../../domain/messages/message.ts';
import { type CompanyId, ofCompany } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { Page } from '../../../platform/db/page.ts';
import type { ContractBatchesTable } from '../../../platform/db/types.gen.ts';
import { maxNamed, type Refusals } from './contract.ts';

export interface StoredBatch {
  id: number;
  action: BatchAction;
  total: number;
  decided: number;
  refused: number;
  finishedAt: string | null;
}

export async function findBatch(db: Db, companyId: CompanyId, id: number): Promise<StoredBatch | undefined> {
  const { rows } = await sql<StoredBatch>`
    select b.id, b.decision as action, b.total, b.decided, b.refused, b.finished_at as "finishedAt"
    from contract_batches b where ${ofCompany(companyId, 'b')} and b.id = ${id}`.execute(db);
  return rows[0];
}

export async function insertItems(
  tx: Tx,
  companyId: CompanyId,
  batchId: number,
  employeeIds: readonly number[],
): Promise<void> {
  await sql`insert into contract_batch_items (company_id, batch_id, employee_id)
    select ${companyId}, ${batchId}, i.id from unnest(${employeeIds}::bigint[]) as i(id)`.execute(tx);
}

export async function findUnfinished(tx: Tx, companyId: CompanyId) {
  const { rows } = await sql<
    Selectable<ContractBatchesTable> & {
      decision: BatchAction;
      actor_type: ActorType;
      consent_given: ConsentWay | null;
    }
  >`
    select b.id, b.decision, b.actor_type, b.actor, b.consent_given, b.consent_on, b.recorded_by, b.from_on, b.until_on,
      b.reason, b.undo_of
    from contract_batches b
    where ${ofCompany(companyId, 'b')} and b.finished_at is null order by b.id limit 1`.execute(tx);
  return rows[0];
}

export async function listOpenItems(
  tx: Tx,
  companyId: CompanyId,
  { batchId, limit }: { batchId: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select i.employee_id as id from contract_batch_items i where ${ofCompany(companyId, 'i')}
      and i.batch_id = ${batchId} and i.outcome is null order by i.employee_id limit ${limit}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** What became of one employee of a batch. */
export interface ItemOutcome {
  employeeId: number;
  outcome: BatchOutcome;
  requestId: number | null;
  from: string | null;
  message: Message | null;
}

/** Records what became of employees, each once, and how far the batch is. */
export async function recordOutcomes(
  tx: Tx,
  companyId: CompanyId,
  { batchId, outcomes, finishedAt }: { batchId: number; outcomes: readonly ItemOutcome[]; finishedAt: string | null },
): Promise<void> {
  await sql`update contract_batch_items i
    set outcome = r.outcome, request_id = r."requestId", from_on = r."from", message = r.message
    from json_to_recordset(${JSON.stringify(outcomes)}::json)
      as r("employeeId" bigint, outcome text, "requestId" bigint, "from" date, message jsonb)
    where ${ofCompany(companyId, 'i')} and i.batch_id = ${batchId} and i.employee_id = r."employeeId"`.execute(tx);
  const decided = outcomes.filter(({ outcome }) => outcome === 'decided').length;
  await sql`update contract_batches b set decided = b.decided + ${decided},
      refused = b.refused + ${outcomes.length - decided}, finished_at = ${finishedAt}::timestamptz
    where ${ofCompany(companyId, 'b')} and b.id = ${batchId}`.execute(tx);
}

/** Holds for the items `i` of a batch whose request `q` can be undone on a day. */
const isUndoable = (companyId: CompanyId, { batchId, today }: { batchId: number; today: Temporal.PlainDate }) =>
  sql<boolean>`${ofCompany(companyId, 'i')} and i.batch_id = ${batchId} and ${ofCompany(companyId, 'q')}
    and q.id = i.request_id and q.status = 'applied' and q.undo_until >= ${today.toString()}::date`;

/** Returns the employees of a batch whose request can be undone today, and the last day for all of them. */
export async function findUndoable(
  db: Db,
  companyId: CompanyId,
  batch: { batchId: number; today: Temporal.PlainDate },
): Promise<{ employees: number; until: string | null }> {
  const { rows } = await sql<{ employees: number; until: string | null }>`
    select count(*) as employees, min(q.undo_until) as until from contract_batch_items i, subscription_requests q
    where ${isUndoable(companyId, batch)}`.execute(db);
  return rows[0] ?? { employees: 0, until: null };
}

export async function listUndoable(
  db: Db,
  companyId: CompanyId,
  batch: { batchId: number; today: Temporal.PlainDate },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select i.employee_id as id from contract_batch_items i, subscription_requests q
    where ${isUndoable(companyId, batch)} order by i.employee_id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Returns the requests that a batch has made about these employees. */
export async function findRequestIds(
  tx: Tx,
  companyId: CompanyId,
  { batchId, employeeIds }: { batchId: number; employeeIds: readonly number[] },
): Promise<Map<number, number>> {
  const { rows } = await sql<{ employeeId: number; requestId: number }>`
    select i.employee_id as "employeeId", i.request_id as "requestId" from contract_batch_items i
    where ${ofCompany(companyId, 'i')} and i.batch_id = ${batchId} and i.employee_id = any(${employeeIds})
      and i.request_id is not null`.execute(tx);
  return new Map(rows.map(({ employeeId, requestId }) => [employeeId, requestId]));
}

/** Returns why it was not possible for some of a batch, most frequent first. */
export async function listRefusals(db: Db, companyId: CompanyId, batchId: number): Promise<Refusals> {
  const { rows } = await sql<Refusals[number]>`
    select r.message, r.employees, coalesce((
      select json_agg(json_build_object('employeeId', e.id, 'name', e.first_name || ' ' || e.last_name) order by e.id)
      from employees e where ${ofCompany(companyId, 'e')} and e.id = any(r.ids)), '[]'::json) as named
    from (
      select i.message, count(*) as employees, (array_agg(i.employee_id order by i.employee_id))[1:${sql.lit(maxNamed)}] as ids
      from contract_batch_items i
      where ${ofCompany(companyId, 'i')} and i.batch_id = ${batchId} and i.outcome = 'refused' and i.message is not null
      group by i.message
    ) r order by r.employees desc, r.message::text`.execute(db);
  return rows;
}

export interface BatchItemRow extends Omit<ItemOutcome, 'outcome' | 'requestId'> {
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  outcome: BatchOutcome | null;
}

/** Returns a page of what became of the employees of a batch. */
export async function listItems(
  tx: Tx,
  companyId: CompanyId,
  { batchId, page, perPage }: { batchId: number; page: number; perPage: number },
): Promise<Page<BatchItemRow>> {
  const { rows } = await sql<BatchItemRow & { total: number }>`
    select b.total, i.employee_id as "employeeId", e.first_name as "firstName", e.last_name as "lastName", e.email,
      i.outcome, i.from_on as "from", i.message
    from contract_batch_items i
    join contract_batches b on ${ofCompany(companyId, 'b')} and b.id = i.batch_id
    left join employees e on ${ofCompany(companyId, 'e')} and e.id = i.employee_id
    where ${ofCompany(companyId, 'i')} and i.batch_id = ${batchId}
    order by i.employee_id limit ${perPage} offset ${(page - 1) * perPage}`.execute(tx);
  return { rows, total: rows[0]?.total ?? 0 };
}

export async function findNames(db: Db, companyId: CompanyId, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select e.id, e.first_name || ' ' || e.last_name as name from employees e
    where ${ofCompany(companyId, 'e')} and e.id = any(${ids})`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
