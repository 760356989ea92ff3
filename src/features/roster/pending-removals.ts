import { sql } from 'kysely';
import { type Actor, operator } from '../../domain/actor.ts';
import { listDays } from '../../domain/calendar.ts';
import { createMessage } from '../../domain/messages/message.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import { type CompanyId, ofCompany } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { inSnapshot } from '../../platform/db/snapshot.ts';
import { writeCompany } from '../../platform/db/write.ts';
import { ApiError } from '../../platform/http/errors.ts';
import { insertAudit } from '../activity/record.ts';
import type { Effects } from '../billing/contract.ts';
import { loadEffectPrices } from '../billing/prices.ts';
import { addEffects, sumEffects } from '../billing/rules/effects.ts';
import { getCompany, type Integration, ofIntegration } from '../companies/companies.ts';
import { type DailyRunDeps, type LockedCompany, lockAndCatchUp } from '../daily-run/run.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { getSync } from './accept.ts';
import { effectsOf, emptyCounts, outcomeOf } from './counts.ts';
import { loadKnownCaughtUp, type PlannedSlice, planRemovals } from './plan.ts';
import type { PlanContext } from './plan-context.ts';
import { writeSlice } from './write.ts';

export interface RemovalDecision {
  syncId: string;
  decision: 'approved' | 'rejected';
  /** Absent: the operator at the command line. `name` is the display name. */
  by?: { actor: Actor; name: string };
  /** The number of removals that the decider expects to decide on. */
  confirmed?: number;
  /** Approves the removals of these employees only. Those of the others stay pending. Absent: all of them. */
  employeeIds?: readonly number[];
}

interface PendingSync {
  target: Integration;
  syncKey: number;
  removals: number;
  failed: number;
  effects: Effects | null;
}

interface Chosen {
  /** Null: all of the sync. */
  employeeIds: readonly number[] | null;
  removals: number;
}

const byOperator = { actor: operator, name: 'operator' };

async function lockPendingSync(tx: Tx, target: Integration, syncId: string): Promise<PendingSync | undefined> {
  const { rows } = await sql<Omit<PendingSync, 'target'>>`
    select s.id as "syncKey", s.held_count as removals, s.failed_count as failed, s.effects from syncs s
    where ${ofIntegration(target, 's')} and s.sync_id = ${syncId} and s.held_state = 'pending' for update`.execute(tx);
  const [sync] = rows;
  return sync && { target, ...sync };
}

/** Returns the removals that are decided. Throws if one of the chosen ones is not pending. */
async function chooseRemovals(tx: Tx, sync: PendingSync, ids: readonly number[] | undefined): Promise<Chosen> {
  if (ids === undefined) return { employeeIds: null, removals: sync.removals };
  const chosen = new Set(ids);
  const { rows } = await sql<{ employeeId: number }>`
    select r.employee_id as "employeeId" from sync_records r where ${ofCompany(sync.target.companyId, 'r')}
      and r.sync_key = ${sync.syncKey} and r.outcome = 'held' and r.employee_id = any(${[...chosen]})`.execute(tx);
  if (rows.length !== chosen.size) {
    const count = chosen.size - rows.length;
    throw new ApiError('confirmation-mismatch', createMessage('removals-not-pending', { count }));
  }
  return { employeeIds: chosen.size === sync.removals ? null : [...chosen], removals: chosen.size };
}

/**
 * Records who decided, and when. Nothing of the sync is pending any more. Unless entries failed, the sync has
 * succeeded, and so has the integration if this is its last sync, whether the removals were approved or rejected
 * (docs/decisions/0019-identity-and-decisions.md).
 */
async function recordDecision(
  tx: Tx,
  { target: { companyId, hrIntegrationId }, syncKey, failed }: PendingSync,
  { syncId, decision, by: { actor, name } = byOperator }: RemovalDecision,
  now: Temporal.Instant,
): Promise<void> {
  const user = actor.type === 'user' ? actor.name : null;
  const state = outcomeOf({ ...emptyCounts(), failed });
  await sql`
    update syncs s set held_state = ${decision}, state = ${state}, decided_by = ${name},
      decided_by_user = ${user}, decided_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 's')} and s.id = ${syncKey}`.execute(tx);
  await sql`
    update hr_integrations i set last_sync_status = ${state}, updated_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId} and i.last_sync_id = ${syncId}`.execute(tx);
}

const isHeld = ({ companyId }: Integration, syncKey: number, employeeIds: readonly number[] | null) => sql`
  ${ofCompany(companyId, 'r')} and r.sync_key = ${syncKey} and r.outcome = 'held'
  and (${employeeIds === null} or r.employee_id = any(${employeeIds ?? []}))`;

/** Plans removals that were pending approval, if this integration still links the employees and they are not leaving. */
async function planPending(context: PlanContext, ids: ReadonlySet<number>): Promise<PlannedSlice> {
  const known = (await loadKnownCaughtUp(context)).filter(
    (employee) => ids.has(employee.id) && employee.hrId !== null && !employee.isRemoved && !employee.isLeaving,
  );
  return planRemovals(context, known, false);
}

