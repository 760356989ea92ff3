import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { decidePendingRemovals } from '../../../src/features/roster/pending-removals.ts';
import { useApp } from '../../support/app.ts';
import { pluck } from '../../support/pluck.ts';
import { run } from '../../support/process.ts';
import { anEntry, assertKeptCounts, entries, makePusher, makeSecondPusher, type Pusher } from '../../support/sync.ts';

describe('the guard against accidental removals', () => {
  const app = useApp({ worker: 'without documents' });

  const decide = (pusher: Pusher, syncId: string, decision: 'approved' | 'rejected') =>
    decidePendingRemovals(
      app.db,
      app.deps,
      { companyId: pusher.companyId, hrIntegrationId: pusher.integrationId },
      { syncId, decision },
    );
  const guard = (pusher: Pusher, minimumLinked: number, maximumAbsentPercent: number) =>
    sql`update companies set guard_minimum_linked = ${minimumLinked},
      guard_maximum_absent_percent = ${maximumAbsentPercent} where id = ${pusher.companyId}`.execute(app.db);
  const total = async (pusher: Pusher) => (await pusher.get('/employees?perPage=0')).body.data.total;
  /** Links `linked` employees, and syncs a roster with only `present` of them. */
  async function shrink(linked: number, present: number, prepare?: (pusher: Pusher) => Promise<unknown>) {
    const pusher = await makePusher(app);
    await prepare?.(pusher);
    await pusher.sync('one', entries(linked));
    const sync = await pusher.sync('two', present === 0 ? [anEntry(9999)] : entries(present));
    return { pusher, sync };
  }
  /** Links ten employees, five of whose removals are pending approval. */
  async function makeHeld() {
    const { pusher, sync } = await shrink(10, 5, (one) => guard(one, 10, 20));
    assert.equal(sync.counts.held, 5);
    return pusher;
  }
  const audited = async (pusher: Pusher, action: string) =>
    (
      await sql<{ count: number }>`select count(*) as count from audit_log where company_id = ${pusher.companyId}
        and action = ${action}`.execute(app.db)
    ).rows[0]?.count;

  it('is inactive while 99 employees are linked', async () => {
    const { pusher, sync } = await shrink(99, 1);
    assert.deepEqual([sync.state, sync.counts.offboarded, sync.heldRemovals], ['succeeded', 98, null]);
    assert.equal(await total(pusher), 1);
  });

  it('allows the removal of 20 % of 100 employees', async () => {
    const { pusher, sync } = await shrink(100, 80);
    assert.deepEqual([sync.state, sync.counts.offboarded], ['succeeded', 20]);
    assert.equal(await total(pusher), 80);
  });

  it('requires approval for one more, and applies everything else', async () => {
    const pusher = await makePusher(app);
    await pusher.sync('one', entries(100));
    const roster = [anEntry(1, { firstName: 'Eva' }), ...entries(79).slice(1), anEntry(101)];
    const sync = await pusher.sync('two', roster);
    assert.equal(sync.state, 'partially-failed');
    assert.equal(sync.heldRemovals, 'pending');
    assert.deepEqual(sync.counts, { created: 1, updated: 1, unchanged: 78, offboarded: 0, held: 21, failed: 0 });
    const held = await pusher.records('two', '?outcome=held');
    assert.deepEqual(
      pluck(held, 'hrId'),
      entries(100)
        .slice(79)
        .map(({ hrId }) => hrId),
    );
    assert(held.every((record) => record.code === 'removal-held' && record.changes.length === 0));
    assert.equal(await total(pusher), 101);
    assert.equal((await pusher.employee('E1')).firstName, 'Eva');
    const integration = await pusher.integration();
    assert.deepEqual([integration.lastSyncStatus, integration.lastSyncId], ['partially-failed', 'two']);
    assert.notEqual(integration.lastSynced, null);
    await assertKeptCounts(pusher);
  });

  it('compares exactly if the percentage is not a whole number of employees', async () => {
    // 20 % of 104 is 20.8: the guard allows 20 removals, but not 21.
    assert.equal((await shrink(104, 84)).sync.counts.offboarded, 20);
    assert.equal((await shrink(104, 83)).sync.counts.held, 21);
  });

  it('follows the settings of the company', async () => {
    assert.equal((await shrink(10, 5, (pusher) => guard(pusher, 10, 50))).sync.counts.offboarded, 5);
    assert.equal((await shrink(10, 4, (pusher) => guard(pusher, 10, 50))).sync.counts.held, 6);
    assert.equal((await shrink(10, 4, (pusher) => guard(pusher, 11, 50))).sync.counts.offboarded, 6);
    assert.equal((await shrink(10, 9, (pusher) => guard(pusher, 1, 0))).sync.counts.held, 1);
  });

  it('is disabled at 100 %', async () => {
    const { sync, pusher } = await shrink(100, 0, (one) => guard(one, 100, 100));
    assert.deepEqual([sync.state, sync.counts.offboarded, sync.counts.created], ['succeeded', 100, 1]);
    assert.equal(await total(pusher), 1);
  });

  it('counts neither leaving nor removed employees', async () => {
    const pusher = await makePusher(app);
    await pusher.sync('one', entries(102));
    await sql`update employees set subscription_status = 'active', start_on = '2026-11-01'
      where company_id = ${pusher.companyId} and email in ('anna101@example.com', 'anna102@example.com')`.execute(
      app.db,
    );
    await pusher.sync('two', entries(100));
    assert.equal(await total(pusher), 102);
    const held = await pusher.preview(entries(79));
    assert.deepEqual([held.counts.held, held.counts.offboarded, held.state], [21, 0, 'partially-failed']);
    await pusher.sync('three', entries(99));
    const sync = await pusher.sync('four', entries(50));
    assert.deepEqual([sync.counts.held, sync.counts.offboarded], [0, 49]);
    assert.equal(await total(pusher), 52);
  });

  it('removes the employees after approval, and only once', async () => {
    const pusher = await makeHeld();
    assert.deepEqual(await decide(pusher, 'two', 'approved'), { removals: 5 });
    assert.equal(await total(pusher), 5);
    const sync = await pusher.finished('two');
    assert.deepEqual([sync.heldRemovals, sync.counts.held, sync.counts.offboarded], ['approved', 0, 5]);
    assert.deepEqual([sync.state, (await pusher.integration()).lastSyncStatus], ['succeeded', 'succeeded']);
    assert.deepEqual([sync.approvedBy, sync.approvedAt], ['operator', '2026-11-15T11:00:00Z']);
    assert.deepEqual([sync.rejectedBy, sync.rejectedAt], [null, null]);
    const records = await pusher.records('two');
    assert.deepEqual(
      new Set(records.map(({ outcome, code }) => `${outcome} ${code}`)),
      new Set(['offboarded removed']),
    );
    assert.equal(await decide(pusher, 'two', 'approved'), undefined);
    assert.equal(await decide(pusher, 'two', 'rejected'), undefined);
    assert.equal(await audited(pusher, 'sync.approve-removals'), 1);
    await assertKeptCounts(pusher);
    const next = await pusher.sync('three', entries(5));
    assert.deepEqual([next.state, next.counts.unchanged], ['succeeded', 5]);
  });

  it('keeps all employees after a rejection', async () => {
    const pusher = await makeHeld();
    assert.deepEqual(await decide(pusher, 'two', 'rejected'), { removals: 5 });
    assert.equal(await total(pusher), 10);
    const sync = await pusher.finished('two');
    assert.equal(sync.heldRemovals, 'rejected');
    assert.deepEqual([sync.state, (await pusher.integration()).lastSyncStatus], ['succeeded', 'succeeded']);
    assert.deepEqual([sync.rejectedBy, sync.rejectedAt], ['operator', '2026-11-15T11:00:00Z']);
    assert.deepEqual([sync.approvedBy, sync.approvedAt], [null, null]);
    assert.equal(await decide(pusher, 'two', 'approved'), undefined);
    assert.equal(await total(pusher), 10);
    assert.equal(await audited(pusher, 'sync.reject-removals'), 1);
  });

  it('leaves a sync with failed entries partially failed, whatever the decision', async () => {
    const pusher = await makePusher(app);
    await guard(pusher, 10, 20);
    await pusher.sync('one', entries(10));
    // An employee who is missing from the roster keeps the address while the removal is pending approval.
    const taken = [...entries(4), anEntry(5, { email: 'anna10@example.com' })];
    const sync = await pusher.sync('two', taken);
    assert.deepEqual([sync.counts.held, sync.counts.failed], [5, 1]);
    await decide(pusher, 'two', 'approved');
    assert.equal((await pusher.finished('two')).state, 'partially-failed');
    assert.equal((await pusher.integration()).lastSyncStatus, 'partially-failed');
  });

  it('does not change the status of the integration if a later sync failed before the decision', async () => {
    const pusher = await makeHeld();
    await sql`update hr_integrations set last_sync_id = 'later', last_sync_status = 'failed'
      where company_id = ${pusher.companyId}`.execute(app.db);
    await decide(pusher, 'two', 'rejected');
    assert.equal((await pusher.finished('two')).state, 'succeeded');
    assert.equal((await pusher.integration()).lastSyncStatus, 'failed');
  });

  it('accepts one of many concurrent decisions', async () => {
    const pusher = await makeHeld();
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => decide(pusher, 'two', index % 2 ? 'approved' : 'rejected')),
    );
    assert.equal(responses.filter((response) => response !== undefined).length, 1);
    const sync = await pusher.finished('two');
    assert.equal(await total(pusher), sync.heldRemovals === 'approved' ? 5 : 10);
    await assertKeptCounts(pusher);
  });

  it('refuses decisions about other syncs, integrations and companies', async () => {
    const pusher = await makeHeld();
    const otherPusher = await makePusher(app);
    const second = await makeSecondPusher(pusher);
    for (const [who, syncId] of [
      [pusher, 'one'],
      [pusher, 'three'],
      [second, 'two'],
      [otherPusher, 'two'],
      [otherPusher.withIntegration(pusher.integrationId), 'two'],
    ] as const)
      assert.equal(await decide(who, syncId, 'approved'), undefined);
    assert.equal(await total(pusher), 10);
  });

  it('is replaced by a newer sync, which may require approval itself', async () => {
    const pusher = await makeHeld();
    const second = await pusher.sync('three', entries(6));
    assert.equal(second.counts.held, 4);
    assert.equal((await pusher.finished('two')).heldRemovals, 'replaced');
    assert.equal(await decide(pusher, 'two', 'approved'), undefined);
    const third = await pusher.sync('four', entries(10));
    assert.deepEqual([third.state, third.heldRemovals, third.counts.unchanged], ['succeeded', null, 10]);
    assert.equal((await pusher.finished('three')).heldRemovals, 'replaced');
    assert.equal(await decide(pusher, 'three', 'approved'), undefined);
    assert.equal(await total(pusher), 10);
  });

  it('does not remove employees that another integration has linked in the meantime', async () => {
    const pusher = await makeHeld();
    const second = await makeSecondPusher(pusher);
    await second.sync('one', [anEntry(9, { hrId: 'S9' })]);
    assert.deepEqual(await decide(pusher, 'two', 'approved'), { removals: 5 });
    assert.equal(await total(pusher), 6);
    assert.deepEqual(pluck((await second.employee('S9')).hrIntergartionLinks, 'hrId'), ['S9']);
    const sync = await pusher.finished('two');
    assert.deepEqual([sync.counts.offboarded, sync.counts.updated], [4, 1]);
    await assertKeptCounts(pusher);
  });

  it('never removes employees who are in a roster that is applied concurrently', async () => {
    for (let round = 0; round < 8; round++) {
      const pusher = await makeHeld();
      const [, decision] = await Promise.all([pusher.sync('three', entries(10)), decide(pusher, 'two', 'approved')]);
      const sync = await pusher.finished('two');
      assert.equal(sync.heldRemovals, decision === undefined ? 'replaced' : 'approved');
      assert.equal(await total(pusher), 10);
      await assertKeptCounts(pusher);
    }
  });

  it('can also be decided on the command line', async () => {
    const words = (pusher: Pusher, decision: string, syncId = 'two') =>
      run(
        [
          'sync',
          decision,
          '--company',
          String(pusher.companyId),
          '--integration',
          String(pusher.integrationId),
          '--sync',
          syncId,
        ],
        { DATABASE_URL: app.databaseUrl },
      );
    const [approved, rejected] = [await makeHeld(), await makeHeld()];
    const [yes, no] = await Promise.all([words(approved, 'approve'), words(rejected, 'reject')]);
    assert.deepEqual(
      [yes.code, JSON.parse(yes.stdout)],
      [0, { syncId: 'two', decision: 'approved', removals: 5 }],
      yes.stderr,
    );
    assert.deepEqual(
      [no.code, JSON.parse(no.stdout)],
      [0, { syncId: 'two', decision: 'rejected', removals: 5 }],
      no.stderr,
    );
    assert.deepEqual([await total(approved), await total(rejected)], [5, 10]);
    const [again, unknown] = await Promise.all([words(approved, 'approve'), words(rejected, 'reject', 'nine')]);
    for (const { code, stdout } of [again, unknown]) assert.deepEqual([code !== 0, stdout], [true, '']);
    assert.match(again.stderr, /^[^\n]*has no pending removals[^\n]*\n$/);
    assert.equal(unknown.stderr, 'The company has no such sync: check the id and --company.\n');
  });
});
