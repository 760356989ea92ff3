import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { verifyEmployeeCounts } from '../../harness/subscribers.ts';
import { readEntries } from '../../src/features/roster/roster-parts.ts';
import { formatEntry, type RosterEntry } from '../../src/features/roster/rules/entry.ts';
import { type CompanyId, ofCompany } from '../../src/platform/db/company-scope.ts';
import type { Db } from '../../src/platform/db/database.ts';
import { holdsWithin } from '../../test/support/until.ts';
import { type ModelCounts, RosterModel, type RosterPusher } from './roster-pusher.ts';

/** Compares files with documents: `intact` match their hash, `missing` do not, `unknown` belong to none. */
export async function compareFiles(db: Db, folder: string) {
  const { rows } = await sql<{ key: string; sha256: string; size: number }>`
    select d.store_key as key, encode(d.sha256, 'hex') as sha256, d.size_bytes as size
    from documents d where d.store_key is not null`.execute(db);
  const missing: string[] = [];
  for (const { key, sha256, size } of rows) {
    const bytes = await readFile(join(folder, key)).catch(() => undefined);
    const isIntact = bytes?.length === size && createHash('sha256').update(bytes).digest('hex') === sha256;
    if (!isIntact) missing.push(key);
  }
  const known = new Set(rows.map(({ key }) => join(folder, key)));
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const unknown = entries.filter((entry) => entry.isFile() && !known.has(join(entry.parentPath, entry.name)));
  return { intact: rows.length - missing.length, missing, unknown: unknown.length };
}

export interface ExpectedCompany {
  companyId: CompanyId;
  integrationId: number;
  model: RosterModel;
  results: Map<string, ModelCounts>;
}

export function expectAfter({ company, sent }: RosterPusher, syncIds: Iterable<string>): ExpectedCompany {
  const model = new RosterModel();
  const results = new Map<string, ModelCounts>();
  for (const syncId of syncIds) results.set(syncId, model.apply(syncId, sent.get(syncId) ?? []));
  return { companyId: company.companyId, integrationId: company.integrationId, model, results };
}

async function listSyncs(db: Db, companyId: CompanyId) {
  const { rows } = await sql<{ id: number; syncId: string; entries: number }>`
    select s.id, s.sync_id as "syncId", s.entry_count as entries from syncs s where ${ofCompany(companyId, 's')}
    order by s.id`.execute(db);
  return rows;
}

export const listSyncIds = async (db: Db, companyId: CompanyId): Promise<string[]> =>
  (await listSyncs(db, companyId)).map(({ syncId }) => syncId);

interface StorageFaults {
  /** Acknowledged with 204, but missing or read back with a different number of entries. */
  lost: string[];
  partial: string[];
  unmatchedJobs: number;
}

async function isStoredWhole(db: Db, { company, sent }: RosterPusher, syncKey: number, syncId: string) {
  const { rows } = await sql<{ content: Buffer }>`
    select r.content from sync_rosters r where ${ofCompany(company.companyId, 'r')} and r.sync_key = ${syncKey}
    order by r.part`.execute(db);
  const stored: string[] = [];
  for await (const entries of readEntries(rows.map(({ content }) => content))) stored.push(...entries.map(formatEntry));
  const expected = sent.get(syncId)?.map((entry: RosterEntry) => formatEntry(entry)) ?? [];
  return stored.length === expected.length && stored.every((entry, index) => entry === expected[index]);
}

/** Compares the stored rosters with what was sent and acknowledged. Call it before any worker has processed them. */
export async function checkStored(db: Db, pusher: RosterPusher): Promise<StorageFaults> {
  const { company, sent, acknowledged } = pusher;
  const syncs = await listSyncs(db, company.companyId);
  const [partial, lost]: [string[], string[]] = [[], []];
  for (const { id, syncId, entries } of syncs) {
    const isWhole = entries === sent.get(syncId)?.length && (await isStoredWhole(db, pusher, id, syncId));
    if (!isWhole) partial.push(syncId);
  }
  for (const syncId of acknowledged) {
    if ((await pusher.read(syncId))?.entries !== sent.get(syncId)?.length) lost.push(syncId);
  }
  const { rows } = await sql<{ jobs: number }>`
    select count(*) as jobs from queue.job
    where name = 'apply-syncs' and (data->>'companyId')::bigint = ${company.companyId}`.execute(db);
  return { lost, partial, unmatchedJobs: Math.abs((rows[0]?.jobs ?? 0) - syncs.length) };
}

export const untilApplied = (db: Db, millis: number, hasEnded = () => false): Promise<boolean> =>
  holdsWithin(millis, async () => {
    const { rows } = await sql`select 1 from syncs where state in ('accepted', 'processing') limit 1`.execute(db);
    return rows.length === 0 || hasEnded();
  });

