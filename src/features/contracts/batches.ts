import { type Selectable, sql } from 'kysely';
import type { Actor } from '../../domain/actor.ts';
import type { ActorType, ConsentWay, ContractDecision } from '../../domain/enums.ts';
import type { Consent } from '../../domain/subscription/subscription.ts';
import type { Clock } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { ContractBatchesTable } from '../../platform/db/types.gen.ts';
import { writeCompany } from '../../platform/db/write.ts';
import type { Enqueue } from '../../platform/jobs/queue.ts';
import { insertAudit } from '../activity/record.ts';
import { lockCompany } from '../companies/companies.ts';
import type { DailyRunDeps } from '../daily-run/run.ts';
import { applyDecisions } from '../subscriptions/apply-decision.ts';
import type { ContractBatch } from './contract.ts';

/** Small enough that syncs and other decisions of the company do not wait long for its lock. */
const employeesPerStep = 100;

interface NewBatch {
  decision: ContractDecision;
  employeeIds: readonly number[];
  actor: Actor;
  consent?: Consent | undefined;
  /** The name of the user who records the decision. */
  recordedBy?: string | undefined;
}

/** Stores a decision about many employees and the job that applies it. Returns its id. */
export async function insertBatch(
  tx: Tx,
  { clock, queue }: { clock: Clock; queue: Pick<Enqueue, 'enqueueContracts'> },
  companyId: CompanyId,
  { decision, employeeIds, actor, consent, recordedBy }: NewBatch,
): Promise<number> {
  const ids = [...new Set(employeeIds)];
  const at = clock.now();
  const { id } = await tx
    .insertInto('contract_batches')
    .values({
      company_id: companyId,
      decision,
      actor_type: actor.type,
      actor: actor.name,
      total: ids.length,
      created_at: at.toString(),
      consent_given: consent?.given ?? null,
      consent_on: consent?.on.toString() ?? null,
      recorded_by: recordedBy ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`insert into contract_batch_items (company_id, batch_id, employee_id)
    select ${companyId}, ${id}, i.id from unnest(${ids}::bigint[]) as i(id)`.execute(tx);
  const how = consent ? { given: consent.given, givenOn: consent.on.toString() } : {};
  const detail = { decision, employees: ids.length, ...how };
  await insertAudit(tx, companyId, { actor, action: 'contracts.decide', target: String(id), detail, at });
  await queue.enqueueContracts(tx, companyId);
  return id;
}

export async function findBatch(db: Db, companyId: CompanyId, id: number): Promise<ContractBatch | undefined> {
  const { rows } = await sql<ContractBatch>`
    select b.id, b.decision, b.total, b.decided, b.refused, b.finished_at as "finishedAt"
    from contract_batches b where ${ofCompany(companyId, 'b')} and b.id = ${id}`.execute(db);
  return rows[0];
}

async function findUnfinished(tx: Tx, companyId: CompanyId) {
  const { rows } = await sql<
    Selectable<ContractBatchesTable> & { actor_type: ActorType; consent_given: ConsentWay | null }
  >`
    select b.id, b.decision, b.actor_type, b.actor, b.consent_given, b.consent_on, b.recorded_by from contract_batches b
    where ${ofCompany(companyId, 'b')} and b.finished_at is null order by b.id limit 1`.execute(tx);
  return rows[0];
}

/** Decides about the next employees of the oldest batch, and records it. Returns whether there was anything to do. */
async function runStep(tx: Tx, deps: DailyRunDeps, companyId: CompanyId): Promise<boolean> {
  await lockCompany(tx, companyId);
  const batch = await findUnfinished(tx, companyId);
  if (batch === undefined) return false;
  const { rows } = await sql<{ id: number }>`
    select i.employee_id as id from contract_batch_items i where ${ofCompany(companyId, 'i')}
      and i.batch_id = ${batch.id} and i.outcome is null order by i.employee_id limit ${employeesPerStep}`.execute(tx);
  const employeeIds = rows.map(({ id }) => id);
  const actor: Actor = { type: batch.actor_type, name: batch.actor };
  const { decision, consent_given: given, consent_on: on } = batch;
  const consent = given && on ? { given, on: Temporal.PlainDate.from(on) } : undefined;
  const request = { employeeIds, decision, actor, consent, recordedBy: batch.recorded_by ?? undefined };
  const outcomes = await applyDecisions(tx, deps, companyId, request);
  const decided = employeeIds.filter((id) => outcomes.get(id)?.kind === 'decided');
  await sql`update contract_batch_items i
    set outcome = case when i.employee_id = any(${decided}) then 'decided' else 'refused' end
    where ${ofCompany(companyId, 'i')} and i.batch_id = ${batch.id} and i.employee_id = any(${employeeIds})`.execute(
    tx,
  );
  const finishedAt = employeeIds.length < employeesPerStep ? deps.clock.now().toString() : null;
  await sql`update contract_batches b set decided = b.decided + ${decided.length},
      refused = b.refused + ${employeeIds.length - decided.length}, finished_at = ${finishedAt}::timestamptz
    where ${ofCompany(companyId, 'b')} and b.id = ${batch.id}`.execute(tx);
  return true;
}

/** Applies every batch of the company. May be interrupted and repeated at any time: each step is one transaction. */
export async function runBatches(
  db: Db,
  deps: DailyRunDeps,
  companyId: CompanyId,
  signal?: AbortSignal,
): Promise<void> {
  for (let isMore = true; isMore; ) {
    signal?.throwIfAborted();
    isMore = await writeCompany(db, companyId, (tx) => runStep(tx, deps, companyId));
  }
}
