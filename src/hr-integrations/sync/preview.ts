import { type Static, Type } from 'typebox';
import { type Clock, todayIn } from '../../clock.ts';
import { getCompany } from '../../companies.ts';
import type { Db } from '../../db/database.ts';
import { Named, Reference, Words } from '../../http/schemas.ts';
import type { SyncTarget } from './accept.ts';
import { addCounts, noCounts, outcomeOf } from './apply.ts';
import { planSync } from './plan.ts';
import { type Roster, readEntries } from './read-roster.ts';
import { SyncRecordSchema, SyncSchema, syncExample, syncRecordExample } from './schema.ts';
import { reasonsOf } from './write.ts';

export const SyncPreviewSchema = Named(
  'SyncPreview',
  Type.Object(
    {
      records: Type.Array(Reference(SyncRecordSchema), {
        description: 'One for every entry that is not unchanged and for everybody absent; the absent first.',
      }),
      syncId: Type.String(),
      state: Words(['succeeded', 'partially-failed'], { description: 'The outcome that the sync would have.' }),
      entries: Type.Integer(),
      counts: SyncSchema.properties.counts,
      resource: Words(['sync-preview']),
    },
    { additionalProperties: false },
  ),
);

export const previewExample: Static<typeof SyncPreviewSchema> = {
  records: [syncRecordExample],
  syncId: syncExample.syncId,
  state: 'succeeded',
  entries: 1204,
  counts: { created: 0, updated: 1, unchanged: 1203, offboarded: 0, held: 0, failed: 0 },
  resource: 'sync-preview',
};

interface Context {
  db: Db;
  clock: Clock;
  target: SyncTarget;
}

/**
 * The plan of a sync, told instead of written, from one snapshot. Its JSON is written as it is planned, so that a large
 * preview is never held as a whole.
 */
export async function* previewSync({ db, clock, target }: Context, roster: Roster): AsyncGenerator<string> {
  const company = await getCompany(db, target.companyId);
  const snapshot = await db
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  try {
    const plan = await planSync({ db: snapshot, target, company, today: todayIn(clock, company.timeZone) }, () =>
      readEntries(roster.parts),
    );
    const counts = noCounts();
    yield '{"data":{"records":[';
    let separator = '';
    for await (const slice of plan.slices) {
      addCounts(counts, slice);
      for (const record of slice.records) {
        const { hrId, employeeId, outcome, code, detail } = record;
        const changes = record.plan?.changes ?? [];
        const told = {
          hrId,
          employeeId,
          outcome,
          code,
          detail,
          changes,
          reasons: reasonsOf(record),
          resource: 'sync-record',
        };
        yield separator + JSON.stringify(told);
        separator = ',';
      }
    }
    const rest = {
      syncId: roster.syncId,
      state: outcomeOf(counts),
      entries: roster.entryCount,
      counts,
      resource: 'sync-preview',
    };
    yield `],${JSON.stringify(rest).slice(1)}}`;
  } finally {
    await snapshot.rollback().execute();
  }
}
