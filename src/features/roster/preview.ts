import { sql } from 'kysely';
import type { Static } from 'typebox';
import { listDays } from '../../domain/calendar.ts';
import { type Clock, todayIn } from '../../platform/clock/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { exampleLinks, type Links } from '../../platform/http/links.ts';
import { loadEffectPrices } from '../billing/prices.ts';
import { createEffectSum, noEffects } from '../billing/rules/effects.ts';
import { getCompany, type Integration } from '../companies/companies.ts';
import {
  type ExplainedRecord,
  type SyncPreviewSchema,
  type SyncRecord,
  syncExample,
  syncRecordExample,
} from './contract.ts';
import { addCounts, addNews, countEntries, effectsOf, emptyCounts, outcomeOf, presentFees } from './counts.ts';
import type { RecordReason } from './explanations.ts';
import { type PlannedRecord, type PlannedSlice, planSync } from './plan.ts';
import { presentWarnings, withoutMessages } from './present.ts';
import type { Roster } from './read-roster.ts';
import type { RosterPart } from './roster-parts.ts';
import { describeRecord } from './write.ts';

export const previewExample: Static<typeof SyncPreviewSchema> = {
  records: [
    {
      ...syncRecordExample,
      _links: { employee: exampleLinks.employee(1) },
    },
  ],
  syncId: syncExample.syncId,
  state: 'succeeded',
  entries: 1204,
  counts: { created: 0, updated: 1, unchanged: 1203, offboarded: 0, held: 0, failed: 0 },
  reactivated: 0,
  newFees: null,
  warnings: syncExample.warnings,
  resource: 'sync-preview',
  _links: { hrIntegration: syncExample._links.hrIntegration },
};

interface Context {
  /** Uses a separate connection pool: a client that reads a large preview slowly occupies one connection. */
  db: Db;
  clock: Clock;
  target: Integration;
  onPlanned?: ((entries: number) => void) | undefined;
}

/** What somebody should know before they start a sync. Complete after the last slice. */
const startSummary = () => ({
  counts: emptyCounts(),
  reactivated: 0,
  linked: 0,
  newFees: null as ReturnType<typeof presentFees>,
  effects: noEffects,
});

const partsOf = ({ parts, keys }: Roster): RosterPart[] =>
  parts.map((content, part) => ({ readContent: async () => content, keys: keys[part] ?? null }));

/** Plans a sync from one snapshot, slice by slice, as if the daily run had processed every day up to today. */
async function* planSlices(
  { db, clock, target }: Context,
  roster: Roster,
  summary: ReturnType<typeof startSummary>,
): AsyncGenerator<PlannedSlice> {
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    // Planning new employees may run no statement for longer than the default idle timeout of a transaction.
    await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(snapshot);
    const company = await getCompany(snapshot, target.companyId);
    const today = todayIn(clock, company.timeZone);
    const missedDays = listDays(company.processedThrough.add({ days: 1 }), today);
    const context = { db: snapshot, target, company, today, missedDays, leftOut: roster.leftOut };
    const plan = await planSync(context, partsOf(roster));
    const prices = await loadEffectPrices(snapshot, company.id, { today, ...target });
    const sum = createEffectSum(prices);
    for await (const slice of plan.slices) {
      addCounts(summary.counts, slice);
      addNews(summary, slice);
      sum.add(effectsOf(slice.records));
      yield slice;
    }
    summary.effects = sum.total();
    summary.newFees = presentFees(company, summary.linked, prices);
  } finally {
    await snapshot.rollback().execute();
  }
}

const presentSummary = (
  { entryCount, warnings }: Roster,
  { linked: _, ...summary }: ReturnType<typeof startSummary>,
) => ({
  state: outcomeOf(summary.counts),
  entries: entryCount,
  ...summary,
  warnings: presentWarnings(warnings),
});

/** Streams what a sync would do as JSON while it is planned, because a large preview does not fit into memory. */
export async function* previewSync(context: Context, roster: Roster, links: Links): AsyncGenerator<string> {
  const opening = '{"data":{"records":[';
  let separator = opening;
  const summary = startSummary();
  for await (const slice of planSlices(context, roster, summary)) {
    if (slice.records.length === 0) continue;
    const records = slice.records.map((record): SyncRecord => {
      const _links = record.employeeId === null ? {} : { employee: links.employee(record.employeeId) };
      return { ...withoutMessages(describeRecord(record)), _links };
    });
    yield separator + JSON.stringify(records).slice(1, -1);
    separator = ',';
  }
  const { effects: _, ...shown } = presentSummary(roster, summary);
  const rest = {
    syncId: roster.syncId,
    ...shown,
    resource: 'sync-preview',
    _links: { hrIntegration: links.hrIntegration(context.target.hrIntegrationId) },
  };
  yield `${separator === opening ? opening : ''}],${JSON.stringify(rest).slice(1)}}`;
}

/** What nobody expects of a roster: employees who leave by it, or return. */
const isNotable = ({ outcome, code }: PlannedRecord) => outcome === 'offboarded' || code === 'returned';

/**
 * Returns the same preview with only some records: first the employees who return and leave. Removals that would need
 * approval come last, because nothing happens to them at first. The counts cover all records.
 */
export async function summarizeSync(
  context: Context,
  roster: Roster,
  maxRecords: number,
  explain?: (record: PlannedRecord) => RecordReason[],
) {
  const notable: ExplainedRecord[] = [];
  const others: ExplainedRecord[] = [];
  const pending: ExplainedRecord[] = [];
  const summary = startSummary();
  for await (const slice of planSlices(context, roster, summary)) {
    context.onPlanned?.(countEntries(summary.counts));
    for (const record of slice.records) {
      const list = record.outcome === 'held' ? pending : isNotable(record) ? notable : others;
      if (list.length < maxRecords) list.push(describeRecord(record, explain));
    }
  }
  const records = [...notable, ...others, ...pending].slice(0, maxRecords);
  return { ...presentSummary(roster, summary), records };
}
