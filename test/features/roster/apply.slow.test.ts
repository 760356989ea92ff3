import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { startTestApp, type TestApp, type TestResponse, useApp } from '../../support/app.ts';
import { makeDocument, makeEmployee } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { useEach } from '../../support/prepare.ts';
import { insertRows } from '../../support/rows.ts';
import {
  anEntry,
  assertKeptCounts,
  clockOn,
  entries,
  makePusher,
  makeSecondPusher,
  type Pusher,
} from '../../support/sync.ts';

const absence = (startDate: string, endDate: string | null, approved = true) => ({ startDate, endDate, approved });

/** Returns the outcome and code of each record, by hrId. */
const outcomes = async (pusher: Pusher, syncId: string) =>
  Object.fromEntries(
    (await pusher.records(syncId)).map(({ hrId, outcome, code }) => [hrId, `${outcome} ${code}`]).toSorted(),
  );

const linksOf = (employee: { hrIntergartionLinks: { hrIntegrationId: number | null; hrId: string }[] }) =>
  employee.hrIntergartionLinks.map((link) => `${link.hrIntegrationId} ${link.hrId}`);

const app = useApp({ worker: 'without documents' });

describe('matching of roster entries', () => {
  const pusher = useEach(() => makePusher(app));

  it('finds an employee by hrId, whatever else changes', async () => {
    await pusher.sync('one', entries(2));
    const { id } = await pusher.employee('E1');
    const sync = await pusher.sync('two', [
      anEntry(1, { firstName: 'Eva', lastName: 'Neu', email: 'eva@example.com' }),
      anEntry(2),
    ]);
    assert.deepEqual([sync.counts.updated, sync.counts.unchanged], [1, 1]);
    const employee = await pusher.employee('E1');
    assert.deepEqual([employee.id, employee.email, employee.lastName], [id, 'eva@example.com', 'Neu']);
    const found = await pusher.get('/employees?search=eva%20neu');
    assert.equal(found.body.data.total, 1);
    await assertKeptCounts(pusher);
  });

  it('finds an employee by email address, ignoring case, if no one has the hrId, and links them', async () => {
    const id = await makeEmployee(app.db, pusher.companyId, { email: 'Anna1@Example.com' });
    const sync = await pusher.sync('one', entries(2));
    assert.deepEqual([sync.counts.updated, sync.counts.created], [1, 1]);
    assert.equal((await outcomes(pusher, 'one')).E1, 'updated linked');
    const employee = await pusher.employee('E1');
    assert.deepEqual([employee.id, employee.email], [id, 'anna1@example.com']);
    await assertKeptCounts(pusher);
  });

  it('finds an employee by email address after the HR system renumbered them', async () => {
    await pusher.sync('one', entries(3));
    const before = await pusher.employees();
    const sync = await pusher.sync('two', [
      anEntry(1, { hrId: 'N1' }),
      anEntry(2, { hrId: 'N2', firstName: 'Eva' }),
      anEntry(3),
    ]);
    assert.deepEqual([sync.counts.updated, sync.counts.offboarded, sync.state], [2, 0, 'succeeded']);
    assert.deepEqual(await outcomes(pusher, 'two'), { N1: 'updated renumbered', N2: 'updated renumbered' });
    const after = await pusher.employees();
    assert.deepEqual(pluck(after, 'id'), pluck(before, 'id'));
    assert.deepEqual(after.flatMap(linksOf), [
      `${pusher.integrationId} N1`,
      `${pusher.integrationId} N2`,
      `${pusher.integrationId} E3`,
    ]);
  });

  it('finds employees by hrId even if two have swapped their addresses', async () => {
    await pusher.sync('one', entries(3));
    const [one, two, three] = await pusher.employees();
    const sync = await pusher.sync('two', [
      anEntry(1, { email: 'anna2@example.com' }),
      anEntry(2, { email: 'anna3@example.com' }),
      anEntry(3, { email: 'anna1@example.com' }),
    ]);
    assert.deepEqual([sync.state, sync.counts.updated], ['succeeded', 3]);
    const after = await pusher.employees();
    assert.deepEqual(pluck(after, 'id', 'email'), [
      [one.id, 'anna2@example.com'],
      [two.id, 'anna3@example.com'],
      [three.id, 'anna1@example.com'],
    ]);
    await assertKeptCounts(pusher);
    const again = await pusher.get('/employees?emails=ANNA3@example.com');
    assert.equal(again.body.data.data[0].id, two.id);
  });

  it('moves an employee to another integration and keeps the id; the first only loses its link', async () => {
    const first = await makePusher(app);
    const second = await makeSecondPusher(first);
    await first.sync('one', entries(3));
    const before = await first.employees();
    await second.sync('one', [anEntry(1, { hrId: 'S1' })]);
    assert.deepEqual(linksOf(await second.employee('S1')), [`${first.integrationId} E1`, `${second.integrationId} S1`]);
    const sync = await first.sync('two', [anEntry(2), anEntry(3)]);
    assert.deepEqual([sync.counts.offboarded, sync.state], [0, 'succeeded']);
    assert.deepEqual(await outcomes(first, 'two'), { E1: 'updated unlinked' });
    assert.deepEqual(linksOf(await second.employee('S1')), [`${second.integrationId} S1`]);
    assert.deepEqual(pluck(await first.employees(), 'id'), pluck(before, 'id'));
    const last = await second.sync('two', [anEntry(9, { hrId: 'S9' })]);
    assert.equal(last.counts.offboarded, 1);
    assert.deepEqual(pluck(await first.employees(), 'email'), [
      'anna2@example.com',
      'anna3@example.com',
      'anna9@example.com',
    ]);
    await assertKeptCounts(first);
  });

  it('restores what another integration has changed since', async () => {
    const first = await makePusher(app);
    const second = await makeSecondPusher(first);
    await first.sync('one', entries(2));
    await second.sync('one', [anEntry(1, { hrId: 'S1' })]);
    await second.sync('two', [anEntry(1, { hrId: 'S1', email: 'new@example.com', firstName: 'Eva' })]);
    await assertKeptCounts(first);
    const preview = await first.preview(entries(2));
    const sync = await first.sync('two', entries(2));
    assert.deepEqual(preview.counts, sync.counts);
    await assertKeptCounts(first);
    const employee = await first.employee('E1');
    assert.deepEqual([employee.email, employee.firstName], ['anna1@example.com', 'Anna']);
    assert.equal((await first.get('/employees?emails=anna1@example.com')).body.data.total, 1);
  });

  it('fails only the entry whose address another employee keeps', async () => {
    const holder = await makeEmployee(app.db, pusher.companyId, { email: 'kept@example.com' });
    await pusher.sync('one', entries(2));
    // The holder has no link, so only an entry that matches no other employee can find them by their address.
    const sync = await pusher.sync('two', [
      anEntry(1, { email: 'Kept@example.com', firstName: 'Eva' }),
      anEntry(2, { firstName: 'Ida' }),
      anEntry(3),
    ]);
    assert.equal(sync.state, 'partially-failed');
    assert.deepEqual(sync.counts, { created: 1, updated: 1, unchanged: 0, offboarded: 0, held: 0, failed: 1 });
    const [failed] = await pusher.records('two', '?outcome=failed');
    const one = await pusher.employee('E1');
    assert.deepEqual([failed.hrId, failed.code, failed.employeeId], ['E1', 'email-taken', one.id]);
    assert.match(failed.detail, new RegExp(`employee ${holder}\\b`));
    assert.deepEqual([one.email, one.firstName], ['anna1@example.com', 'Anna']);
    assert.equal((await pusher.employee('E2')).firstName, 'Ida');
    const integration = await pusher.integration();
    assert.deepEqual([integration.lastSyncId, integration.lastSyncStatus], ['two', 'partially-failed']);
    assert.equal(integration.initialConnectionStatus, 'completed');
    assert.equal(one.hrIntergartionLinks[0].lastSyncId, 'two');
    await assertKeptCounts(pusher);
    const again = await pusher.sync('three', [anEntry(1, { firstName: 'Eva' }), anEntry(2), anEntry(3)]);
    assert.equal(again.state, 'succeeded');
  });

  it('also fails an entry whose address is kept by a failed entry', async () => {
    await makeEmployee(app.db, pusher.companyId, { email: 'kept@example.com' });
    await pusher.sync('one', entries(2));
    const roster = [anEntry(1, { email: 'kept@example.com' }), anEntry(2, { email: 'anna1@example.com' })];
    const sync = await pusher.sync('two', [...roster, anEntry(3, { email: 'anna2@example.com' }), anEntry(4)]);
    assert.deepEqual([sync.counts.failed, sync.counts.created], [3, 1]);
    assert.deepEqual(pluck(await pusher.employees(), 'email').toSorted(), [
      'anna1@example.com',
      'anna2@example.com',
      'anna4@example.com',
      'kept@example.com',
    ]);
    await assertKeptCounts(pusher);
  });

  it('may use the address of a missing employee who is removed immediately', async () => {
    await pusher.sync('one', entries(2));
    const sync = await pusher.sync('two', [anEntry(1, { email: 'anna2@example.com' })]);
    assert.deepEqual([sync.state, sync.counts.offboarded, sync.counts.updated], ['succeeded', 1, 1]);
    assert.equal((await pusher.employee('E1')).email, 'anna2@example.com');
    await assertKeptCounts(pusher);
  });
});

