import type { Actor } from '../../../domain/actor.ts';
import type { Day } from '../../../domain/calendar.ts';
import type { BatchAction } from '../../../domain/enums.ts';
import { createMessage, type Message } from '../../../domain/messages/message.ts';
import type { Consent } from '../../../domain/subscription/subscription.ts';
import type { Clock } from '../../../platform/clock/clock.ts';
import type { CompanyId } from '../../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { writeCompany } from '../../../platform/db/write.ts';
import type { Enqueue } from '../../../platform/jobs/queue.ts';
import { insertAudit } from '../../activity/record.ts';
import { lockCompany } from '../../companies/companies.ts';
import type { DailyRunDeps } from '../../daily-run/run.ts';
import { applyDecisions } from '../apply-decision.ts';
import { applyRequests, type UndoOutcome, undoRequests } from '../request.ts';
import {
  findRequestIds,
  findUnfinished,
  type ItemOutcome,
  insertItems,
  listOpenItems,
  recordOutcomes,
} from './store.ts';

/** Small enough that syncs and other decisions of the company do not wait long for its lock. */
const employeesPerStep = 100;

export interface NewBatch {
  action: BatchAction;
  employeeIds: readonly number[];
  actor: Actor;
  consent?: Consent | undefined;
  /** The name of the user who records what employees have decided. */
  recordedBy?: string | undefined;
  from?: Day | undefined;
  until?: Day | undefined;
  reason?: string | undefined;
  /** The batch whose requests are undone. */
  undoOf?: number | undefined;
}

