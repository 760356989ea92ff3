import { sql } from 'kysely';
import { type Actor, insertAudit, operator } from '../../audit.ts';
import { type DailyRunDeps, type LockedCompany, lockAndCatchUp } from '../../daily-run/run.ts';
import { ofCompany } from '../../db/company-scope.ts';
import type { Db, Tx } from '../../db/database.ts';
import { refreshEmployeeCounts } from '../../employees/counts.ts';
import { ApiError } from '../../errors.ts';
import type { SyncTarget } from './accept.ts';
import { noCounts, outcomeOf } from './apply.ts';
import { loadKnownEmployees } from './load.ts';
import { planRemovals } from './plan.ts';
import { writeSlice } from './write.ts';

interface HeldSync {
  id: number;
  held_count: number;
  failed_count: number;
}

/** A decision on the removals of a sync that are pending approval. */
export interface HeldDecision {
  syncId: string;
  decision: 'approved' | 'rejected';
  /** Absent: the operator at the command line. `name` is the display name. */
  by?: { actor: Actor; name: string };
  /** The number of removals that the decider expects to decide on. */
  confirmed?: number;
}

const byOperator = { actor: operator, name: 'operator' };

async function lockHeld(
  tx: Tx,
  { companyId, hrIntegrationId }: SyncTarget,
  syncId: string,
): Promise<HeldSync | undefined> {
  const { rows } = await sql<HeldSync>`
    select s.id, s.held_count, s.failed_count from syncs s where ${ofCompany(companyId, 's')} and s.hr_integration_id = ${hrIntegrationId}
      and s.sync_id = ${syncId} and s.held_state = 'pending' for update`.execute(tx);
  return rows[0];
}

/**
 * Records who decided, and when. Nothing of the sync is pending any more. Unless entries failed, the sync has
 * succeeded, and so has the integration if this is its last sync, whether the removals were approved or rejected
 * (docs/decisions/0019-identity-and-decisions.md).
 */
async function settle(tx: Tx, target: SyncTarget, sync: HeldSync, held: HeldDecision, now: Temporal.Instant) {
  const { companyId, hrIntegrationId } = target;
  const { actor, name } = held.by ?? byOperator;
  const user = actor.type === 'user' ? actor.name : null;
  const state = outcomeOf({ ...noCounts(), failed: sync.failed_count });
  await sql`
    update syncs s set held_state = ${held.decision}, state = ${state}, decided_by = ${name},
      decided_by_user = ${user}, decided_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 's')} and s.id = ${sync.id}`.execute(tx);
  await sql`
    update hr_integrations i set last_sync_status = ${state}, updated_at = ${now.toString()}::timestamptz
    where ${ofCompany(companyId, 'i')} and i.id = ${hrIntegrationId} and i.last_sync_id = ${held.syncId}`.execute(tx);
}

/**
 * Offboards the employees whose removal was pending approval, if this integration still links them and they are not
 * leaving. Returns how many were processed.
 */
async function offboardHeld(
  tx: Tx,
  { clock, queue }: DailyRunDeps,
  { company, today }: LockedCompany,
  target: SyncTarget,
  sync: HeldSync,
  actor: Actor,
): Promise<number> {
  const held = await tx
    .selectFrom('sync_records as r')
    .select('r.employee_id')
    .where(ofCompany(target.companyId, 'r'))
    .where('r.sync_key', '=', sync.id)
    .where('r.outcome', '=', 'held')
    .execute();
  const ids = new Set(held.map((row) => row.employee_id));
  const known = (await loadKnownEmployees(tx, target, today)).filter(
    (employee) => ids.has(employee.id) && employee.hrId !== null && !employee.isRemoved && !employee.isLeaving,
  );
  const context = { db: tx, target, company, today, missedDays: [] };
  const slice = await planRemovals(context, known, false);
  await sql`delete from sync_records r where ${ofCompany(target.companyId, 'r')} and r.sync_key = ${sync.id}
    and r.outcome = 'held'`.execute(tx);
  const now = clock.now();
  const changeContext = { actor, syncKey: sync.id, now, removedAt: now };
  const documents = await writeSlice(tx, { target, company, syncKey: sync.id, changeContext }, slice);
  if (documents > 0) await queue.enqueueDocuments(tx, company.id, null);
  const offboarded = slice.records.filter(({ outcome }) => outcome === 'offboarded').length;
  await sql`update syncs s set held_count = 0, offboarded_count = s.offboarded_count + ${offboarded},
    updated_count = s.updated_count + ${slice.records.length - offboarded}
    where ${ofCompany(target.companyId, 's')} and s.id = ${sync.id}`.execute(tx);
  await refreshEmployeeCounts(tx, target.companyId);
  return slice.records.length;
}

/**
 * Throws if the confirmed number differs from the number of removals, so that a mass removal cannot be decided by
 * accident.
 */
function assertConfirmed({ held_count: removals }: HeldSync, confirmed: number): void {
  if (confirmed === removals) return;
  const detail = `This sync holds ${removals} removals, but ${confirmed} were confirmed.`;
  throw new ApiError('confirmation-mismatch', detail);
}

/**
 * Applies a decision on removals that are pending approval. Returns undefined if none are pending under this syncId, or
 * if a newer sync has replaced them. Repeated or concurrent calls take effect once.
 */
export async function decidePendingRemovals(
  db: Db,
  deps: DailyRunDeps,
  target: SyncTarget,
  held: HeldDecision,
): Promise<{ removals: number } | undefined> {
  const { syncId, confirmed } = held;
  const { actor } = held.by ?? byOperator;
  return db.transaction().execute(async (tx) => {
    const present = await lockAndCatchUp(tx, deps, target.companyId);
    const sync = await lockHeld(tx, target, syncId);
    if (sync === undefined) return undefined;
    if (confirmed !== undefined) assertConfirmed(sync, confirmed);
    const now = deps.clock.now();
    await settle(tx, target, sync, held, now);
    const isApproved = held.decision === 'approved';
    const removals = isApproved ? await offboardHeld(tx, deps, present, target, sync, actor) : sync.held_count;
    await insertAudit(tx, target.companyId, {
      actor,
      action: isApproved ? 'sync.approve-removals' : 'sync.reject-removals',
      target: `${target.hrIntegrationId}/${syncId}`,
      detail: { removals },
      at: now,
    });
    return { removals };
  });
}
