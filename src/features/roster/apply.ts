import { sql } from 'kysely';
import type { SyncOutcome } from '../../domain/enums.ts';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Integration } from '../companies/companies.ts';
import { type DailyRunDeps, lockAndCatchUp, type ProcessedDay } from '../daily-run/run.ts';
import { refreshEmployeeCounts } from '../employees/counts.ts';
import { pusherOf } from './accept.ts';
import { addCounts, type Counts, emptyCounts, publishProgress } from './counts.ts';
import { explainRecord, loadExplanations } from './explanations.ts';
import { recordOutcome } from './outcome.ts';
import { type PlannedRecord, planSync } from './plan.ts';
import { loadRoster, type WaitingSync } from './store.ts';
import { deleteLinks, writeSlice } from './write.ts';

/** Marks links that are missing from this roster. They keep the time they were last seen. */
async function markAbsentLinks(tx: Tx, { companyId, hrIntegrationId }: Integration, linkIds: number[]): Promise<void> {
  if (linkIds.length === 0) return;
  await sql`
    update hr_links l set is_current = false, last_sync_id = i.roster_sync_id, last_synced_at = i.roster_synced_at
    from hr_integrations i where ${ofCompany(companyId, 'l')} and ${ofCompany(companyId, 'i')}
      and i.id = ${hrIntegrationId} and l.id = any(${linkIds}) and l.is_current`.execute(tx);
}

/** Replaces email keys by placeholders: two employees may swap addresses, which no order of updates allows. */
async function releaseEmails(tx: Tx, { companyId }: Integration, employeeIds: number[]): Promise<void> {
  if (employeeIds.length === 0) return;
  await sql`update employees e set email_key = 'moving ' || e.id where ${ofCompany(companyId, 'e')}
    and e.id = any(${employeeIds})`.execute(tx);
}

interface SyncToApply {
  target: Integration;
  sync: WaitingSync;
  /** Stops between two slices. The caller's transaction is then rolled back. */
  signal?: AbortSignal;
}

export interface AppliedSync {
  outcome: SyncOutcome;
  counts: Counts;
  /** Days that the daily run had missed, and that were processed first. */
  missedDays: ProcessedDay[];
}

/** Applies the whole roster of a sync, or nothing of it, and records the outcome. */
export async function applySync(
  tx: Tx,
  deps: DailyRunDeps,
  { target, sync, signal }: SyncToApply,
): Promise<AppliedSync> {
  const { companyId, hrIntegrationId } = target;
  const { syncKey } = sync;
  const { company, today, missedDays } = await lockAndCatchUp(tx, deps, companyId);
  const context = { db: tx, target, company, today, missedDays: [], leftOut: sync.leftOut ?? undefined };
  const plan = await planSync(context, await loadRoster(tx, companyId, syncKey));
  await markAbsentLinks(tx, target, plan.absentLinkIds);
  await deleteLinks(tx, companyId, plan.releasedLinkIds);
  await releaseEmails(tx, target, plan.movingIds);
  const now = deps.clock.now();
  const explanations = await loadExplanations(tx, target, sync.syncId);
  const explain = (record: PlannedRecord) => explainRecord(record, explanations, today);
  const changeContext = { actor: pusherOf(sync), syncKey, hrIntegrationId, now, removedAt: now };
  const counts = emptyCounts();
  let documents = 0;
  for await (const slice of plan.slices) {
    signal?.throwIfAborted();
    documents += await writeSlice(tx, { target, company, syncKey, changeContext, explain }, slice);
    addCounts(counts, slice);
    await publishProgress(tx, { companyId, syncKey }, counts);
  }
  if (counts.created + counts.updated + counts.offboarded > 0) await refreshEmployeeCounts(tx, companyId);
  if (documents > 0) await deps.queue.enqueueDocuments(tx, companyId, null);
  const outcome = await recordOutcome(tx, { notices: deps.notices, target, sync, counts, now: deps.clock.now() });
  return { outcome, counts, missedDays };
}
