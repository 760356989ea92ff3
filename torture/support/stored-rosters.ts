import { sql } from 'kysely';
import type { WorkerProcess } from '../../harness/processes.ts';
import { usernameOf } from '../../src/auth/credentials.ts';
import { ofCompany } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import { formatEntry, type RosterEntry } from '../../src/domain/roster/entry.ts';
import { readEntries } from '../../src/hr-integrations/sync/roster-parts.ts';
import { holdsWithin } from '../../test/support/until.ts';
import type { OutageLoad } from './outage-load.ts';
import type { RosterClient } from './roster-client.ts';
import { type ModelCounts, RosterModel } from './roster-model.ts';
import type { PushedCompany } from './verify.ts';

interface StoredFaults {
  /** Acknowledged with 204, but missing or read back with a different number of entries. */
  lost: string[];
  /** Stored differently than sent. */
  partial: string[];
  /** The difference between the number of jobs and the number of syncs. */
  unmatchedJobs: number;
}

async function listSyncIds(db: Db, { companyId }: Pick<RosterClient, 'companyId'>) {
  const { rows } = await sql<{ id: number; sync_id: string; entries: number }>`
    select s.id, s.sync_id, s.entry_count as entries from syncs s where ${ofCompany(companyId, 's')}
    order by s.id`.execute(db);
  return rows;
}

async function isStoredWhole(db: Db, { companyId, sent }: RosterClient, syncKey: number, syncId: string) {
  const { rows } = await sql<{ content: Buffer }>`
    select r.content from sync_rosters r where ${ofCompany(companyId, 'r')} and r.sync_key = ${syncKey}
    order by r.part`.execute(db);
  const stored: RosterEntry[] = [];
  for await (const entries of readEntries(rows.map(({ content }) => content))) stored.push(...entries);
  const wanted = sent.get(syncId) ?? [];
  return (
    stored.length === wanted.length &&
    stored.every((entry, index) => formatEntry(entry) === formatEntry(wanted[index] as RosterEntry))
  );
}

/**
 * Compares the stored rosters of a client with what it sent and what was acknowledged. Call it before any worker has
 * processed them.
 */
export async function checkStored(db: Db, client: RosterClient): Promise<StoredFaults> {
  const syncs = await listSyncIds(db, client);
  const partial: string[] = [];
  for (const { id, sync_id, entries } of syncs) {
    const isWhole = entries === client.sent.get(sync_id)?.length && (await isStoredWhole(db, client, id, sync_id));
    if (!isWhole) partial.push(sync_id);
  }
  const lost: string[] = [];
  for (const syncId of client.acknowledged) {
    if ((await client.entriesOf(syncId)) !== client.sent.get(syncId)?.length) lost.push(syncId);
  }
  const { rows } = await sql<{ jobs: number }>`
    select count(*) as jobs from queue.job
    where name = 'apply-syncs' and (data->>'companyId')::bigint = ${client.companyId}`.execute(db);
  return { lost, partial, unmatchedJobs: Math.abs((rows[0]?.jobs ?? 0) - syncs.length) };
}

/** Waits until every stored roster has its outcome or the worker has ended. Returns whether this was in time. */
export const untilApplied = (db: Db, worker: WorkerProcess, millis: number): Promise<boolean> =>
  holdsWithin(millis, async () => {
    const { rows } = await sql`select 1 from syncs where state in ('accepted', 'processing') limit 1`.execute(db);
    return rows.length === 0 || !worker.isRunning();
  });

/** Returns the expected result of the stored rosters, applied in their order. */
export async function replay(
  db: Db,
  client: Pick<RosterClient, 'companyId' | 'integrationId' | 'sent'>,
): Promise<PushedCompany> {
  const model = new RosterModel();
  const expected = new Map<string, ModelCounts>();
  for (const { sync_id: syncId } of await listSyncIds(db, client)) {
    expected.set(syncId, model.apply(syncId, client.sent.get(syncId) ?? []));
  }
  return { companyId: client.companyId, integrationId: client.integrationId, model, expected };
}

/** Returns the writes that were acknowledged under load and are missing. */
export async function findLostWrites(db: Db, load: OutageLoad): Promise<string[]> {
  const { companyId } = load.customer;
  const syncIds = new Set((await listSyncIds(db, load.customer)).map(({ sync_id }) => sync_id));
  const { rows } = await sql<{ id: string }>`select k.id from api_keys k where ${ofCompany(companyId, 'k')}`.execute(
    db,
  );
  const usernames = new Set(rows.map(({ id }) => usernameOf({ companyId, keyId: id })));
  return [...load.acknowledgedSyncs.difference(syncIds), ...load.acknowledgedKeys.difference(usernames)];
}
