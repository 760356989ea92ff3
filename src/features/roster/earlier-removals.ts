import { sql } from 'kysely';
import { ofCompany } from '../../platform/db/company-scope.ts';
import type { Tx } from '../../platform/db/database.ts';
import { type Integration, ofIntegration } from '../companies/companies.ts';
import { scimPusher } from './accept.ts';
import type { EarlierRemovals } from './rules/match.ts';
import type { WaitingSync } from './store.ts';

/** Removals by an identity provider count together for so long. */
const windowHours = 24;

/** Returns the employees whose removal waits for a decision, or was rejected while this sync was waiting. */
async function listUndecided(tx: Tx, target: Integration, { acceptedAt }: WaitingSync): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select r.employee_id as id from syncs s
    join sync_records r on ${ofCompany(target.companyId, 'r')} and r.sync_key = s.id and r.outcome = 'held'
    where ${ofIntegration(target, 's')} and r.employee_id is not null and (s.held_state = 'pending'
      or s.held_state = 'rejected' and s.decided_at >= ${acceptedAt}::timestamptz)`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Returns what the guard must know about removals by an identity provider in the last 24 hours. Those that somebody has
 * approved do not count: `held_state` says that a sync left all of its removals to a person.
 */
export async function loadEarlierRemovals(
  tx: Tx,
  target: Integration,
  sync: WaitingSync,
  now: Temporal.Instant,
): Promise<EarlierRemovals> {
  const from = now.subtract({ hours: windowHours }).toString();
  const { rows } = await sql<{ id: number; removed: number; created: number; isDecided: boolean }>`
    select s.id, s.offboarded_count as removed, s.created_count as created, s.held_state is not null as "isDecided"
    from syncs s where ${ofIntegration(target, 's')} and s.pushed_by = ${scimPusher}
      and s.finished_at > ${from}::timestamptz order by s.id`.execute(tx);
  const first = rows.findIndex(({ removed, isDecided }) => removed > 0 && !isDecided);
  const counted = first < 0 ? [] : rows.slice(first);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    removed: sum(counted.map(({ removed, isDecided }) => (isDecided ? 0 : removed))),
    linkedSince: sum(counted.map(({ created }) => created)),
    pendingIds: await listUndecided(tx, target, sync),
    holdsAll: sync.leftOut?.holdsRemovals ?? false,
  };
}