describe('data of a roster entry', () => {
  const pusher = useEach(() => makePusher(app));

  it('keeps omitted fields and clears null fields', async () => {
    const full = anEntry(1, {
      dateOfBirth: '1990-04-23',
      profileImage: 'https://example.com/a.jpg',
      startDate: '2020-01-15',
      terminationDate: '2027-03-31',
      autoSyncEmployee: true,
      absences: [absence('2027-01-01', '2027-01-31')],
    });
    await pusher.sync('one', [full]);
    const before = await pusher.employee('E1');
    assert.deepEqual([before.dateOfBirth, before.profileImage], ['1990-04-23', 'https://example.com/a.jpg']);
    const kept = await pusher.sync('two', [anEntry(1)]);
    assert.equal(kept.counts.unchanged, 1);
    const after = await pusher.employee('E1');
    assert.deepEqual({ ...after, hrIntergartionLinks: [] }, { ...before, hrIntergartionLinks: [] });
    const cleared = await pusher.sync('three', [
      anEntry(1, { dateOfBirth: null, profileImage: null, startDate: null }),
    ]);
    assert.equal(cleared.counts.updated, 1);
    const employee = await pusher.employee('E1');
    assert.deepEqual([employee.dateOfBirth, employee.profileImage], [null, null]);
    const [record] = await pusher.records('three');
    assert.deepEqual(record.changes, [
      { field: 'dateOfBirth', from: '1990-04-23', to: null },
      { field: 'profileImage', from: 'https://example.com/a.jpg', to: null },
      { field: 'startDate', from: '2020-01-15', to: null },
    ]);
    const { rows } = await sql`select employed_from, terminated_on, auto_subscribe,
      (select count(*) from absences a where a.company_id = e.company_id and a.employee_id = e.id) as absences
      from employees e where e.company_id = ${pusher.companyId} and e.id = ${employee.id}`.execute(app.db);
    assert.deepEqual(rows, [{ employed_from: null, terminated_on: '2027-03-31', auto_subscribe: true, absences: 1 }]);
  });

  it('is stored trimmed, with accents and other scripts', async () => {
    await pusher.sync('one', [
      anEntry(1, { hrId: ' Ä/1 %', firstName: ' Zoë 🚲', lastName: '王 小明 ', email: 'jörg@müller.example' }),
    ]);
    const employee = await pusher.employee('Ä/1 %');
    assert.deepEqual(
      [employee.firstName, employee.lastName, employee.email],
      ['Zoë 🚲', '王 小明', 'jörg@müller.example'],
    );
  });

  it('subscribes with the plan of the company', async () => {
    await sql`update companies set plan_type = 'split-pay-plan', contribution_cents = 1500
      where id = ${pusher.companyId}`.execute(app.db);
    await pusher.sync('one', [anEntry(1, { autoSyncEmployee: true }), anEntry(2)]);
    const { plan, subscription } = await pusher.employee('E1');
    assert.deepEqual(
      [plan.type, plan.contractSigningStatus, plan.employeeContributionAmount.value],
      ['split-pay-plan', 'pending', 1500],
    );
    assert.deepEqual([subscription.status, subscription.startAt], ['scheduled', null]);
    assert.deepEqual(subscription.upcoming, { type: 'start', at: '2026-12-01' });
    assert.equal((await pusher.employee('E2')).subscription.status, 'no-subscription');
    await assertKeptCounts(pusher);
  });

  it('determines the dates of a subscription that has not started', async () => {
    const cases: [Parameters<typeof anEntry>[1], string, string | null][] = [
      [{ autoSyncEmployee: true }, 'scheduled', '2026-12-01'],
      [{ autoSyncEmployee: true, startDate: '2026-12-01' }, 'scheduled', '2026-12-01'],
      [{ autoSyncEmployee: true, startDate: '2026-12-02' }, 'scheduled', '2027-01-01'],
      [{ autoSyncEmployee: true, startDate: '2019-06-17' }, 'scheduled', '2026-12-01'],
      [{ autoSyncEmployee: true, absences: [absence('2026-12-01', '2026-12-31')] }, 'scheduled', '2027-01-01'],
      [{ autoSyncEmployee: true, absences: [absence('2026-12-01', '2026-12-30')] }, 'scheduled', '2026-12-01'],
      [{ autoSyncEmployee: true, absences: [absence('2026-12-01', '2026-12-31', false)] }, 'scheduled', '2026-12-01'],
      [
        {
          autoSyncEmployee: true,
          absences: [absence('2026-12-16', '2027-01-31'), absence('2026-11-20', '2026-12-15')],
        },
        'scheduled',
        '2027-02-01',
      ],
      [{ autoSyncEmployee: true, terminationDate: '2026-11-30' }, 'no-subscription', null],
      [{ autoSyncEmployee: true, terminationDate: '2026-12-01' }, 'scheduled', '2026-12-01'],
      [{ autoSyncEmployee: false }, 'no-subscription', null],
      [{ autoSyncEmployee: null }, 'no-subscription', null],
    ];
    await pusher.sync(
      'one',
      cases.map(([fields], index) => anEntry(index, fields)),
    );
    for (const [index, [fields, status, startsOn]] of cases.entries()) {
      const { subscription } = await pusher.employee(`E${index}`);
      const upcoming = startsOn === null ? null : { type: 'start', at: startsOn };
      assert.deepEqual(
        [subscription.status, subscription.startAt, subscription.upcoming],
        [status, null, upcoming],
        JSON.stringify(fields),
      );
    }
    const leaving = (await pusher.employee('E9')).subscription;
    assert.deepEqual([leaving.cancelledAt, leaving.nextTicketAt], [null, '2026-12-01']);
    await assertKeptCounts(pusher);
  });
});

