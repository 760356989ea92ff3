import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, useApp } from '../../support/app.ts';
import { pluck } from '../../support/pluck.ts';
import { anEntry, assertKeptCounts, entries, makePusher, makeSecondPusher, type Pusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

describe('overlapping syncs', () => {
  const app = useApp({ worker: 'without documents' });
  const other = useApp(() => ({ worker: 'without documents', databaseUrl: app.databaseUrl }));

  /** Returns the syncs of the company in the order of acceptance and in the order of application. */
  async function ordersOf({ companyId, integrationId }: Pusher) {
    const { rows } = await sql<{ accepted: string[]; applied: string[]; overlapping: number }>`
      select array_agg(s.sync_id order by s.accepted_at, s.id) as accepted,
        array_agg(s.sync_id order by s.finished_at, s.id) as applied,
        (select count(*) from syncs a join syncs b on a.company_id = b.company_id and a.id < b.id
          and a.hr_integration_id = b.hr_integration_id and a.started_at < b.finished_at and b.started_at < a.finished_at
          where a.company_id = ${companyId} and a.hr_integration_id = ${integrationId}) as overlapping
      from syncs s where s.company_id = ${companyId} and s.hr_integration_id = ${integrationId}`.execute(app.db);
    assert(rows[0]);
    return rows[0];
  }

  it('of one integration are applied in the order of acceptance, and the last one wins', async () => {
    const pusher = await makePusher(app);
    const seats = [pusher, pusher.through(other)];
    const rosters = Array.from({ length: 12 }, (_, number) => ({
      syncId: `s${number}`,
      roster: entries(10 + ((number * 7) % 11), { firstName: `Round${number}` }),
    }));
    await Promise.all(
      rosters.map(async ({ syncId, roster }, index) => {
        const response = await (seats[index % 2] ?? pusher).push(syncId, roster);
        assert.equal(response.status, 204);
      }),
    );
    for (const { syncId } of rosters) assert.equal((await pusher.finished(syncId)).state, 'succeeded');
    const { accepted, applied, overlapping } = await ordersOf(pusher);
    assert.deepEqual(applied, accepted);
    assert.equal(overlapping, 0);
    const last = rosters.find(({ syncId }) => syncId === accepted.at(-1));
    const employees = await pusher.employees();
    assert.deepEqual(employees.map(({ email }) => email).toSorted(), last?.roster.map(({ email }) => email).toSorted());
    assert.deepEqual(new Set(employees.map(({ firstName }) => firstName)), new Set([last?.roster[0]?.firstName]));
    const integration = await pusher.integration();
    assert.equal(integration.lastSyncId, last?.syncId);
    await assertKeptCounts(pusher);
  });

  it('see the result of the sync before', async () => {
    const pusher = await makePusher(app);
    const waiting = [];
    for (let number = 1; number <= 6; number++) {
      assert.equal((await pusher.push(`s${number}`, entries(number))).status, 204);
      waiting.push(pusher.finished(`s${number}`));
    }
    const syncs = await Promise.all(waiting);
    for (const [index, sync] of syncs.entries()) {
      assert.deepEqual([sync.counts.created, sync.counts.unchanged], [1, index]);
    }
    const { rows } = await sql`select count(*) as applied from audit_log where company_id = ${pusher.companyId}
      and action = 'sync.apply'`.execute(app.db);
    assert.deepEqual(rows, [{ applied: 6 }]);
  });

  it('of several companies run concurrently without interfering', async () => {
    const pushers = await Promise.all(Array.from({ length: 4 }, () => makePusher(app)));
    await Promise.all(
      pushers.flatMap((pusher, index) =>
        [1, 2, 3].map((round) =>
          pusher.push(`s${round}`, entries(5 + index + round, { firstName: `C${index}R${round}` })),
        ),
      ),
    );
    for (const [index, pusher] of pushers.entries()) {
      for (const round of [1, 2, 3]) assert.equal((await pusher.finished(`s${round}`)).state, 'succeeded');
      const { accepted, applied } = await ordersOf(pusher);
      assert.deepEqual(applied, accepted);
      const round = Number(accepted.at(-1)?.slice(1));
      const employees = await pusher.employees();
      assert.equal(employees.length, 5 + index + round);
      assert(employees.every(({ firstName }) => firstName === `C${index}R${round}`));
      await assertKeptCounts(pusher);
    }
  });

  it('of one company do not delay another company', async () => {
    const [busy, quick] = [await makePusher(app), await makePusher(app)];
    await busy.sync('first', entries(2));
    // The lock delays a running sync as a very large roster would.
    const blocker = await app.db.startTransaction().execute();
    try {
      await sql`select id from employees where company_id = ${busy.companyId} for update`.execute(blocker);
      for (let number = 1; number <= 6; number++) {
        assert.equal((await busy.push(`s${number}`, entries(2, { firstName: `Round${number}` }))).status, 204);
      }
      assert.equal((await quick.push('one', entries(2))).status, 204);
      const path = `/hr-integrations/${quick.integrationId}/syncs/one`;
      await until('the other is applied', async () => (await quick.get(path)).body.data.state === 'succeeded');
    } finally {
      await blocker.rollback().execute();
    }
    for (let number = 1; number <= 6; number++) await busy.finished(`s${number}`);
    assert.equal((await busy.employee('E1')).firstName, 'Round6');
  });

  it('of two integrations that move employees between them lose nobody', async () => {
    for (let round = 0; round < 6; round++) {
      const first = await makePusher(app);
      const second = await makeSecondPusher(first);
      await first.sync('one', entries(20));
      const ids = (await first.employees()).map(({ id }) => id);
      const moved = entries(20)
        .slice(10)
        .map((entry) => ({ ...entry, hrId: `S${entry.hrId}` }));
      const [left, joined] = await Promise.all([
        first.sync('two', entries(10)),
        second.through(other).sync('two', moved),
      ]);
      assert.deepEqual([left.state, joined.state, joined.counts.created], ['succeeded', 'succeeded', 0]);
      assert.deepEqual(pluck(await first.employees(), 'id'), ids);
      await assertKeptCounts(first);
    }
  });

  it('of two integrations with the same new employees create each of them once', async () => {
    for (let round = 0; round < 4; round++) {
      const first = await makePusher(app);
      const second = await makeSecondPusher(first);
      const theirs = entries(15).map((entry) => ({ ...entry, hrId: `S${entry.hrId}` }));
      const syncs = await Promise.all([first.sync('one', entries(15)), second.through(other).sync('one', theirs)]);
      assert.deepEqual(pluck(syncs, 'state', 'reason'), [
        ['succeeded', null],
        ['succeeded', null],
      ]);
      assert.equal(syncs[0].counts.created + syncs[1].counts.created, 15);
      const employees = await first.employees();
      assert.equal(employees.length, 15);
      for (const { hrIntergartionLinks } of employees) assert.equal(hrIntergartionLinks.length, 2);
      await assertKeptCounts(first);
    }
  });

  it('whose jobs are lost are applied in order with the next sync', async () => {
    const api = await startTestApp({ worker: false });
    const pusher = await makePusher(api);
    const push = async (number: number) => {
      assert.equal((await pusher.push(`s${number}`, entries(number))).status, 204);
    };
    for (const number of [1, 2, 3]) await push(number);
    const lost = await sql`delete from queue.job where name = 'apply-syncs'`.execute(api.db);
    assert.equal(lost.numAffectedRows, 3n);
    await push(4);
    const worker = await startTestApp({ worker: 'without documents', databaseUrl: api.databaseUrl });
    for (const number of [1, 2, 3, 4]) {
      const { state, counts } = await pusher.finished(`s${number}`);
      assert.deepEqual([state, counts.created, counts.unchanged], ['succeeded', 1, number - 1]);
    }
    await worker.close();
    await api.close();
  });

  it('wait no longer than they must after a burst', async () => {
    const [busy, quick] = [await makePusher(app), await makePusher(app)];
    const calm = performance.now();
    await quick.sync('calm', entries(1));
    const alone = performance.now() - calm;
    await Promise.all(entries(16).map((_, index) => busy.push(`s${index}`, [anEntry(1)])));
    const began = performance.now();
    await quick.sync('one', entries(2));
    const waited = performance.now() - began;
    // A worker that slept for the queue's polling interval between two jobs would need 16 s for the burst on any
    // machine.
    assert(
      waited < 8_000 + 16 * alone,
      `waited ${Math.round(waited)} ms, and ${Math.round(alone)} ms when it was calm`,
    );
  });
});
