import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { listSubscriptionChanges } from '../../../src/features/employees/history.ts';
import { useApp } from '../../support/app.ts';
import { makeEmployee, makeKey } from '../../support/factories.ts';
import { useEach } from '../../support/prepare.ts';
import { anEntry, entries, makePusher, makeSecondPusher, type Pusher } from '../../support/sync.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe('the history of syncs', () => {
  const app = useApp({ worker: 'without documents' });
  const base = (pusher: Pusher) => `/hr-integrations/${pusher.integrationId}/syncs`;
  const pusher = useEach(() => makePusher(app));

  it('is empty at first, then lists the newest first, page by page', async () => {
    const empty = (await pusher.get(base(pusher))).body.data;
    assert.deepEqual([empty.data, empty.total, empty.totalPages, empty.page], [[], 0, 0, 1]);
    for (let number = 1; number <= 5; number++) await pusher.sync(`s${number}`, entries(number));
    const pages = await Promise.all(
      [1, 2, 3, 4].map(async (page) => (await pusher.get(`${base(pusher)}?perPage=2&page=${page}`)).body.data),
    );
    assert.deepEqual(
      pages.map(({ data }) => data.map((sync: { syncId: string }) => sync.syncId)),
      [['s5', 's4'], ['s3', 's2'], ['s1'], []],
    );
    for (const { total, totalPages } of pages) assert.deepEqual([total, totalPages], [5, 3]);
    const none = (await pusher.get(`${base(pusher)}?perPage=0`)).body.data;
    assert.deepEqual([none.data, none.total, none.totalPages], [[], 5, 0]);
    assert.equal((await pusher.get(`${base(pusher)}?perPage=101`)).status, 400);
  });

  it('returns who pushed a sync, when, how long it took and what it did', async () => {
    const sync = await pusher.sync('one', entries(3));
    assert.equal(sync.pushedBy, pusher.key.username);
    for (const time of [sync.acceptedAt, sync.startedAt, sync.finishedAt]) assert.match(time, timestamp);
    assert(Number.isInteger(sync.durationMs) && sync.durationMs >= 0);
    assert.deepEqual(
      [sync.state, sync.entries, sync.reason, sync.heldRemovals, sync.resource],
      ['succeeded', 3, null, null, 'sync'],
    );
    assert.deepEqual(sync.counts, { created: 3, updated: 0, unchanged: 0, offboarded: 0, held: 0, failed: 0 });
    const listed = (await pusher.get(base(pusher))).body.data.data;
    assert.deepEqual(listed, [sync]);
    assert(sync._links.self.href.endsWith(`/v1${base(pusher)}/one`));
    assert(sync._links.records.href.endsWith(`/v1${base(pusher)}/one/records`));
    assert(sync._links.hrIntegration.href.endsWith(`/v1/hr-integrations/${pusher.integrationId}`));
  });

  it('has one record for each changed entry and each missing employee', async () => {
    await makeEmployee(app.db, pusher.companyId, { email: 'kept@example.com' });
    await pusher.sync('one', entries(5));
    const two = [
      anEntry(1),
      anEntry(2, { firstName: 'Eva', dateOfBirth: '1990-01-01' }),
      anEntry(3, { email: 'kept@example.com' }),
      anEntry(4, { hrId: 'N4' }),
      anEntry(6),
    ];
    const sync = await pusher.sync('two', two);
    const records = await pusher.records('two');
    assert.deepEqual(
      records.map(({ hrId, outcome, code }) => `${hrId} ${outcome} ${code}`),
      [
        'E5 offboarded removed',
        'E3 failed email-taken',
        'E2 updated updated',
        'N4 updated renumbered',
        'E6 created created',
      ],
    );
    for (const record of records) {
      assert.match(record.detail, /^[A-Z].*\.$/);
      assert.equal(record.resource, 'sync-record');
      const { self, sync: of, employee } = record._links;
      const path = ({ href }: { href: string }) => href.replace('http://localhost:3000/v1', '');
      assert.deepEqual((await pusher.get(path(self))).body.data.data, [record]);
      assert.equal((await pusher.get(path(of))).body.data.syncId, 'two');
      // Nothing is left of the employee without a ticket who was removed.
      assert.equal(employee === undefined, record.hrId === 'E5');
      if (employee) assert.equal((await pusher.get(path(employee))).body.data.id, record.employeeId);
    }
    const byHrId = Object.fromEntries(records.map((record) => [record.hrId, record]));
    assert.deepEqual(byHrId.E2.changes, [
      { field: 'firstName', from: 'Anna', to: 'Eva' },
      { field: 'dateOfBirth', from: null, to: '1990-01-01' },
    ]);
    assert.equal(byHrId.E6.employeeId, (await pusher.employee('E6')).id);
    assert.equal(byHrId.E3.employeeId, (await pusher.employee('E3')).id);
    assert.deepEqual(byHrId.E3.changes, []);
    assert.deepEqual(byHrId.N4.changes, [{ field: 'hrId', from: 'E4', to: 'N4' }]);
    for (const outcome of ['created', 'updated', 'offboarded', 'failed', 'held']) {
      const filtered = await pusher.records('two', `?outcome=${outcome}`);
      assert.deepEqual(
        filtered,
        records.filter((record) => record.outcome === outcome),
      );
      assert.equal(filtered.length, sync.counts[outcome]);
    }
    const page = (await pusher.get(`${base(pusher)}/two/records?perPage=2&page=2`)).body.data;
    assert.deepEqual([page.data, page.total, page.totalPages], [records.slice(2, 4), 5, 3]);
    assert.equal((await pusher.get(`${base(pusher)}/two/records?outcome=unchanged`)).status, 400);
    const again = await pusher.sync('three', [
      anEntry(1),
      ...two.slice(1).filter((entry) => entry.hrId !== 'E3'),
      anEntry(3),
    ]);
    assert.equal(again.counts.unchanged, 5);
    assert.deepEqual(await pusher.records('three'), []);
  });

  it('explains once why an employee has no subscription, in the record and in the history', async () => {
    const roster = [
      anEntry(1, { autoSyncEmployee: false }),
      anEntry(2),
      anEntry(3, { autoSyncEmployee: true, terminationDate: '2026-01-31' }),
      anEntry(4, { autoSyncEmployee: true }),
    ];
    const reasonsOf = (records: { hrId: string; reasons: { rule: string }[] }[]) =>
      records.map(({ hrId, reasons }) => `${hrId} ${reasons.map(({ rule }) => rule).join()}`);
    const expected = [
      'E1 not-subscribed-opted-out',
      'E2 not-subscribed-not-requested',
      'E3 not-subscribed-employment-ends',
      'E4 start-next-month',
    ];
    assert.deepEqual(reasonsOf((await pusher.preview(roster)).records), expected);
    await pusher.sync('one', roster);
    assert.deepEqual(reasonsOf(await pusher.records('one')), expected);
    const historyOf = async (hrId: string) =>
      (await listSubscriptionChanges(app.db, pusher.companyId, (await pusher.employee(hrId)).id)).map(
        ({ cause, source, rule, from, to, syncId }) => [cause, source, rule, from, to, syncId].join(' '),
      );
    const none = 'no-subscription no-subscription';
    assert.deepEqual(await historyOf('E1'), [`not-subscribed sync not-subscribed-opted-out ${none} one`]);
    assert.deepEqual(await historyOf('E3'), [`not-subscribed sync not-subscribed-employment-ends ${none} one`]);
    // A new name is a change, but the reason stays the same. A withdrawn termination changes the reason.
    await pusher.sync('two', [
      anEntry(1, { autoSyncEmployee: false, firstName: 'Eva' }),
      anEntry(2),
      anEntry(3, { autoSyncEmployee: null, terminationDate: null }),
      anEntry(4, { autoSyncEmployee: true }),
    ]);
    assert.deepEqual(reasonsOf(await pusher.records('two')), ['E1 ', 'E3 not-subscribed-not-requested']);
    assert.equal((await historyOf('E1')).length, 1);
    assert.equal((await historyOf('E3')).length, 2);
  });

  it("describes a new employee's data and the reasons for the subscription", async () => {
    await pusher.sync('one', [anEntry(1, { autoSyncEmployee: true, startDate: '2026-12-15' })]);
    const [record] = await pusher.records('one');
    const changes = Object.fromEntries(
      record.changes.map(({ field, from, to }: { field: string; from: unknown; to: unknown }) => [field, [from, to]]),
    );
    assert.deepEqual(changes['subscription.status'], ['no-subscription', 'scheduled']);
    assert.deepEqual(changes['subscription.upcoming'], [null, { type: 'start', at: '2027-01-01' }]);
    assert.deepEqual(changes['subscription.nextTicketAt'], [null, '2027-01-01']);
    assert.deepEqual(changes.startDate, [null, '2026-12-15']);
    assert.deepEqual(record.reasons, [
      {
        cause: 'subscribe',
        rule: 'start-with-employment',
        detail:
          'Employed from 15 December 2026: starts on 1 January 2027, the first month that begins on or after that.',
        effectiveAt: '2027-01-01',
      },
    ]);
    await sql`update employees set subscription_status = 'active', start_on = '2026-11-01', next_ticket_on = '2026-12-01'
      where company_id = ${pusher.companyId}`.execute(app.db);
    await pusher.sync('two', [anEntry(1, { terminationDate: '2026-11-30' })]);
    const [late] = await pusher.records('two');
    assert.deepEqual(late.reasons, [
      {
        cause: 'termination',
        rule: 'end-after-cut-off',
        detail:
          'Employment ends on 30 November 2026, known on the 15th, after the cut-off on the 10th: takes effect on 1 January 2027 instead of 1 December 2026.',
        effectiveAt: '2027-01-01',
      },
    ]);
    const { rows } = await sql<{ rule: string }>`select rule from subscription_changes
      where company_id = ${pusher.companyId} order by id`.execute(app.db);
    assert.deepEqual(rows, [{ rule: 'start-with-employment' }, { rule: 'end-after-cut-off' }]);
  });

  it('remains after the employee is removed', async () => {
    await pusher.sync('one', entries(2));
    const { id } = await pusher.employee('E2');
    await pusher.sync('two', entries(1));
    const records = await pusher.records('one');
    assert.equal(records.length, 2);
    assert.equal(records[1].hrId, 'E2');
    assert.equal((await pusher.get(`/employees/${id}`)).status, 404);
  });

  it('finds syncs with unusual ids', async () => {
    const odd = [
      'a b',
      'a/b',
      'a?b=c&d',
      '100%',
      '%2F',
      'ä🚲',
      'a+b',
      "o'neil",
      '"',
      '#1',
      'x'.repeat(255),
      '\\',
      ';',
      '...',
    ];
    for (const syncId of odd) {
      assert.equal((await pusher.push(syncId, entries(1))).status, 204, syncId);
    }
    for (const syncId of ['.', '..', ' . ', 'a\nb', '\u200b', 'a\u202eb']) {
      const { status, body } = await pusher.push(syncId, entries(1));
      assert.deepEqual([status, body.errors[0].pointer], [422, '/syncId'], JSON.stringify(syncId));
    }
    assert.match((await pusher.push('..', entries(1))).body.detail, /must not be `\.` or `\.\.`, because/);
    for (const syncId of odd) {
      const sync = await pusher.finished(syncId);
      assert.equal(sync.syncId, syncId);
      assert.equal((await pusher.records(syncId)).length, syncId === 'a b' ? 1 : 0);
      const href = sync._links.self.href as string;
      const { status, body } = await pusher.get(href.slice(href.indexOf('/v1/') + 3));
      assert.deepEqual([status, body.data.syncId], [200, syncId]);
    }
    assert.equal((await pusher.get(base(pusher))).body.data.total, odd.length);
  });

  it('returns 404 for an unknown sync and one of another company or integration', async () => {
    const [pusher, otherPusher] = [await makePusher(app), await makePusher(app)];
    const second = await makeSecondPusher(pusher);
    await pusher.sync('one', entries(1));
    await otherPusher.sync('theirs', entries(1));
    for (const path of [
      '/hr-integrations/999999/syncs',
      base(otherPusher),
      `${base(otherPusher)}/theirs`,
      `${base(otherPusher)}/theirs/records`,
      `${base(pusher)}/theirs`,
      `${base(pusher)}/ONE`,
      `${base(pusher)}/one/records/1`,
      `${base(pusher)}/two/records`,
      `${base(second)}/one`,
      `${base(second)}/one/records`,
    ])
      assert.equal((await pusher.get(path)).status, 404, path);
    assert.equal((await pusher.get(`${base(pusher)}/${'x'.repeat(256)}`)).status, 400);
    assert.equal((await pusher.get(`${base(pusher)}/a%00b`)).status, 400);
  });

  it('requires its permissions', async () => {
    await pusher.sync('one', entries(1));
    const employees = await makeKey(app.db, pusher.companyId, ['view-employees']);
    const integrations = await makeKey(app.db, pusher.companyId, ['view-hr-integrations']);
    for (const path of ['', '/one', '/one/records']) {
      assert.equal((await app.request(`${base(pusher)}${path}`, { key: employees })).status, 403);
    }
    assert.equal((await app.request(`${base(pusher)}/one`, { key: integrations })).status, 200);
    assert.equal((await app.request(`${base(pusher)}/one/records`, { key: integrations })).status, 403);
  });
});