describe('a running subscription', () => {
  const base = useApp();

  /** Runs `work` with an application on the given day, as the only worker on the database. */
  const at = async (day: string, work: (app: TestApp) => Promise<void>) => {
    await using app = await startTestApp({
      worker: 'without documents',
      clock: clockOn(day),
      databaseUrl: base.databaseUrl,
    });
    await work(app);
  };
  /** Subscribes all employees in October, so that the first ticket is that of November. */
  async function subscribed(count: number): Promise<Pusher> {
    const pusher = await makePusher(base);
    await at('2026-10-05', async (app) => {
      await pusher.through(app).sync('october', entries(count, { autoSyncEmployee: true }));
    });
    return pusher;
  }
  /** Does what the daily run does on the first of November. */
  async function running(count: number): Promise<Pusher> {
    const pusher = await subscribed(count);
    await sql`update employees set subscription_status = 'active', next_ticket_on = '2026-12-01'
      where company_id = ${pusher.companyId}`.execute(base.db);
    await sql`update employee_counts set subscription_status = 'active'
      where company_id = ${pusher.companyId}`.execute(base.db);
    return pusher;
  }

  const changes = [
    { terminationDate: '2026-11-20' },
    { terminationDate: '2026-12-31' },
    { terminationDate: '2026-01-31' },
    { autoSyncEmployee: false },
    { absences: [absence('2026-12-01', '2026-12-31')] },
    { absences: [absence('2026-12-01', '2027-01-31')] },
    { absences: [absence('2026-12-02', '2027-02-28')] },
    { absences: [absence('2026-12-01', null)] },
    { absences: [absence('2026-12-01', '2027-01-31', false)] },
    { autoSyncEmployee: true, terminationDate: '2026-11-30' },
    { autoSyncEmployee: null },
  ];
  /** Returns the status, the upcoming pause, the upcoming end and the next ticket. No pause or end was reached. */
  const planOf = ({ status, pausedAt, cancelledAt, nextTicketAt, upcoming }: TestResponse['body']) => {
    assert.deepEqual([pausedAt, cancelledAt], [null, null]);
    const at = (type: string) => (upcoming?.type === type ? upcoming.at : null);
    return [status, at('pause'), at('cancellation'), nextTicketAt];
  };
  // Derived by hand from the contract, section 5.
  const golden: Record<string, [string, string | null, string | null, string | null][]> = {
    '2026-11-10': [
      ['scheduled-cancellation', null, '2026-12-01', null],
      ['scheduled-cancellation', null, '2027-01-01', '2026-12-01'],
      ['scheduled-cancellation', null, '2026-12-01', null],
      ['scheduled-cancellation', null, '2026-12-01', null],
      ['scheduled-pause', '2026-12-01', null, '2027-01-01'],
      ['scheduled-pause', '2026-12-01', null, '2027-02-01'],
      ['scheduled-pause', '2027-01-01', null, '2026-12-01'],
      ['scheduled-pause', '2026-12-01', null, null],
      ['active', null, null, '2026-12-01'],
      ['scheduled-cancellation', null, '2026-12-01', null],
      ['active', null, null, '2026-12-01'],
    ],
    '2026-11-11': [
      ['scheduled-cancellation', null, '2027-01-01', '2026-12-01'],
      ['scheduled-cancellation', null, '2027-01-01', '2026-12-01'],
      ['scheduled-cancellation', null, '2027-01-01', '2026-12-01'],
      ['scheduled-cancellation', null, '2027-01-01', '2026-12-01'],
      ['active', null, null, '2026-12-01'],
      ['scheduled-pause', '2027-01-01', null, '2026-12-01'],
      ['scheduled-pause', '2027-01-01', null, '2026-12-01'],
      ['scheduled-pause', '2027-01-01', null, '2026-12-01'],
      ['active', null, null, '2026-12-01'],
      ['scheduled-cancellation', null, '2027-01-01', '2026-12-01'],
      ['active', null, null, '2026-12-01'],
    ],
  };
  for (const [day, expected] of Object.entries(golden)) {
    it(`follows terminations, opt-outs and absences that become known on ${day}`, async () => {
      const pusher = await running(changes.length);
      await at(day, async (app) => {
        const roster = changes.map((fields, index) => anEntry(index + 1, fields));
        await pusher.through(app).sync('november', roster);
        for (const [index, fields] of changes.entries()) {
          const { subscription } = await pusher.employee(`E${index + 1}`);
          assert.deepEqual(planOf(subscription), expected[index], JSON.stringify(fields));
          assert.equal(subscription.startAt, '2026-11-01');
        }
        await assertKeptCounts(pusher);
        const again = await pusher.through(app).sync('again', roster.toReversed());
        assert.equal(again.counts.unchanged, changes.length);
        const back = changes.map((_, index) =>
          anEntry(index + 1, { terminationDate: null, autoSyncEmployee: true, absences: [] }),
        );
        await pusher.through(app).sync('withdrawn', back);
        for (const { subscription } of await pusher.employees()) {
          assert.deepEqual(planOf(subscription), ['active', null, null, '2026-12-01']);
        }
        await assertKeptCounts(pusher);
      });
    });
  }

  it('ends before the employee is removed; an employee who returns stays', async () => {
    const pusher = await running(3);
    await at('2026-11-15', async (app) => {
      const november = pusher.through(app);
      const before = await pusher.employees();
      const sync = await november.sync('gone', [anEntry(1)]);
      assert.deepEqual([sync.state, sync.counts.offboarded], ['succeeded', 2]);
      assert.deepEqual(await outcomes(pusher, 'gone'), { E2: 'offboarded offboarded', E3: 'offboarded offboarded' });
      const leaver = await pusher.employee('E2');
      assert.deepEqual(planOf(leaver.subscription).slice(0, 3), ['scheduled-cancellation', null, '2027-01-01']);
      assert.equal((await pusher.get(`/employees/${leaver.id}`)).status, 200);
      await assertKeptCounts(pusher);
      const again = await november.sync('still gone', [anEntry(1)]);
      assert.deepEqual([again.counts.offboarded, again.counts.unchanged], [0, 1]);
      const back = await november.sync('back', [anEntry(1), anEntry(2)]);
      assert.equal(back.counts.updated, 1);
      assert.deepEqual(await outcomes(pusher, 'back'), { E2: 'updated returned' });
      const returned = await pusher.employee('E2');
      assert.deepEqual([returned.id, returned.subscription], [before[1].id, before[1].subscription]);
      const { rows } = await sql`select is_leaving, removes_on from employees where company_id = ${pusher.companyId}
        order by id`.execute(base.db);
      assert.deepEqual(rows, [
        { is_leaving: false, removes_on: null },
        { is_leaving: false, removes_on: null },
        { is_leaving: true, removes_on: '2027-01-01' },
      ]);
      await assertKeptCounts(pusher);
    });
  });

  it('keeps the address of a leaving employee until the end', async () => {
    const pusher = await running(2);
    await at('2026-11-15', async (app) => {
      const sync = await pusher.through(app).sync('gone', [anEntry(1, { email: 'anna2@example.com' })]);
      assert.deepEqual([sync.state, sync.counts.failed, sync.counts.offboarded], ['partially-failed', 1, 1]);
      assert.equal((await pusher.employee('E1')).email, 'anna1@example.com');
      await assertKeptCounts(pusher);
    });
  });

  it('counts as running from its first day, even before the daily run', async () => {
    const pusher = await subscribed(2);
    await at('2026-11-01', async (app) => {
      const november = pusher.through(app);
      const roster = [anEntry(1, { email: 'anna2@example.com' })];
      const preview = await november.preview(roster);
      const sync = await november.sync('gone', roster);
      assert.notEqual(sync.state, 'failed');
      assert.deepEqual(sync.counts, preview.counts);
      const leaver = await pusher.employee('E2');
      assert.deepEqual(planOf(leaver.subscription).slice(0, 3), ['scheduled-cancellation', null, '2026-12-01']);
      await assertKeptCounts(pusher);
    });
  });
});