/** Stores what is to be done for many employees and the job that does it. Returns its id. */
export async function insertBatch(
  tx: Tx,
  { clock, queue }: { clock: Clock; queue: Pick<Enqueue, 'enqueueContracts'> },
  companyId: CompanyId,
  { action, employeeIds, actor, consent, recordedBy, from, until, reason, undoOf }: NewBatch,
): Promise<number> {
  const ids = [...new Set(employeeIds)];
  const at = clock.now();
  const { id } = await tx
    .insertInto('contract_batches')
    .values({
      company_id: companyId,
      decision: action,
      actor_type: actor.type,
      actor: actor.name,
      total: ids.length,
      created_at: at.toString(),
      consent_given: consent?.given ?? null,
      consent_on: consent?.on.toString() ?? null,
      recorded_by: recordedBy ?? null,
      from_on: from?.toString() ?? null,
      until_on: until?.toString() ?? null,
      reason: reason ?? null,
      undo_of: undoOf ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertItems(tx, companyId, id, ids);
  const isContract = action === 'contract-accepted' || action === 'contract-rejected';
  const detail = {
    ...(isContract ? { decision: action } : {}),
    employees: ids.length,
    ...(consent ? { given: consent.given, givenOn: consent.on.toString() } : {}),
    ...(from ? { from: from.toString() } : {}),
    ...(until ? { until: until.toString() } : {}),
    ...(undoOf === undefined ? {} : { undoOf }),
  };
  const name = isContract ? 'contracts.decide' : `subscriptions.${action}`;
  await insertAudit(tx, companyId, { actor, action: name, target: String(id), detail, at });
  await queue.enqueueContracts(tx, companyId);
  return id;
}

type Batch = NonNullable<Awaited<ReturnType<typeof findUnfinished>>>;

const refused = (employeeId: number, message: Message): ItemOutcome => ({
  ...{ employeeId, outcome: 'refused', requestId: null, from: null, message },
});

/** Says what became of a request. One that has changed nothing is not this batch's to undo. */
function toItem(employeeId: number, outcome: UndoOutcome | undefined, isUndo = false): ItemOutcome {
  if (outcome?.status === 'refused') return refused(employeeId, outcome.message);
  if (outcome?.status !== 'applied') return refused(employeeId, createMessage('batch-employee-gone'));
  const { requestId, plan, from } = outcome;
  const isKept = plan.subscriptionChanges.length > 0 && !isUndo;
  return {
    ...{ employeeId, outcome: 'decided', message: null },
    ...{ requestId: isKept ? requestId : null, from: isUndo ? null : from.toString() },
  };
}

async function undo(tx: Tx, deps: DailyRunDeps, companyId: CompanyId, { batch, employeeIds, actor }: Step) {
  const requests = await findRequestIds(tx, companyId, { batchId: batch.undo_of ?? 0, employeeIds });
  const undos = [...requests].map(([employeeId, requestId]) => ({ employeeId, requestId }));
  const undone = await undoRequests(tx, deps, companyId, { undos, actor });
  const outcomes = new Map(undos.map(({ employeeId }, index) => [employeeId, undone[index]]));
  return employeeIds.map((employeeId) => toItem(employeeId, outcomes.get(employeeId), true));
}

interface Step {
  batch: Batch;
  employeeIds: readonly number[];
  actor: Actor;
}

const dayOf = (text: string | null) => (text === null ? undefined : Temporal.PlainDate.from(text));

async function applyStep(tx: Tx, deps: DailyRunDeps, companyId: CompanyId, step: Step): Promise<ItemOutcome[]> {
  const { batch, employeeIds, actor } = step;
  const { decision, consent_given: given, consent_on: on } = batch;
  const consent = given && on ? { given, on: Temporal.PlainDate.from(on) } : undefined;
  const recordedBy = batch.recorded_by ?? undefined;
  if (decision === 'undo') return undo(tx, deps, companyId, step);
  if (decision === 'contract-accepted' || decision === 'contract-rejected') {
    const request = { employeeIds, decision, actor, consent, recordedBy };
    const outcomes = await applyDecisions(tx, deps, companyId, request);
    return employeeIds.map((employeeId) => {
      const outcome = outcomes.get(employeeId);
      if (outcome?.kind === 'decided')
        return { employeeId, outcome: 'decided', requestId: null, from: null, message: null };
      const message = outcome?.kind === 'refused' ? outcome.refusal.message : createMessage('batch-employee-gone');
      return refused(employeeId, message);
    });
  }
  const request = {
    ...{ action: decision, from: dayOf(batch.from_on), until: dayOf(batch.until_on) },
    ...{ reason: batch.reason ?? undefined, consent },
  };
  const requests = employeeIds.map((employeeId) => ({ employeeId, ...request }));
  const outcomes = await applyRequests(tx, deps, companyId, { requests, actor, recordedBy });
  return employeeIds.map((employeeId, index) => toItem(employeeId, outcomes[index]));
}

/** Does the oldest batch for its next employees, and records it. Returns whether there was anything to do. */
export const runNextStep = (db: Db, deps: DailyRunDeps, companyId: CompanyId): Promise<boolean> =>
  writeCompany(db, companyId, async (tx) => {
    await lockCompany(tx, companyId);
    const batch = await findUnfinished(tx, companyId);
    if (batch === undefined) return false;
    const employeeIds = await listOpenItems(tx, companyId, { batchId: batch.id, limit: employeesPerStep });
    const actor: Actor = { type: batch.actor_type, name: batch.actor };
    const outcomes = await applyStep(tx, deps, companyId, { batch, employeeIds, actor });
    const finishedAt = employeeIds.length < employeesPerStep ? deps.clock.now().toString() : null;
    await recordOutcomes(tx, companyId, { batchId: batch.id, outcomes, finishedAt });
    return true;
  });

/** Does every batch of the company. May be interrupted and repeated at any time: each step is one transaction. */
export async function runBatches(
  db: Db,
  deps: DailyRunDeps,
  companyId: CompanyId,
  signal?: AbortSignal,
): Promise<void> {
  for (let isMore = true; isMore; ) {
    signal?.throwIfAborted();
    isMore = await runNextStep(db, deps, companyId);
  }
}
