import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { correctItem } from '../../src/features/corrections/correct.ts';
import type { Overview } from '../../src/portal/contract.ts';
import { joinCompany, type TestCompany, useFixture } from '../support/daily-run.ts';
import { setBuyer, setSeller } from '../support/invoicing.ts';
import { pluck } from '../support/pluck.ts';
import { makeUser, type PortalClient, signIn } from '../support/portal.ts';
import { anEntry, entries } from '../support/sync.ts';

interface Visitor extends TestCompany {
  client: PortalClient;
  overview(by?: PortalClient): Promise<Overview>;
}

describe('the overview', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  /** Creates a company on 15 January 2026, and signs in an admin. */
  async function visit(settings: Record<string, unknown> = {}): Promise<Visitor> {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture, settings);
    const client = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'admin'));
    const overview = async (by = client) => {
      const { status, body } = await by.get('/overview');
      assert.equal(status, 200, JSON.stringify(body));
      return body.data as Overview;
    };
    return { ...company, client, overview };
  }

  const employeesIn = ({ employeesByStatus }: Overview) =>
    Object.fromEntries(employeesByStatus.filter(({ employees }) => employees > 0).map((one) => Object.values(one)));

  it('of a new company asks for the first roster, and has every status and twelve months, all with zero', async () => {
    const company = await visit();
    const overview = await company.overview();
    assert.deepEqual(overview.tasks, [{ kind: 'first-roster', dueOn: null, integrationId: company.integrationId }]);
    assert.deepEqual(
      overview.employeesByStatus.map(({ status, employees }) => `${status} ${employees}`),
      [
        'no-subscription 0',
        'scheduled 0',
        'active 0',
        'scheduled-pause 0',
        'paused 0',
        'scheduled-cancellation 0',
        'cancelled 0',
      ],
    );
    assert.deepEqual(
      pluck(overview.months, 'month'),
      ['02', '03', '04', '05', '06', '07', '08', '09', '10', '11', '12']
        .map((month) => `2025-${month}`)
        .concat('2026-01'),
    );
    assert(overview.months.every(({ tickets, gross }) => tickets === 0 && gross.value === 0));
    assert.equal(overview.months[0]?.gross.label, '0,00\u00a0€');
    assert.deepEqual(
      [overview.deadline, overview.cutOffOn, overview.forecast.month, overview.forecast.tickets],
      [{ kind: 'tickets', on: '2026-02-01' }, '2026-02-10', '2026-02', 0],
    );
  });

  it('counts employees, tickets and charges', async () => {
    const company = await visit();
    const pausing = { absences: [{ startDate: '2026-04-01', endDate: '2026-05-31', approved: true }] };
    const leaving = { terminationDate: '2026-03-20' };
    await company.sync('one', [
      ...entries(3, { autoSyncEmployee: true }),
      anEntry(4, { autoSyncEmployee: true, ...pausing }),
      anEntry(5, { autoSyncEmployee: true, ...leaving }),
      anEntry(6, { autoSyncEmployee: true, startDate: '2026-06-15' }),
      anEntry(7),
    ]);
    assert.equal((await company.overview()).forecast.tickets, 5);
    await company.runTo('2026-03-05');
    const march = await company.overview();
    assert.deepEqual(employeesIn(march), {
      'no-subscription': 1,
      scheduled: 1,
      active: 3,
      'scheduled-pause': 1,
      'scheduled-cancellation': 1,
    });
    assert.deepEqual(
      [march.deadline, march.cutOffOn, march.forecast.month, march.forecast.tickets],
      [{ kind: 'cut-off', on: '2026-03-10' }, '2026-03-10', '2026-04', 3],
    );
    for (const [month, tickets] of [
      ['2026-01', 0],
      ['2026-02', 5],
      ['2026-03', 5],
    ] as const) {
      const shown = march.months.find((one) => one.month === month);
      const items = await company.items(`${month}-01`);
      const gross = items.reduce((sum, item) => sum + item.billing.overall.value, 0);
      assert.deepEqual([shown?.tickets, shown?.gross.value], [tickets, gross], month);
      assert.equal(shown?.gross.value, (shown?.ticketCharges.value ?? 0) + (shown?.fees.value ?? 0));
    }
  });

  it('expects as many tickets as the list of employees shows, on every day', async () => {
    const company = await visit({ plan_type: 'split-pay-plan', contribution_cents: 2000 });
    await company.sync('one', [
      ...entries(4, { autoSyncEmployee: true }),
      anEntry(5, { autoSyncEmployee: true, absences: [{ startDate: '2026-03-01', endDate: null, approved: true }] }),
      anEntry(6, { autoSyncEmployee: true, terminationDate: '2026-02-28' }),
    ]);
    await sql`update employees set contract_status = 'accepted', due_on = '-infinity'
      where company_id = ${company.companyId} and email <> 'anna1@example.com'`.execute(fixture.app.db);
    // The update bypassed the service, so the next roster plans what follows from it.
    await company.sync('two', entries(6, { firstName: 'Eva' }));
    let sum = 0;
    for (const day of ['2026-01-20', '2026-01-31', '2026-02-01', '2026-02-27', '2026-03-01', '2026-04-15']) {
      await company.runTo(day);
      const { forecast } = await company.overview();
      const on = `${forecast.month}-01`;
      const expected = (await company.employees()).filter((one) => one.subscription.nextTicketAt === on);
      assert.equal(forecast.tickets, expected.length, day);
      sum += expected.length;
    }
    assert(sum > 10, `${sum}`);
  });

  it('counts a corrected ticket once and adds nothing for its charge', async () => {
    const company = await visit();
    await company.sync('one', entries(3, { autoSyncEmployee: true }));
    await company.runTo('2026-02-01');
    const before = (await company.overview()).months.at(-1);
    const [item] = await company.items('2026-02-01');
    const { db, deps } = fixture.app;
    const correction = { item: item.id, reason: 'Never travelled.', company: company.companyId };
    await correctItem({ db, ...deps }, correction);
    const after = (await company.overview()).months.at(-1);
    assert.deepEqual([before?.tickets, after?.tickets], [3, 3]);
    assert.equal((before?.gross.value ?? 0) - (after?.gross.value ?? 0), item.billing.overall.value);
  });

  it('forecasts to the cent what the next month is billed', async () => {
    const company = await visit({ plan_type: 'split-pay-plan', contribution_cents: 2000, country: 'AT', vat_id: null });
    await company.sync('one', [
      ...entries(4, { autoSyncEmployee: true }),
      anEntry(5, { autoSyncEmployee: true, absences: [{ startDate: '2026-01-01', endDate: null, approved: true }] }),
      anEntry(6),
    ]);
    const { db } = fixture.app;
    await sql`update employees set contract_status = 'accepted', due_on = '-infinity'
      where company_id = ${company.companyId}`.execute(db);
    await company.sync('two', entries(6, { firstName: 'Eva' }));
    for (const month of ['2026-02', '2026-03']) {
      const { forecast } = await company.overview();
      await company.runTo(`${month}-01`);
      assert(forecast.tickets > 0 && forecast.fees.value > 0);
      assert.deepEqual((await company.overview()).months.at(-1), forecast, month);
    }
  });

  it('lists the tasks about rosters, most urgent first', async () => {
    const company = await visit({
      plan_type: 'deferred-plan',
      guard_minimum_linked: 4,
      guard_maximum_absent_percent: 20,
    });
    await company.sync('one', entries(5, { autoSyncEmployee: true }));
    await company.sync('two', entries(2));
    const { db } = fixture.app;
    const makeUnhealthy = async (name: string, status: string, last: string | null) => {
      const { rows } = await sql<{ id: number }>`
        insert into hr_integrations (company_id, name, type, status, initial_connection_status, last_sync_id, last_sync_status)
        values (${company.companyId}, ${name}, 'hr-integration', ${status}, 'completed', ${last && 'x'}, ${last})
        returning id`.execute(db);
      return rows[0]?.id;
    };
    const failed = await makeUnhealthy('Failed', 'active', 'failed');
    const refused = await makeUnhealthy('Refused', 'active', 'authentication-failed');
    const invalid = await makeUnhealthy('Invalid', 'invalid', 'succeeded');
    await makeUnhealthy('Disabled', 'inactive', 'failed');
    await makeUnhealthy('Partly', 'active', 'partially-failed');
    const unhealthy = { kind: 'integration-unhealthy', dueOn: null };
    const agreements = { kind: 'open-agreements', dueOn: '2026-01-31', month: '2026-02-01', employees: 5 };
    const removals = { kind: 'pending-removals', dueOn: '2026-02-10', month: '2026-03-01', removals: 3, syncId: 'two' };
    const name = (await company.integration()).name;
    const tasks = [
      { ...unhealthy, integrationId: failed, integrationName: 'Failed', status: 'failed' },
      { ...unhealthy, integrationId: refused, integrationName: 'Refused', status: 'authentication-failed' },
      { ...unhealthy, integrationId: invalid, integrationName: 'Invalid', status: 'invalid' },
      { ...agreements, unlinked: 5, remindable: 0 },
      { ...removals, integrationId: company.integrationId, integrationName: name },
    ];
    const overview = await company.overview();
    assert.deepEqual(overview.tasks, tasks);
    const viewer = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'viewer'));
    const seen = await company.overview(viewer);
    assert.deepEqual(seen.tasks, [], 'a viewer can do nothing');
    const rosters = { pendingRemovals: [{ integrationId: company.integrationId, syncId: 'two' }], overdue: [] };
    assert.deepEqual([overview.rosters, seen.rosters], [rosters, rosters]);
    assert.deepEqual(pluck((await (await visit()).overview()).tasks, 'kind'), ['first-roster']);
  });

  it('counts the agreements that are open, and who can be reminded of theirs', async () => {
    const company = await visit({ plan_type: 'deferred-plan' });
    await company.sync('one', entries(4, { autoSyncEmployee: true }));
    await company.sync('two', [...entries(3, { autoSyncEmployee: true }), anEntry(4, { autoSyncEmployee: false })]);
    const counts = async () =>
      (await company.overview()).tasks.flatMap((task) =>
        task.kind === 'open-agreements' ? [[task.employees, task.unlinked, task.remindable]] : [],
      );
    assert.deepEqual(await counts(), [[3, 3, 0]], 'an ended subscription has no open agreement');
    const ids = pluck(await company.employees(), 'id').slice(0, 2);
    assert.equal((await company.client.post('/contracts/links', { employeeIds: ids })).status, 200);
    assert.deepEqual(await counts(), [[3, 1, 2]]);
    assert.equal((await company.client.post('/contracts/reminders', { employeeIds: ids.slice(0, 1) })).status, 200);
    assert.deepEqual(await counts(), [[3, 1, 1]], 'once per day');
  });

  it('asks about employees without a decision', async () => {
    const company = await visit();
    await company.sync('one', [
      anEntry(1, { autoSyncEmployee: true }),
      anEntry(2, { autoSyncEmployee: false }),
      ...[anEntry(3), anEntry(4)],
    ]);
    assert.deepEqual((await company.overview()).tasks, [
      {
        kind: 'undecided-employees',
        ...{ dueOn: '2026-01-31', month: '2026-02-01', employees: 2, unsubscribed: 3, canInvite: false },
      },
    ]);
  });

  it('shows a new invoice until its due date', async () => {
    const company = await visit();
    const { db } = fixture.app;
    await setSeller(db, fixture.clock.now());
    await setBuyer(db, company.companyId, fixture.clock.now());
    await company.sync('one', entries(2, { autoSyncEmployee: true }));
    const invoices = async () =>
      (await company.overview()).tasks.flatMap((task) =>
        task.kind === 'invoice' ? [[task.dueOn, task.gross.value]] : [],
      );
    assert.deepEqual(await invoices(), []);
    await company.runTo('2026-02-15');
    const { gross } = (await company.overview()).months.at(-1) ?? {};
    assert.deepEqual(await invoices(), [['2026-02-15', gross?.value]]);
    await company.runTo('2026-02-16');
    assert.deepEqual(await invoices(), []);
  });

  it('asks for the payroll export of a month until it is made, and says what blocks it', async () => {
    const company = await visit({ payroll_system: 'datev-lodas' });
    await company.sync('one', [
      anEntry(1, { autoSyncEmployee: true, personnelNumber: '17' }),
      anEntry(2, { autoSyncEmployee: true, personnelNumber: 'none' }),
    ]);
    await company.runTo('2026-02-14');
    const payroll = async () =>
      (await company.overview()).tasks.flatMap((task) =>
        task.kind === 'payroll' ? [[task.period, task.dueOn, task.missingSettings, task.problems]] : [],
      );
    const numbers = ['payrollConsultant', 'payrollClient', 'wageTypeTaxFree'];
    assert.deepEqual(await payroll(), [['2026-02-01', '2026-02-28', numbers, 1]]);
    await sql`update companies set payroll_consultant = 1234567, payroll_client = 12345, wage_type_tax_free = 700
      where id = ${company.companyId}`.execute(fixture.app.db);
    await company.sync('two', [
      anEntry(1, { autoSyncEmployee: true, personnelNumber: '17' }),
      anEntry(2, { autoSyncEmployee: true, personnelNumber: '18' }),
    ]);
    await company.runTo('2026-03-14');
    assert.deepEqual(await payroll(), [
      ['2026-02-01', '2026-02-28', [], 0],
      ['2026-03-01', '2026-03-31', [], 0],
    ]);
    for (const period of ['2026-02-01', '2026-03-01']) {
      assert.equal((await company.client.post(`/payroll/${period}`, {})).status, 200);
    }
    assert.deepEqual(await payroll(), []);
  });
});
