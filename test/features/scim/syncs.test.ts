import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { decidePendingRemovals } from '../../../src/features/roster/pending-removals.ts';
import { useFixture } from '../../support/daily-run.ts';
import { aUser, connectProvider, extension, type Provider } from '../../support/scim.ts';
import { anEntry, entries, makePusher, type Pusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

describe('Changes by SCIM', () => {
  const fixture = useFixture('2026-11-15', 'without documents');

  async function provision(count: number, settings: { minimum?: number; percent?: number } = {}) {
    fixture.clock.moveTo('2026-11-15');
    const pusher = await makePusher(fixture.app);
    const { minimum = 10, percent = 20 } = settings;
    await sql`update companies set guard_minimum_linked = ${minimum}, guard_maximum_absent_percent = ${percent},
      processed_through = '2026-11-15' where id = ${pusher.companyId}`.execute(fixture.app.db);
    const idp = await connectProvider(pusher);
    const ids: string[] = [];
    for (let number = 1; number <= count; number++) ids.push(await idp.create(aUser(number)));
    if (count > 0) await idp.collect();
    return { pusher, idp, ids };
  }
  const names = async (pusher: Pusher) => (await pusher.employees()).map((one) => one.lastName).sort();
  const deactivate = (idp: Provider, id: string | undefined) =>
    idp.patch(id ?? '', { op: 'Replace', path: 'active', value: 'False' });
  const decide = (pusher: Pusher, syncId: string, decision: 'approved' | 'rejected') => {
    const target = { companyId: pusher.companyId, hrIntegrationId: pusher.integrationId };
    return decidePendingRemovals(fixture.app.serviceDb, fixture.app.deps, target, { syncId, decision });
  };

  it('become one sync with records and reasons, and reads show them before', async () => {
    const { pusher, idp, ids } = await provision(3);
    const { lastSyncId, lastSyncStatus, initialConnectionStatus } = await pusher.integration();
    assert.match(lastSyncId, /^scim-\d{4}-\d\d-\d\dT/);
    assert.deepEqual([lastSyncStatus, initialConnectionStatus], ['succeeded', 'completed']);
    assert.deepEqual(await names(pusher), ['Muster1', 'Muster2', 'Muster3']);
    await idp.patch(ids[0] ?? '', { op: 'replace', path: 'name.familyName', value: 'Neu' });
    assert.equal((await idp.request('GET', `/Users/${ids[0]}`)).body.name.familyName, 'Neu');
    assert.deepEqual(await names(pusher), ['Muster1', 'Muster2', 'Muster3']);
    await deactivate(idp, ids[1]);
    const sync = await idp.collect();
    assert.deepEqual([sync.pushedBy, sync.entries, sync.counts.updated, sync.counts.offboarded], ['scim', 2, 1, 1]);
    assert.deepEqual(await names(pusher), ['Muster3', 'Neu']);
    const records = await pusher.records(sync.syncId);
    assert.deepEqual(records.map(({ hrId, outcome }) => [hrId, outcome]).sort(), [
      ['E1', 'updated'],
      ['E2', 'offboarded'],
    ]);
  });

  it('that do not concern the roster start no sync', async () => {
    const { idp, ids } = await provision(1);
    await idp.patch(ids[0] ?? '', { op: 'replace', path: 'displayName', value: 'Someone' });
    assert.equal(await idp.collect(), undefined);
  });

  it('carry the extension into the roster, and clear what the provider removes', async () => {
    const { pusher, idp } = await provision(0);
    const id = await idp.create(
      aUser(1, extension({ terminationDate: '2026-12-31', autoSyncEmployee: true, group: 'Berlin' })),
    );
    await idp.collect();
    const before = await pusher.employee('E1');
    assert.equal(before.subscription.status, 'scheduled');
    await idp.request('PUT', `/Users/${id}`, aUser(1));
    const sync = await idp.collect();
    const [record] = await pusher.records(sync.syncId);
    assert(
      record.changes.some(
        ({ field, from }: { field: string; from: unknown }) => field === 'group' && from === 'Berlin',
      ),
    );
    assert(
      record.changes.some(
        ({ field, to }: { field: string; to: unknown }) => field === 'terminationDate' && to === null,
      ),
    );
  });

  it('remove the last employee too', async () => {
    const { pusher, idp, ids } = await provision(1);
    await idp.request('DELETE', `/Users/${ids[0]}`);
    const sync = await idp.collect();
    assert.deepEqual([sync.state, sync.entries, sync.counts.offboarded], ['succeeded', 0, 1]);
    assert.deepEqual(await names(pusher), []);
    const { rows } = await sql`select id from scim_users where company_id = ${pusher.companyId}`.execute(
      fixture.app.db,
    );
    assert.equal(rows.length, 1);
    await idp.create(aUser(1));
    await idp.collect();
    assert.deepEqual(await names(pusher), ['Muster1']);
  });

  it('follow a renumbering and a new address of the same employee', async () => {
    const { pusher, idp, ids } = await provision(2);
    const [{ id: employeeId }] = (await pusher.employees()) as [{ id: number }];
    await idp.patch(ids[0] ?? '', {
      op: 'replace',
      value: {
        userName: 'renamed@example.com',
        externalId: 'other',
        'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber': 'E77',
      },
    });
    await idp.collect();
    assert.equal((await pusher.employee('E77')).id, employeeId);
    await idp.patch(ids[0] ?? '', {
      op: 'replace',
      path: 'emails[type eq "work"].value',
      value: 'renamed@example.com',
    });
    await idp.collect();
    assert.equal((await pusher.employee('E77')).email, 'renamed@example.com');
  });

  it('are held when removals one by one exceed the percentage within 24 hours, until somebody approves', async () => {
    const { pusher, idp, ids } = await provision(20);
    const outcomes: number[][] = [];
    for (const id of ids.slice(0, 7)) {
      const { status, body } = await deactivate(idp, id);
      assert.deepEqual([status, body.active], [200, false]);
      const { counts } = await idp.collect();
      outcomes.push([counts.offboarded, counts.held]);
    }
    assert.deepEqual(outcomes, [
      [1, 0],
      [1, 0],
      [1, 0],
      [1, 0],
      [0, 1],
      [0, 2],
      [0, 3],
    ]);
    assert.equal((await names(pusher)).length, 16);
    // The next day the window is over, but what waits stays with a person.
    fixture.clock.moveTo('2026-11-17');
    await idp.patch(ids[19] ?? '', { op: 'replace', path: 'name.givenName', value: 'Eva' });
    const later = await idp.collect();
    assert.deepEqual([later.counts.updated, later.counts.held, later.state], [1, 3, 'partially-failed']);
    await decide(pusher, later.syncId, 'approved');
    assert.equal((await names(pusher)).length, 13);
    // Approved removals do not count against the next ones.
    await deactivate(idp, ids[8]);
    const after = await idp.collect();
    assert.deepEqual([after.counts.offboarded, after.counts.held], [1, 0]);
  });

  it('count new employees since the first removal as not linked at the beginning', async () => {
    const { idp, ids } = await provision(20);
    for (const id of ids.slice(0, 4)) await deactivate(idp, id);
    assert.equal((await idp.collect()).counts.offboarded, 4);
    for (let number = 100; number < 150; number++) await idp.create(aUser(number));
    await idp.collect();
    await deactivate(idp, ids[5]);
    assert.equal((await idp.collect()).counts.held, 1);
  });

  it('stay without effect after their removal was rejected, until the provider changes the user', async () => {
    const { pusher, idp, ids } = await provision(20);
    await deactivate(idp, ids[0]);
    for (const id of ids.slice(1, 6)) await idp.request('DELETE', `/Users/${id}`);
    const held = await idp.collect();
    assert.deepEqual([held.counts.offboarded, held.counts.held], [0, 6]);
    await decide(pusher, held.syncId, 'rejected');
    await idp.patch(ids[19] ?? '', { op: 'replace', path: 'name.givenName', value: 'Eva' });
    const next = await idp.collect();
    assert.deepEqual([next.counts.held, next.counts.offboarded, next.state], [0, 0, 'succeeded']);
    assert.equal((await names(pusher)).length, 20);
    fixture.clock.moveTo('2026-11-15', '13:00');
    await idp.patch(ids[0] ?? '', { op: 'replace', path: 'active', value: true });
    await idp.collect();
    await deactivate(idp, ids[0]);
    assert.equal((await idp.collect()).counts.offboarded, 1);
  });

  it('remove nobody whom the provider has never sent without approval, however few there are', async () => {
    fixture.clock.moveTo('2026-11-15');
    const pusher = await makePusher(fixture.app);
    await pusher.sync('before', entries(3));
    const idp = await connectProvider(pusher);
    await idp.create(aUser(1, { emails: [{ value: 'anna1@example.com' }] }));
    const sync = await idp.collect();
    assert.deepEqual([sync.counts.offboarded, sync.counts.held], [0, 2]);
    await idp.create(aUser(2, { emails: [{ value: 'anna2@example.com' }] }));
    await idp.create(aUser(3, { emails: [{ value: 'anna3@example.com' }] }));
    assert.deepEqual((await idp.collect()).counts.held, 0);
    assert.equal((await names(pusher)).length, 3);
  });

  it('leave no room for rosters that are pushed', async () => {
    const { pusher } = await provision(1);
    const { status, body } = await pusher.push('pushed', [anEntry(1)]);
    assert.deepEqual([status, body.code], [409, 'sync-not-possible']);
    assert.match(body.detail, /SCIM/);
  });

  it('are collected by the worker without anybody asking', async () => {
    const { pusher, idp } = await provision(0);
    await idp.create(aUser(1));
    const target = [pusher.companyId, pusher.integrationId] as const;
    await sql`update scim_connections set collect_at = now() where company_id = ${target[0]}`.execute(fixture.app.db);
    await fixture.app.db.transaction().execute((tx) => fixture.app.deps.queue.enqueueScimChanges(tx, ...target, 0));
    await until('the changes are applied', async () => (await pusher.integration()).lastSyncId !== null);
    assert.deepEqual(await names(pusher), ['Muster1']);
  });
});
