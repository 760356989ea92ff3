import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { ofCompany } from '../../src/db/company-scope.ts';
import type { Db } from '../../src/db/database.ts';
import type { PushingCompany } from './company.ts';

/** What is known about a company that rosters were pushed to. */
export type PushedCompany = Pick<PushingCompany, 'companyId' | 'integrationId' | 'model' | 'expected'>;

async function verifySyncs(db: Db, { companyId, integrationId, expected }: PushedCompany): Promise<void> {
  const { rows: syncs } = await sql<{ sync_id: string; state: string; reason: string | null; counts: object }>`
    select s.sync_id, s.state, s.reason, json_build_object('created', s.created_count, 'updated', s.updated_count,
      'unchanged', s.unchanged_count, 'offboarded', s.offboarded_count) as counts
    from syncs s where ${ofCompany(companyId, 's')} order by s.id`.execute(db);
  assert.deepEqual(
    syncs.map(({ sync_id }) => sync_id),
    [...expected.keys()],
    'every accepted sync is there, and no other',
  );
  for (const { sync_id, state, reason, counts } of syncs) {
    assert.equal(state, 'succeeded', `${sync_id} ended as ${state}: ${reason}`);
    assert.deepEqual(counts, expected.get(sync_id), `what ${sync_id} did`);
  }
  const { rows: applied } = await sql<{ target: string }>`
    select a.target from audit_log a where ${ofCompany(companyId, 'a')} and a.action = 'sync.apply'
    order by a.id`.execute(db);
  assert.deepEqual(
    applied.map(({ target }) => target),
    [...expected.keys()].map((syncId) => `${integrationId}/${syncId}`),
    'each applied once, in the order accepted',
  );
  const { rows: leftovers } = await sql`select 1 from sync_rosters r where ${ofCompany(companyId, 'r')}`.execute(db);
  assert.equal(leftovers.length, 0, 'no roster is left over');
}

async function verifyRecords(db: Db, { companyId, expected }: PushedCompany): Promise<void> {
  const { rows } = await sql<{ sync_id: string; records: number }>`
    select s.sync_id, count(r.id) as records from syncs s
    left join sync_records r on ${ofCompany(companyId, 'r')} and r.sync_key = s.id
    where ${ofCompany(companyId, 's')} group by s.sync_id`.execute(db);
  for (const { sync_id, records } of rows) {
    const counts = expected.get(sync_id);
    assert.equal(records, counts && counts.created + counts.updated + counts.offboarded, `records of ${sync_id}`);
  }
}

async function verifyPeople(db: Db, { companyId, integrationId, model }: PushedCompany): Promise<void> {
  const { rows } = await sql<{ hr_id: string; person: string; is_visible: boolean }>`
    select l.hr_id, concat_ws('|', e.first_name, e.last_name, e.email, e.subscription_status) as person,
      e.removed_at is null as is_visible
    from employees e left join hr_links l on ${ofCompany(companyId, 'l')} and l.employee_id = e.id
      and l.hr_integration_id = ${integrationId}
    where ${ofCompany(companyId, 'e')}`.execute(db);
  assert.equal(rows.length, model.people.size, 'everybody who ever was in a roster, once');
  const visible = new Map(rows.filter((row) => row.is_visible).map(({ hr_id, person }) => [hr_id, person]));
  const wanted = [...model.people.values()].filter(({ isVisible }) => isVisible);
  assert.equal(visible.size, wanted.length, 'visible employees');
  for (const { entry } of wanted) {
    const status = entry.autoSyncEmployee ? 'scheduled' : 'no-subscription';
    const person = [entry.firstName, entry.lastName, entry.email, status].join('|');
    assert.equal(visible.get(entry.hrId), person, entry.hrId);
  }
}

async function verifyTotals(db: Db, { companyId, integrationId, model }: PushedCompany): Promise<void> {
  const kept = await sql`
    select c.subscription_status, c.plan_type, c.employees from employee_counts c
    where ${ofCompany(companyId, 'c')} order by 1, 2`.execute(db);
  const counted = await sql`
    select e.subscription_status, e.plan_type, count(*) as employees from employees e
    where ${ofCompany(companyId, 'e')} and e.removed_at is null group by 1, 2 order by 1, 2`.execute(db);
  assert.deepEqual(kept.rows, counted.rows, 'employee_counts');
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

/** Verifies that everything accepted was applied, once and in order. */
export async function verifyPushes(db: Db, company: PushedCompany): Promise<void> {
  await verifySyncs(db, company);
  await verifyRecords(db, company);
  await verifyTotals(db, company);
}

/** Verifies that everything accepted was applied, and nothing else. */
export async function verifyCompany(db: Db, company: PushedCompany): Promise<void> {
  await verifyPushes(db, company);
  await verifyPeople(db, company);
}
