import { sql } from 'kysely';
import type { RecordOutcome, SyncOutcome } from '../../domain/enums.ts';
import type { CompanyId } from '../../platform/db/company-scope.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { PlannedSlice } from './plan.ts';

/** How many roster entries and absent employees had each outcome. */
export type Counts = Record<RecordOutcome | 'unchanged', number>;

export const emptyCounts = (): Counts => ({ created: 0, updated: 0, unchanged: 0, offboarded: 0, held: 0, failed: 0 });

export function addCounts(counts: Counts, { records, unchanged, reworded }: PlannedSlice): void {
  counts.unchanged += unchanged.length + reworded.length;
  for (const { outcome } of records) counts[outcome] += 1;
}

/** Returns how many entries of the roster are counted. Absent employees are none. */
export const countEntries = ({ created, updated, unchanged, failed }: Counts) => created + updated + unchanged + failed;

/** Returns the outcome of a sync. A removal that is pending approval counts like an entry that failed. */
export const outcomeOf = (counts: Counts): SyncOutcome =>
  counts.failed + counts.held > 0 ? 'partially-failed' : 'succeeded';

/**
 * A roster is applied in one transaction, of which nobody sees anything before it commits. The name of its connection is
 * the exception: others see it at once, and it ends with the transaction. So it says how far the sync is.
 */

const nameOf = (companyId: CompanyId, syncKey: number) => `transit sync ${companyId}/${syncKey}`;

/** Publishes how many entries of the roster were planned and written. */
export async function publishProgress(
  tx: Tx,
  { companyId, syncKey }: { companyId: CompanyId; syncKey: number },
  counts: Counts,
): Promise<void> {
  const name = `${nameOf(companyId, syncKey)} ${countEntries(counts)}`;
  await sql`select set_config('application_name', ${name}, true)`.execute(tx);
}

/** Returns how many entries were written. Undefined: the sync is not being applied, or has not written any yet. */
export async function findProgress(db: Db, companyId: CompanyId, syncKey: number): Promise<number | undefined> {
  const { rows } = await sql<{ name: string }>`
    select a.application_name as name from pg_stat_activity a
    where a.datname = current_database() and starts_with(a.application_name, ${`${nameOf(companyId, syncKey)} `})`.execute(
    db,
  );
  const written = Number(rows[0]?.name.split(' ').at(-1));
  return Number.isInteger(written) ? written : undefined;
}