describe('an employee missing from the roster', () => {
  const pusher = useEach(() => makePusher(app));
  afterEach(() => assertKeptCounts(pusher));

  it('is removed immediately with their documents if no ticket is running, and gets the old id back on return', async () => {
    await pusher.sync('one', [
      anEntry(1),
      anEntry(2, { autoSyncEmployee: true }),
      anEntry(3, { dateOfBirth: '1990-01-01' }),
    ]);
    const [one, two, three] = await pusher.employees();
    const document = await makeDocument(app.db, pusher.companyId, { employeeId: three.id, name: 'Letter' });
    const other = await makeDocument(app.db, pusher.companyId, { employeeId: one.id, name: 'Letter' });
    const sync = await pusher.sync('two', [anEntry(1)]);
    assert.deepEqual([sync.state, sync.counts.offboarded], ['succeeded', 2]);
    assert.deepEqual(await outcomes(pusher, 'two'), { E2: 'offboarded removed', E3: 'offboarded removed' });
    for (const { id } of [two, three]) {
      assert.equal((await pusher.get(`/employees/${id}`)).status, 404);
      assert.equal((await pusher.get(`/employees/${id}/documents`)).status, 404);
    }
    assert.equal((await pusher.get(`/employee-documents/${document}`)).status, 404);
    const documents = (await pusher.get('/employee-documents')).body.data;
    assert.deepEqual([documents.total, documents.data[0].id], [1, other]);
    for (const query of [
      '',
      '?search=Muster',
      `?ids=${one.id}&ids=${two.id}`,
      '?emails=anna1@example.com&emails=anna3@example.com',
    ]) {
      const { data } = (await pusher.get(`/employees${query}`)).body;
      assert.deepEqual([data.total, data.data.length], [1, 1], query);
    }
    await assertKeptCounts(pusher);

    const back = await pusher.sync('three', [anEntry(1), anEntry(3, { lastName: 'Neu' }), anEntry(2)]);
    assert.deepEqual(await outcomes(pusher, 'three'), { E2: 'updated returned', E3: 'updated returned' });
    assert.equal(back.counts.created, 0);
    const after = await pusher.employees();
    assert.deepEqual(pluck(after, 'id', 'lastName', 'dateOfBirth'), [
      [one.id, 'Muster1', null],
      [two.id, 'Muster2', null],
      [three.id, 'Neu', '1990-01-01'],
    ]);
    assert.equal((await pusher.get(`/employee-documents/${document}`)).status, 200);
  });

  it('gets the old id back under another hrId or through another integration', async () => {
    const second = await makeSecondPusher(pusher);
    await pusher.sync('one', entries(3));
    const before = await pusher.employees();
    await pusher.sync('two', [anEntry(1)]);
    await pusher.sync('three', [anEntry(1), anEntry(2, { hrId: 'N2' })]);
    await second.sync('one', [anEntry(3, { hrId: 'S3' })]);
    assert.deepEqual(pluck(await pusher.employees(), 'id'), pluck(before, 'id'));
    const last = await pusher.sync('four', [anEntry(1), anEntry(2, { hrId: 'N2' })]);
    assert.equal(last.counts.offboarded, 0);
    assert.equal((await pusher.employees()).length, 3);
  });

  it('is not changed without a link of this integration', async () => {
    const second = await makeSecondPusher(pusher);
    await second.sync('one', [anEntry(7)]);
    const linkless = await makeEmployee(app.db, pusher.companyId);
    const custom = await makeEmployee(app.db, pusher.companyId);
    await insertRows(app.db, 'hr_links', {
      company_id: pusher.companyId,
      employee_id: custom,
      hr_integration_id: null,
      hr_id: 'E1',
    });
    await pusher.sync('one', entries(2));
    const sync = await pusher.sync('two', [anEntry(2)]);
    assert.deepEqual([sync.counts.offboarded, sync.counts.unchanged], [1, 1]);
    const ids = (await pusher.employees()).map(({ id }) => id);
    for (const id of [linkless, custom]) assert(ids.includes(id));
    assert.equal(ids.length, 4);
    assert.equal((await second.employee('E7')).email, 'anna7@example.com');
  });

  it('keeps the last sync that contained them in the link', async () => {
    await sql`update companies set guard_minimum_linked = 2 where id = ${pusher.companyId}`.execute(app.db);
    await pusher.sync('one', entries(3));
    const first = await pusher.integration();
    await pusher.sync('two', [anEntry(1, { firstName: 'Eva' }), anEntry(2)]);
    const second = await pusher.integration();
    const linkOf = async (hrId: string) => (await pusher.employee(hrId)).hrIntergartionLinks[0];
    const seen = async (hrId: string) => {
      const { lastSyncId, lastSynced, type } = await linkOf(hrId);
      assert.equal(type, 'hr-integration');
      return [lastSyncId, lastSynced];
    };
    assert.equal(second.lastSyncStatus, 'partially-failed');
    assert.deepEqual(await seen('E3'), ['one', first.lastSynced]);
    for (const hrId of ['E1', 'E2']) assert.deepEqual(await seen(hrId), ['two', second.lastSynced]);
    await pusher.sync('three', [anEntry(1), anEntry(2)]);
    assert.equal((await seen('E3'))[0], 'one');
    await pusher.sync('four', entries(3));
    assert.equal((await seen('E3'))[0], 'four');
    await pusher.sync('five', entries(3));
    for (const hrId of ['E1', 'E2', 'E3']) assert.equal((await seen(hrId))[0], 'five');
  });

  it('who returns with a taken address counts as contained in that sync', async () => {
    await sql`update companies set guard_minimum_linked = 2 where id = ${pusher.companyId}`.execute(app.db);
    await makeEmployee(app.db, pusher.companyId, { email: 'kept@example.com' });
    await pusher.sync('one', entries(3));
    await pusher.sync('two', entries(2));
    const sync = await pusher.sync('three', [...entries(2), anEntry(3, { email: 'kept@example.com' })]);
    assert.equal(sync.counts.failed, 1);
    assert.equal((await pusher.employee('E3')).hrIntergartionLinks[0].lastSyncId, 'three');
  });
});

