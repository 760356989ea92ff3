import type { RecordOutcome, SyncOutcome } from '../../domain/enums.ts';
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