async function verifySyncs(db: Db, { companyId, integrationId, results }: ExpectedCompany): Promise<void> {
  type Sync = { sync_id: string; state: string; reason: string | null; counts: ModelCounts; records: number };
  const { rows: syncs } = await sql<Sync>`
    select s.sync_id, s.state, s.reason, json_build_object('created', s.created_count, 'updated', s.updated_count,
      'unchanged', s.unchanged_count, 'offboarded', s.offboarded_count) as counts,
      (select count(*) from sync_records r where ${ofCompany(companyId, 'r')} and r.sync_key = s.id) as records
    from syncs s where ${ofCompany(companyId, 's')} order by s.id`.execute(db);
  const syncIds = syncs.map(({ sync_id }) => sync_id);
  assert.deepEqual(syncIds, [...results.keys()], 'every accepted sync exists, and no other');
  for (const { sync_id, state, reason, counts, records } of syncs) {
    assert.equal(state, 'succeeded', `${sync_id} ended as ${state}: ${reason}`);
    assert.deepEqual(counts, results.get(sync_id), `counts of ${sync_id}`);
    assert.equal(records, counts.created + counts.updated + counts.offboarded, `records of ${sync_id}`);
  }
  const { rows: applied } = await sql`
    select a.target from audit_log a where ${ofCompany(companyId, 'a')} and a.action = 'sync.apply'
    order by a.id`.execute(db);
  const expected = syncIds.map((syncId) => ({ target: `${integrationId}/${syncId}` }));
  assert.deepEqual(applied, expected, 'each applied once, in order');
  const { rows: leftovers } = await sql`select 1 from sync_rosters r where ${ofCompany(companyId, 'r')}`.execute(db);
  assert.equal(leftovers.length, 0, 'no stored roster is left');
}

async function verifyEmployees(db: Db, { companyId, integrationId, model }: ExpectedCompany): Promise<void> {
  const { rows } = await sql<{ hr_id: string; employee: string; is_visible: boolean }>`
    select l.hr_id, concat_ws('|', e.first_name, e.last_name, e.email, e.subscription_status) as employee,
      e.removed_at is null as is_visible
    from employees e left join hr_links l on ${ofCompany(companyId, 'l')} and l.employee_id = e.id
      and l.hr_integration_id = ${integrationId}
    where ${ofCompany(companyId, 'e')}`.execute(db);
  assert.equal(rows.length, model.employees.size, 'every employee of any roster, once');
  const visible = new Map(rows.filter((row) => row.is_visible).map(({ hr_id, employee }) => [hr_id, employee]));
  const expected = [...model.employees.values()].filter(({ isVisible }) => isVisible);
  assert.equal(visible.size, expected.length, 'visible employees');
  for (const { entry } of expected) {
    const status = entry.autoSyncEmployee ? 'scheduled' : 'no-subscription';
    assert.equal(visible.get(entry.hrId), [entry.firstName, entry.lastName, entry.email, status].join('|'), entry.hrId);
  }
}

async function verifyTotals(db: Db, { companyId, integrationId, model }: ExpectedCompany): Promise<void> {
  await verifyEmployeeCounts(db, companyId);
  const integration = await db
    .selectFrom('hr_integrations as i')
    .select(['i.last_sync_id', 'i.last_sync_status', 'i.roster_sync_id', 'i.initial_connection_status'])
    .where(ofCompany(companyId, 'i'))
    .where('i.id', '=', integrationId)
    .executeTakeFirst();
  assert.deepEqual(integration, {
    last_sync_id: model.lastSyncId,
    last_sync_status: 'succeeded',
    roster_sync_id: model.lastSyncId,
    initial_connection_status: 'completed',
  });
}

export async function verifyPushes(db: Db, company: ExpectedCompany): Promise<void> {
  await verifySyncs(db, company);
  await verifyTotals(db, company);
}

/** Returns why companies differ from what their rosters say. Without `appliedTo`, all stored syncs must be applied. */
export async function findWrongCompanies(
  db: Db,
  pushers: RosterPusher[],
  appliedTo?: (pusher: RosterPusher) => Iterable<string>,
): Promise<string[]> {
  // New tables have no statistics, and without them the joins take minutes.
  await sql`analyze`.execute(db);
  const wrong: string[] = [];
  for (const pusher of pushers) {
    const company = expectAfter(pusher, appliedTo?.(pusher) ?? (await listSyncIds(db, pusher.company.companyId)));
    await verifyPushes(db, company)
      .then(() => verifyEmployees(db, company))
      .catch((error) => wrong.push(`company ${company.companyId}: ${error.message}`));
  }
  return wrong;
}