describe('the outcome of a sync', () => {
  const pusher = useEach(() => makePusher(app));

  it('becomes visible together with all its changes', async () => {
    const before = await pusher.integration();
    assert.deepEqual(
      [before.lastSyncId, before.lastSynced, before.lastSyncStatus, before.initialConnectionStatus],
      [null, null, null, 'final-sync-pending'],
    );
    for (let round = 1; round <= 5; round++) {
      await pusher.push(`round ${round}`, entries(round * 20, { firstName: `Round${round}` }));
      let integration = await pusher.integration();
      while (integration.lastSyncId !== `round ${round}`) {
        integration = await pusher.integration();
      }
      assert.deepEqual([integration.lastSyncStatus, integration.initialConnectionStatus], ['succeeded', 'completed']);
      const { data } = (await pusher.get('/employees?perPage=100')).body;
      assert.equal(data.total, round * 20);
      assert(data.data.every((one: { firstName: string }) => one.firstName === `Round${round}`));
      assert.match(integration.lastSynced, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
  });

  it('is in the audit log once, with the key that pushed it', async () => {
    await pusher.sync('one', entries(2));
    const { rows } = await sql<{ actor_name: string; target: string }>`select * from audit_log
      where company_id = ${pusher.companyId} and action = 'sync.apply'`.execute(app.db);
    assert.equal(rows.length, 1);
    assert(JSON.stringify(rows[0]).includes(pusher.key.username));
    assert.equal(rows[0]?.target, `${pusher.integrationId}/one`);
  });

  it('is correct for a large roster with swaps, removals and new employees across slices', async () => {
    const count = 1_200;
    assert.equal((await pusher.sync('one', entries(count, { autoSyncEmployee: true }))).counts.created, count);
    const turned = entries(count).map((entry, index) => ({
      ...entry,
      email: `anna${count - index}@example.com`,
      autoSyncEmployee: true,
    }));
    const sync = await pusher.sync(
      'two',
      [...turned.slice(100), anEntry(count + 1, { email: 'anna1@example.com' })].filter(
        (entry, index, all) => all.findIndex((other) => other.email === entry.email) === index,
      ),
    );
    assert.deepEqual([sync.state, sync.counts.failed], ['succeeded', 0]);
    assert.equal((await pusher.get('/employees?perPage=0')).body.data.total, count - 100);
    await assertKeptCounts(pusher);
  });
});
