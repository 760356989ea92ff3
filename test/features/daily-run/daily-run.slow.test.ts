import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { catchUp, listDueCompanies } from '../../../src/features/daily-run/run.ts';
import { employeeExample } from '../../../src/features/employees/contract.ts';
import { type Fixture, joinCompany, onlyEmployee, useFixture } from '../../support/daily-run.ts';
import { rowsOf } from '../../support/rows.ts';
import { anEntry, assertKeptCounts, entries, makePulling } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

const subscribed = { autoSyncEmployee: true } as const;

describe('the daily run', () => {
  const fixture = useFixture('2026-01-15');

  async function begin(settings: Record<string, unknown> = {}) {
    fixture.clock.moveTo('2026-01-15');
    return joinCompany(fixture, settings);
  }

  it('starts subscriptions on the first, with a ticket and a charge, and not before', async () => {
    const company = await begin();
    await makePulling(fixture.app.db, company);
    await company.sync('one', entries(2, subscribed));
    await company.runTo('2026-01-31');
    assert.deepEqual(await company.tickets(), []);
    const result = await company.runTo('2026-02-01');
    assert.deepEqual(result, { days: 1, moved: 2, tickets: 2, charges: 4, removed: 0, erased: 0 });
    for (const employee of await company.employees()) {
      assert.equal(employee.subscription.status, 'active');
      assert.equal(employee.subscription.nextTicketAt, '2026-03-01');
      assert.match(employee.ticket.ticketId, /^DT-202602-\d{6,}$/);
      // The example in the OpenAPI document must have the form of real ticket ids.
      assert.match(employeeExample.ticket?.ticketId ?? '', /^DT-202611-\d{6,}$/);
      assert.equal(employee.ticket.ticketMonth, '2026-02');
      assert.deepEqual([employee.ticket.validFrom, employee.ticket.validUntil], ['2026-02-01', '2026-02-28']);
      assert.match(employee.ticket.links.apple, /\/v1\/wallet\/apple\/\d+\.[\w-]{43}$/);
    }
    assert.deepEqual(await company.charges('2026-02-01'), [
      'ticket-charge 5593 + 392 = 5985 (5985/0)',
      'ticket-charge 5593 + 392 = 5985 (5985/0)',
      'service-charge 300 + 57 = 357',
      'hr-integration-charge 200 + 38 = 238',
    ]);
    await assertKeptCounts(company);
  });

  it('processes a day once, however often and concurrently it runs', async () => {
    const company = await begin();
    await makePulling(fixture.app.db, company);
    await company.sync('one', entries(20, subscribed));
    fixture.clock.moveTo('2026-02-01');
    const run = () => catchUp(fixture.app.db, fixture.app.deps, company.companyId);
    const runs = await Promise.all(Array.from({ length: 8 }, run));
    // The worker may have processed some of the days.
    const days = runs.reduce((sum, result) => sum + result.days, 0);
    assert.ok(days > 0 && days <= 17, `${days} days`);
    assert.equal((await company.tickets()).length, 20);
    assert.equal((await company.charges('2026-02-01')).length, 22);
    assert.equal((await company.runTo('2026-02-01')).days, 0);
  });

  it('catches up missed days in order: every month has its ticket at its own price', async () => {
    fixture.clock.moveTo('2025-10-20');
    const company = await joinCompany(fixture);
    await company.sync('one', [
      anEntry(1, subscribed),
      anEntry(2, { ...subscribed, terminationDate: '2025-12-31' }),
      anEntry(3, { ...subscribed, absences: [{ startDate: '2025-11-15', endDate: '2026-01-14', approved: true }] }),
    ]);
    await company.runTo('2026-02-10');
    assert.deepEqual(await company.tickets(), [
      'anna1@example.com 2025-11',
      'anna2@example.com 2025-11',
      'anna3@example.com 2025-11',
      'anna1@example.com 2025-12',
      'anna2@example.com 2025-12',
      'anna1@example.com 2026-01',
      'anna3@example.com 2026-01',
      'anna1@example.com 2026-02',
      'anna3@example.com 2026-02',
    ]);
    assert.equal((await company.charges('2025-12-01'))[0], 'ticket-charge 5150 + 360 = 5510 (5510/0)');
    assert.equal((await company.charges('2026-01-01'))[0], 'ticket-charge 5593 + 392 = 5985 (5985/0)');
    assert.equal((await company.employee('E2')).subscription.cancelledAt, '2026-01-01');
    const back = (await company.employee('E3')).subscription;
    assert.deepEqual([back.status, back.pausedAt, back.reactivatedAt], ['active', '2025-12-01', '2026-01-01']);
  });

  it('processes missed days before a roster is applied, by the facts known before', async () => {
    const company = await begin();
    await company.sync('one', entries(2, subscribed));
    // The daily run of the first has not taken place when a roster without the second employee arrives.
    fixture.clock.moveTo('2026-02-03');
    await company.sync('two', [anEntry(1, subscribed)]);
    assert.deepEqual(await company.tickets(), ['anna1@example.com 2026-02', 'anna2@example.com 2026-02']);
    const leaving = (await company.employee('E2')).subscription;
    assert.deepEqual(
      [leaving.status, leaving.cancelledAt, leaving.upcoming],
      ['scheduled-cancellation', null, { type: 'cancellation', at: '2026-03-01' }],
    );
    await company.runTo('2026-03-01');
    assert.equal((await onlyEmployee(company)).email, 'anna1@example.com');
    const gone = (await company.items('2026-02-01'))[1].charge.employee;
    assert.deepEqual(gone, {
      exists: false,
      profile: { id: null, firstName: null, lastName: null, email: null, hrId: 'E2' },
    });
    await assertKeptCounts(company);
  });

  it('shows the next ticket month by month until a pause or an end', async () => {
    const company = await begin();
    await company.sync('one', [
      anEntry(1, { ...subscribed, terminationDate: '2026-05-20' }),
      anEntry(2, { ...subscribed, absences: [{ startDate: '2026-04-10', endDate: '2026-06-14', approved: true }] }),
      anEntry(3, subscribed),
    ]);
    const seen: string[] = [];
    for (const day of ['01-31', '02-01', '02-28', '03-31', '04-01', '04-30', '05-01', '05-31', '06-01', '07-01']) {
      await company.runTo(`2026-${day}`);
      const next = await Promise.all(['E1', 'E2', 'E3'].map((hrId) => company.employee(hrId)));
      seen.push(`${day}: ${next.map(({ subscription }) => subscription.nextTicketAt?.slice(5, 7) ?? '-').join(' ')}`);
    }
    assert.deepEqual(seen, [
      '01-31: 02 02 02',
      '02-01: 03 03 03',
      '02-28: 03 03 03',
      '03-31: 04 04 04',
      '04-01: 05 06 05',
      '04-30: 05 06 05',
      '05-01: - 06 06',
      '05-31: - 06 06',
      '06-01: - 07 07',
      '07-01: - 08 08',
    ]);
  });

  it('erases removed employees after the retention period, and restores those who return before', async () => {
    const company = await begin({ retention_days: 10, guard_maximum_absent_percent: 100 });
    await company.sync('one', [anEntry(1, subscribed), anEntry(2, subscribed), anEntry(3)]);
    await company.runTo('2026-02-02');
    const before = await company.employee('E2');
    await until('both documents are stored', async () => {
      const { body } = await company.get(`/employees/${before.id}/documents`);
      return body.data.data.every((one: { downloadable: boolean }) => one.downloadable) && body.data.total === 2;
    });
    await company.sync('two', [anEntry(3)]);
    await company.runTo('2026-03-01');
    assert.deepEqual((await company.employees()).length, 1);
    await company.runTo('2026-03-11');
    await company.sync('three', [anEntry(2, subscribed), anEntry(3)]);
    assert.equal((await company.employee('E2')).id, before.id);
    const keys = await rowsOf(fixture.app.db, 'documents', { company_id: company.companyId }, [
      'id',
      'store_key',
      'size_bytes',
      'employee_id',
    ]);
    const { erased } = await company.runTo('2026-03-12');
    assert.equal(erased, 1);
    const left = JSON.stringify(
      await sql`select to_jsonb(e) from employees e where company_id = ${company.companyId}
      union all select to_jsonb(b) from billing_items b where company_id = ${company.companyId}
      union all select to_jsonb(s) from sync_records s where company_id = ${company.companyId}
      union all select to_jsonb(h) from subscription_changes h where company_id = ${company.companyId}
      union all select to_jsonb(d) from documents d where company_id = ${company.companyId}
      union all select to_jsonb(a) from audit_log a where company_id = ${company.companyId}`.execute(fixture.app.db),
    );
    assert.ok(left.includes('Muster2') && left.includes('anna3@example.com'));
    assert.doesNotMatch(left, /Muster1|anna1@/);
    const [charge] = (await company.items('2026-02-01')).filter((one) => one.charge.employee?.profile.hrId === 'E1');
    assert.equal(charge.charge.employee.exists, false);
    assert.equal(charge.billing.overall.value, 5985);
    const files = keys.filter((row) => row.employee_id !== before.id);
    const isStored = async ({ store_key, size_bytes }: (typeof files)[number]) => {
      const stream = await fixture.app.documents.open(store_key ?? '', size_bytes ?? 0).catch(() => undefined);
      // The file may be deleted between the two steps of opening it.
      stream?.on('error', () => {}).destroy();
      return stream !== undefined;
    };
    await until('their files are gone', async () => !(await Promise.all(files.map(isStored))).includes(true));
    // An employee who returns after the erasure is a new employee.
    await company.sync('four', [anEntry(1), anEntry(2, subscribed), anEntry(3)]);
    assert.ok((await company.employee('E1')).id > before.id);
    await assertKeptCounts(company);
  });

  it('counts the retention period from the day of the removal, even if that day is processed late', async () => {
    const company = await begin({ retention_days: 10, guard_maximum_absent_percent: 100 });
    await company.sync('one', [anEntry(1, subscribed), anEntry(2)]);
    await company.runTo('2026-02-02');
    const { id } = await company.employee('E1');
    await company.sync('two', [anEntry(2)]);
    // E1 is removed on the first of March and erased on the 12th. Neither day is processed when the roster arrives.
    fixture.clock.moveTo('2026-03-12');
    await company.sync('three', [anEntry(1, subscribed), anEntry(2)]);
    assert.ok((await company.employee('E1')).id > id);
  });

  it('begins each day in the time zone of the company', async () => {
    fixture.clock.moveTo('2026-01-31', '23:30');
    const places = { berlin: 'Europe/Berlin', kolkata: 'Asia/Kolkata', newYork: 'America/New_York' };
    const companies = await Promise.all(
      Object.entries(places).map(async ([name, zone]) => {
        const company = await joinCompany(fixture, { time_zone: zone, processed_through: '2026-01-31' });
        return { name, id: company.companyId };
      }),
    );
    const due = async () => {
      const { companyIds, isComplete } = await listDueCompanies(fixture.app.db, fixture.clock);
      assert(isComplete);
      return companies.filter(({ id }) => companyIds.includes(id)).map(({ name }) => name);
    };
    assert.deepEqual(await due(), ['kolkata']);
    fixture.clock.moveTo('2026-02-01', '00:00');
    assert.deepEqual(await due(), ['berlin', 'kolkata']);
    fixture.clock.moveTo('2026-02-01', '06:00');
    assert.deepEqual(await due(), ['berlin', 'kolkata', 'newYork']);
  });

  it('is started by the worker when a day begins', async () => {
    const company = await begin();
    await company.sync('one', entries(1, subscribed));
    fixture.clock.moveTo('2026-02-01');
    const other = await startWorldOn(fixture);
    try {
      await until('the ticket is issued', async () => (await company.tickets()).length === 1);
    } finally {
      await other.close();
    }
  });
});

/** Starts another process of the same environment. Its worker checks for days to process when it starts. */
async function startWorldOn({ app, clock }: Fixture) {
  const { startTestApp } = await import('../../support/app.ts');
  return startTestApp({ worker: true, clock, databaseUrl: app.databaseUrl });
}
