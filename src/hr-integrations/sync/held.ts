import { sql } from 'kysely';
import { type Actor, insertAudit, operator } from '../../audit.ts';
import { ofCompany } from '../../db/company-scope.ts';
import type { Db, Tx } from '../../db/database.ts';
import { refreshEmployeeCounts } from '../../employees/counts.ts';
import { ApiError } from '../../errors.ts';
import { enterToday, type Life, type Present } from '../../lifecycle/live.ts';
import type { SyncTarget } from './accept.ts';
import { loadKnown } from './load.ts';
import { planAbsentees } from './plan.ts';
import { writeSlice } from './write.ts';

interface HeldSync {
  id: number;
  held_count: number;
}

async function lockHeld(
  tx: Tx,
  { companyId, hrIntegrationId }: SyncTarget,
  syncId: string,
): Promise<HeldSync | undefined> {
  const { rows } = await sql<HeldSync>`
    select s.id, s.held_count from syncs s where ${ofCompany(companyId, 's')} and s.hr_integration_id = ${hrIntegrationId}
      and s.sync_id = ${syncId} and s.held_state = 'pending' for update`.execute(tx);
  return rows[0];
}

async function settle(
  tx: Tx,
  { companyId }: SyncTarget,
  sync: HeldSync,
  decision: 'approved' | 'rejected',
): Promise<void> {
  await sql`update syncs s set held_state = ${decision} where ${ofCompany(companyId, 's')} and s.id = ${sync.id}`.execute(
    tx,
  );
}

/** Whose removal was held, and who is still as he was: linked by this integration and not leaving. */
async function offboardHeld(
  tx: Tx,
  { clock, queue }: Life,
  { company, today }: Present,
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
  const known = (await loadKnown(tx, target, today)).filter(
    (person) => ids.has(person.id) && person.hrId !== null && !person.isRemoved && !person.isLeaving,
  );
  const context = { db: tx, target, company, today };
  const slice = await planAbsentees(context, known, false);
  await sql`delete from sync_records r where ${ofCompany(target.companyId, 'r')} and r.sync_key = ${sync.id}
    and r.outcome = 'held'`.execute(tx);
  const now = clock.now();
  const occasion = { actor, syncKey: sync.id, now, goneAt: now };
  const papers = await writeSlice(tx, { target, company, syncKey: sync.id, occasion }, slice);
  if (papers > 0) await queue.enqueueDocuments(tx, company.id, null);
  const offboarded = slice.records.filter(({ outcome }) => outcome === 'offboarded').length;
  await sql`update syncs s set held_count = 0, offboarded_count = s.offboarded_count + ${offboarded},
    updated_count = s.updated_count + ${slice.records.length - offboarded}
    where ${ofCompany(target.companyId, 's')} and s.id = ${sync.id}`.execute(tx);
  await refreshEmployeeCounts(tx, target.companyId);
  return slice.records.length;
}

/** Whoever decides about many people says how many, so that nobody does it by a slip. */
function assertConfirmed({ held_count: removals }: HeldSync, confirmed: number): void {
  if (confirmed === removals) return;
  const detail = `This sync holds ${removals} removals, but ${confirmed} were confirmed.`;
  throw new ApiError('confirmation-mismatch', detail);
}

/**
 * A person's word on removals that a sync held back. Undefined: nothing is held under this syncId, or a newer sync has
 * replaced it. Doing it twice, or both at the same moment, does it once.
 */
export async function decideHeldRemovals(
  db: Db,
  life: Life,
  target: SyncTarget,
  syncId: string,
  decision: 'approved' | 'rejected',
  actor: Actor = operator,
  confirmed?: number,
): Promise<{ removals: number } | undefined> {
  return db.transaction().execute(async (tx) => {
    const present = await enterToday(tx, life, target.companyId);
    const sync = await lockHeld(tx, target, syncId);
    if (sync === undefined) return undefined;
    if (confirmed !== undefined) assertConfirmed(sync, confirmed);
    await settle(tx, target, sync, decision);
    const isApproved = decision === 'approved';
    const removals = isApproved ? await offboardHeld(tx, life, present, target, sync, actor) : sync.held_count;
    await insertAudit(tx, target.companyId, {
      actor,
      action: isApproved ? 'sync.approve-removals' : 'sync.reject-removals',
      target: `${target.hrIntegrationId}/${syncId}`,
      detail: { removals },
      at: life.clock.now(),
    });
    return { removals };
  });
}