/** Returns what approving pending removals would do, of these employees or of all. */
export const previewRemovals = (
  db: Db,
  clock: Clock,
  target: Integration,
  { syncId, employeeIds = null }: { syncId: string; employeeIds?: readonly number[] | null | undefined },
): Promise<Effects> =>
  inSnapshot(db, async (tx) => {
    const { id: syncKey } = await getSync(tx, target, syncId);
    const { rows } = await sql<{ id: number }>`
      select r.employee_id as id from sync_records r where ${isHeld(target, syncKey, employeeIds)}`.execute(tx);
    const company = await getCompany(tx, target.companyId);
    const today = todayIn(clock, company.timeZone);
    const missedDays = listDays(company.processedThrough.add({ days: 1 }), today);
    const context = { db: tx, target, company, today, missedDays };
    const { records } = await planPending(context, new Set(rows.map(({ id }) => id)));
    return sumEffects(effectsOf(records), await loadEffectPrices(tx, company.id, { today, ...target }));
  });

/** Offboards the employees whose removal was pending approval. Returns how many were processed. */
async function offboardPending(
  tx: Tx,
  { clock, queue }: DailyRunDeps,
  { company, today }: LockedCompany,
  { target, syncKey, chosen, actor, ...sync }: PendingSync & { chosen: Chosen; actor: Actor },
): Promise<number> {
  const { companyId, hrIntegrationId } = target;
  const { rows } = await sql<{ id: number }>`
    delete from sync_records r where ${isHeld(target, syncKey, chosen.employeeIds)}
    returning r.employee_id as id`.execute(tx);
  const context = { db: tx, target, company, today, missedDays: [] };
  const slice = await planPending(context, new Set(rows.map(({ id }) => id)));
  const more = sumEffects(effectsOf(slice.records), await loadEffectPrices(tx, companyId, { today, hrIntegrationId }));
  // Without those of the sync itself, which an earlier release has applied, they would be only a part.
  const effects = sync.effects && addEffects(sync.effects, more);
  const now = clock.now();
  const changeContext = { actor, syncKey, hrIntegrationId, now, removedAt: now };
  const documents = await writeSlice(tx, { target, company, syncKey, changeContext }, slice);
  if (documents > 0) await queue.enqueueDocuments(tx, companyId, null);
  const offboarded = slice.records.filter(({ outcome }) => outcome === 'offboarded').length;
  await sql`update syncs s set held_count = s.held_count - ${chosen.removals}, offboarded_count = s.offboarded_count + ${offboarded},
    updated_count = s.updated_count + ${slice.records.length - offboarded}, effects = ${effects && JSON.stringify(effects)}::jsonb
    where ${ofCompany(companyId, 's')} and s.id = ${syncKey}`.execute(tx);
  await refreshEmployeeCounts(tx, companyId);
  return slice.records.length;
}

/** Applies a decision once, however often it is repeated. Returns undefined if no removals are pending any more. */
export const decidePendingRemovals = (
  db: Db,
  deps: DailyRunDeps,
  target: Integration,
  decision: RemovalDecision,
): Promise<{ removals: number } | undefined> =>
  writeCompany(db, target.companyId, async (tx) => {
    const { syncId, confirmed, by: { actor } = byOperator } = decision;
    const locked = await lockAndCatchUp(tx, deps, target.companyId);
    const sync = await lockPendingSync(tx, target, syncId);
    if (sync === undefined) return undefined;
    const isApproved = decision.decision === 'approved';
    const chosen = await chooseRemovals(tx, sync, isApproved ? decision.employeeIds : undefined);
    // A mass removal must not be decided by accident.
    if (confirmed !== undefined && confirmed !== chosen.removals) {
      const message = createMessage('removals-confirmation', { removals: chosen.removals, confirmed });
      throw new ApiError('confirmation-mismatch', message);
    }
    const now = deps.clock.now();
    // As long as some removals are pending, the sync as a whole is undecided.
    if (chosen.employeeIds === null) await recordDecision(tx, sync, decision, now);
    const removals = isApproved ? await offboardPending(tx, deps, locked, { ...sync, chosen, actor }) : sync.removals;
    await insertAudit(tx, target.companyId, {
      actor,
      action: isApproved ? 'sync.approve-removals' : 'sync.reject-removals',
      target: `${target.hrIntegrationId}/${syncId}`,
      detail: { removals },
      at: now,
    });
    return { removals };
  });

export async function decideRemovals(
  { db, companyId, ...deps }: DailyRunDeps & { db: Db; companyId: CompanyId },
  { integration, ...decision }: RemovalDecision & { integration: number },
) {
  const { syncId } = decision;
  const target = { companyId, hrIntegrationId: integration };
  const decided = await decidePendingRemovals(db, deps, target, decision);
  if (decided !== undefined) return { syncId, decision: decision.decision, ...decided };
  await getSync(db, target, syncId);
  const detail = `Sync "${syncId}" has no pending removals: they were decided already, or a newer sync has replaced them.`;
  throw new ApiError('no-removals-held', detail);
}
