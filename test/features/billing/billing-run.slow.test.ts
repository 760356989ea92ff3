import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { billPeriod } from '../../../src/features/billing/run.ts';
import { lockCompany } from '../../../src/features/companies/companies.ts';
import { correctItem } from '../../../src/features/corrections/correct.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { anEmployee, makeEmployees } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { watchStatements } from '../../support/statements.ts';
import { anEntry, entries, makePulling, makeSecondPusher } from '../../support/sync.ts';

const subscribed = { autoSyncEmployee: true } as const;

describe('the billing run', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  async function begin(settings: Record<string, unknown> = {}, day = '2026-01-15') {
    fixture.clock.moveTo(day);
    return joinCompany(fixture, settings);
  }

  const bill = ({ companyId }: TestCompany, period: string) =>
    watchStatements(fixture.app.db)
      .transaction()
      .execute(async (tx) => {
        await lockCompany(tx, companyId);
        return billPeriod(tx, { companyId, month: Temporal.PlainDate.from(period), now: fixture.clock.now() });
      });

  const correct = (item: number, reason = 'Billed by mistake') => {
    const { db, deps } = fixture.app;
    return correctItem({ db, ...deps }, { item, reason, company: undefined });
  };

  /** Creates a company whose employees are all subscribed on its plan. Accepts their contracts by hand. */
  async function withPlan(plan: string, contribution: number, day = '2026-01-15', count = 1) {
    const company = await begin({ plan_type: plan, contribution_cents: contribution }, day);
    await company.sync('one', entries(count, subscribed));
    await sql`update employees set contract_status = 'accepted' where company_id = ${company.companyId}
      and contract_status is not null`.execute(fixture.app.db);
    return company;
  }

  // Gross price, tax and shares, computed by hand from section 6 of the contract.
  const cases: [what: string, plan: string, contribution: number, joined: string, period: string, charge: string][] = [
    ['fully subsidized in 2026', 'fully-subsidized-plan', 0, '2026-01-15', '2026-02-01', '5593 + 392 = 5985 (5985/0)'],
    ['split-pay of 20.00', 'split-pay-plan', 2000, '2026-01-15', '2026-02-01', '5593 + 392 = 5985 (3985/2000)'],
    [
      'the company bears exactly 25 %',
      'split-pay-plan',
      4725,
      '2026-01-15',
      '2026-02-01',
      '5593 + 392 = 5985 (1260/4725)',
    ],
    ['one cent less', 'split-pay-plan', 4726, '2026-01-15', '2026-02-01', '5888 + 412 = 6300 (1574/4726)'],
    [
      'a contribution above the price',
      'split-pay-plan',
      9900,
      '2026-01-15',
      '2026-02-01',
      '5888 + 412 = 6300 (0/6300)',
    ],
    ['deferred', 'deferred-plan', 0, '2026-01-15', '2026-02-01', '5888 + 412 = 6300 (0/6300)'],
    [
      'before the price change at new year',
      'deferred-plan',
      0,
      '2025-11-15',
      '2025-12-01',
      '5421 + 379 = 5800 (0/5800)',
    ],
    ['after it', 'deferred-plan', 0, '2025-12-15', '2026-01-01', '5888 + 412 = 6300 (0/6300)'],
    ['in the first year', 'fully-subsidized-plan', 0, '2023-05-15', '2023-06-01', '4350 + 305 = 4655 (4655/0)'],
  ];
  for (const [what, plan, contribution, joined, period, charge] of cases) {
    it(`charges ${charge}: ${what}`, async () => {
      const company = await withPlan(plan, contribution, joined);
      await company.runTo(period);
      assert.equal((await company.charges(period))[0], `ticket-charge ${charge}`);
    });
  }

  it('charges fees once per company, and each linked employee once, for the integration that linked them first', async () => {
    const company = await begin({ guard_maximum_absent_percent: 100 });
    const second = await makeSecondPusher(company);
    const disabled = await makeSecondPusher(company);
    const pushing = await makeSecondPusher(company);
    await makePulling(fixture.app.db, company);
    await sql`update hr_integrations set type = 'api-integration' where company_id = ${company.companyId}
      and id = ${pushing.integrationId}`.execute(fixture.app.db);
    await pushing.sync('zero', entries(2));
    await company.sync('one', entries(3, subscribed));
    await second.sync('two', [...entries(2), anEntry(9)]);
    await disabled.sync('three', entries(3));
    await sql`update hr_integrations set status = 'inactive' where company_id = ${company.companyId}
      and id = ${disabled.integrationId}`.execute(fixture.app.db);
    await company.runTo('2026-02-01');
    assert.deepEqual((await company.charges('2026-02-01')).slice(3), [
      'service-charge 450 + 86 = 536',
      'hr-integration-charge 300 + 57 = 357',
      'hr-integration-charge 100 + 19 = 119',
    ]);
    const fees = (await company.items('2026-02-01')).filter(({ charge }) => charge.type === 'hr-integration-charge');
    assert.deepEqual(
      fees.map(({ _links }) => _links.hrIntegration.href.split('/').at(-1)),
      [String(company.integrationId), String(second.integrationId)],
    );
  });

  it('charges fees that follow use for the months before with use, and says what each fee is for', async () => {
    const { db } = fixture.app;
    const company = await begin();
    await sql`insert into fee_prices (charge_type, valid_from, net_cents, tax_percent) values
      ('api-charge', '2026-02-01', 990, 19), ('hr-payroll-integration-charge', '2026-02-01', 500, 19)`.execute(db);
    await makePulling(db, company);
    await company.sync('one', entries(2, subscribed));
    await company.runTo('2026-02-01');
    // The hours of the time zone decide: 23:00 on 31 January in UTC is the first hour of February in Berlin.
    await sql`delete from api_key_usage where company_id = ${company.companyId}`.execute(db);
    await sql`insert into api_key_usage (company_id, key_id, hour, requests, client_errors, server_errors)
      values (${company.companyId}, 'key', '2026-01-31T23:00:00Z', 1, 0, 0),
        (${company.companyId}, 'key', '2026-02-28T23:00:00Z', 1, 0, 0)`.execute(db);
    await sql`insert into payroll_files (company_id, number, period, system, lines, employees, tax_free_cents,
        flat_tax_cents, deduction_cents, content, size_bytes, sha256, exported_at, exported_by)
      values (${company.companyId}, 1, '2026-02-01', 'csv', 1, 1, 0, 0, 0, '', 0, '', '2026-03-15T12:00:00Z', 'test')`.execute(
      db,
    );
    await company.runTo('2026-05-01');
    const fees = async (period: string) =>
      (await company.items(period))
        .filter(({ charge }) => charge.type !== 'ticket-charge')
        .map(({ charge, usage }) => [charge.type, usage.quantity, usage.unit, usage.period]);
    const always = (month: string) => [
      ['service-charge', 2, 'ticket', month],
      ['hr-integration-charge', 2, 'linked-employee', month],
    ];
    assert.deepEqual(await fees('2026-02-01'), always('2026-02-01'));
    assert.deepEqual(await fees('2026-03-01'), [
      ...always('2026-03-01'),
      ['api-charge', 1, 'month-with-api-calls', '2026-02-01'],
    ]);
    assert.deepEqual(await fees('2026-04-01'), [
      ...always('2026-04-01'),
      ['hr-payroll-integration-charge', 1, 'month-with-payroll-export', '2026-03-01'],
      ['api-charge', 1, 'month-with-api-calls', '2026-03-01'],
    ]);
    assert.deepEqual(await fees('2026-05-01'), always('2026-05-01'));
    await sql`delete from fee_prices where charge_type in ('api-charge', 'hr-payroll-integration-charge')
      and valid_from = '2026-02-01'`.execute(db);
  });

  it('announces the fees of newly linked employees and who would be reactivated, in a preview', async () => {
    const company = await begin({ guard_maximum_absent_percent: 100 });
    const second = await makeSecondPusher(company);
    assert.equal((await company.preview(entries(3, subscribed))).newFees, null, 'links of pushes are free');
    await makePulling(fixture.app.db, company);
    const { newFees, reactivated } = await company.preview(entries(3, subscribed));
    assert.deepEqual(
      [newFees.employees, newFees.perEmployee.value, newFees.perMonth.value, reactivated],
      [3, 100, 300, 0],
    );
    await company.sync('one', entries(3, subscribed));
    // A second integration that links the same employees costs nothing more.
    assert.equal((await second.preview(entries(3))).newFees, null);
    assert.equal((await second.preview([...entries(3), anEntry(9)])).newFees.employees, 1);
    await company.runTo('2026-02-01');
    await company.sync('two', entries(1, subscribed));
    const back = await company.preview(entries(3, subscribed));
    assert.deepEqual([back.reactivated, back.counts.updated], [2, 2]);
  });

  it('creates no item for a fee of 0, and none for a company without employees', async () => {
    const company = await begin();
    await makePulling(fixture.app.db, company);
    await company.runTo('2026-03-01');
    assert.deepEqual(await company.items('2026-02-01'), []);
    await company.sync('one', entries(1));
    await company.runTo('2026-04-01');
    assert.deepEqual(await company.charges('2026-04-01'), ['hr-integration-charge 100 + 19 = 119']);
  });

  it('bills employees as they were, with the HR id of their integration', async () => {
    const company = await withPlan('fully-subsidized-plan', 0);
    await company.runTo('2026-02-01');
    await company.sync('two', [anEntry(1, { ...subscribed, lastName: 'Married', email: 'new@example.com' })]);
    await company.runTo('2026-03-01');
    const profiles = await Promise.all(
      ['2026-02-01', '2026-03-01'].map(async (period) => (await company.items(period))[0].charge.employee.profile),
    );
    assert.deepEqual(pluck(profiles, 'lastName', 'email', 'hrId'), [
      ['Muster1', 'anna1@example.com', 'E1'],
      ['Married', 'new@example.com', 'E1'],
    ]);
  });

  it('bills an employee with several HR ids under that of an active integration', async () => {
    const company = await begin();
    const second = await makeSecondPusher(company);
    await company.sync('one', [anEntry(1, subscribed)]);
    await second.sync('two', [anEntry(1, { ...subscribed, hrId: 'S1' })]);
    const { id } = await company.employee('E1');
    await sql`insert into hr_links (company_id, employee_id, hr_id) values (${company.companyId}, ${id}, 'by hand')`.execute(
      fixture.app.db,
    );
    const disable = ({ integrationId }: { integrationId: number }) =>
      sql`update hr_integrations set status = 'inactive' where company_id = ${company.companyId}
        and id = ${integrationId}`.execute(fixture.app.db);
    const billedAs = async (period: string) => {
      await company.runTo(period);
      return (await company.items(period))[0].charge.employee.profile.hrId;
    };
    assert.equal(await billedAs('2026-02-01'), 'E1');
    await disable(company);
    assert.equal(await billedAs('2026-03-01'), 'S1');
    await disable(second);
    assert.equal(await billedAs('2026-04-01'), 'by hand');
    await sql`delete from hr_links where company_id = ${company.companyId} and hr_integration_id is null`.execute(
      fixture.app.db,
    );
    assert.equal(await billedAs('2026-05-01'), 'E1');
  });

  it('adds nothing the second time, even with eight concurrent runs', async () => {
    const company = await withPlan('split-pay-plan', 2000, '2026-01-15', 30);
    await makePulling(fixture.app.db, company);
    await company.runTo('2026-02-01');
    const before = await company.items('2026-02-01');
    assert.equal(before.length, 32);
    const added = await Promise.all(Array.from({ length: 8 }, () => bill(company, '2026-02-01')));
    assert.deepEqual(added, [0, 0, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual(await company.items('2026-02-01'), before);
  });

  it('bills unbilled tickets exactly once with eight concurrent runs', async () => {
    const company = await begin();
    const employees = Array.from({ length: 300 }, () =>
      anEmployee({ subscription_status: 'active', start_on: '2025-01-01' }),
    );
    await makeEmployees(fixture.app.db, company.companyId, employees);
    await sql`insert into tickets (company_id, employee_id, month, ticket_id, valid_from, valid_until, wallet_token, plan_type)
      select company_id, id, '2026-01-01', id, '2026-01-01', '2026-01-31', id, plan_type from employees
      where company_id = ${company.companyId}`.execute(fixture.app.db);
    const added = await Promise.all(Array.from({ length: 8 }, () => bill(company, '2026-01-01')));
    assert.deepEqual(
      added.toSorted((a, b) => a - b),
      [0, 0, 0, 0, 0, 0, 0, 301],
    );
    const items = await company.items('2026-01-01');
    assert.equal(new Set(items.map(({ charge }) => charge.employee?.profile.id)).size, 301);
    const { body } = await company.get('/billing/items?perPage=0&period=2026-01-01');
    assert.equal(body.data.total, 301);
  });

  it("creates corrections in the current period of the company's time zone, and leaves the closed month unchanged", async () => {
    const company = await withPlan('fully-subsidized-plan', 0);
    await company.runTo('2026-02-01');
    const before = await company.items('2026-02-01');
    const [charged] = before;
    const totals = async (period: string) =>
      (await company.get(`/billing/items?perPage=0&period=${period}`)).body.data.total;
    // In Berlin it is already March, in UTC it is not.
    fixture.clock.moveTo('2026-03-01', '00:30');
    const { period, corrects } = await correct(charged.id);
    assert.deepEqual([period, corrects], ['2026-03-01', { id: charged.id, period: '2026-02-01' }]);
    assert.deepEqual(await company.items('2026-02-01'), before);
    assert.equal(await totals('2026-02-01'), before.length);
    const march = (await company.items('2026-03-01')).filter(({ charge }) => charge.type === 'ticket-charge');
    assert.deepEqual(
      march.map(({ billing, corrects, reason }) => [billing.overall.value, corrects, reason]),
      [
        [5985, null, null],
        [-5985, { id: charged.id, period: '2026-02-01' }, 'Billed by mistake'],
      ],
      'March was billed before the correction was made',
    );
  });

  it('adds nothing in a second run, whatever changed since the first of the month', async () => {
    const company = await begin({ guard_maximum_absent_percent: 100 });
    await company.sync('one', entries(2, subscribed));
    await company.runTo('2026-02-01');
    const billed = await company.items('2026-02-01');
    const late = await makeSecondPusher(company);
    await company.sync('two', entries(5, subscribed));
    await late.sync('three', entries(3));
    const added = await Promise.all(Array.from({ length: 4 }, () => bill(company, '2026-02-01')));
    assert.deepEqual(added, [0, 0, 0, 0]);
    await company.runTo('2026-02-20');
    assert.equal(await bill(company, '2026-02-01'), 0);
    assert.deepEqual(await company.items('2026-02-01'), billed);
  });

  it('adds nothing in a second run if nobody was linked on the first of the month', async () => {
    const company = await begin();
    await company.runTo('2026-02-01');
    await company.sync('one', entries(3));
    assert.equal(await bill(company, '2026-02-01'), 0);
    assert.deepEqual(await company.items('2026-02-01'), []);
  });

  it('bills the quantities of the first of the month when a later run creates the items', async () => {
    const company = await begin();
    await company.sync('one', entries(2, subscribed));
    await company.runTo('2026-02-01');
    const fees = (await company.charges('2026-02-01')).slice(2);
    await sql`delete from billing_items where company_id = ${company.companyId} and charge_type <> 'ticket-charge'`.execute(
      fixture.app.db,
    );
    await company.sync('two', entries(7, subscribed));
    assert.equal(await bill(company, '2026-02-01'), fees.length);
    assert.deepEqual((await company.charges('2026-02-01')).slice(2), fees);
  });

  it('reverses a charge with a new item, once', async () => {
    const company = await withPlan('split-pay-plan', 2000);
    await company.runTo('2026-02-01');
    const [charged] = await company.items('2026-02-01');
    const outcomes = await Promise.allSettled([correct(charged.id), correct(charged.id)]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    const items = (await company.items('2026-02-01')).filter(({ charge }) => charge.type === 'ticket-charge');
    assert.deepEqual(items[0], charged);
    const [, reversal] = items;
    assert.deepEqual(
      [reversal.billing.total.value, reversal.billing.tax.value, reversal.billing.overall.value],
      [-5593, -392, -5985],
    );
    assert.deepEqual(
      [reversal.charge.plan.companyAmount.value, reversal.charge.plan.employeeAmount.value],
      [-3985, -2000],
    );
    assert.deepEqual(reversal.charge.employee, charged.charge.employee);
    const totals = await sql<{ items: number; gross_cents: number }>`select items, gross_cents from billing_totals
      where company_id = ${company.companyId} and charge_type = 'ticket-charge'`.execute(fixture.app.db);
    assert.deepEqual(totals.rows, [{ items: 2, gross_cents: 0 }]);
    assert.deepEqual(reversal.corrects, { id: charged.id, period: '2026-02-01' });
    assert.deepEqual([charged.corrects, charged.reason, reversal.reason], [null, null, 'Billed by mistake']);
    await assert.rejects(correct(reversal.id), /corrections cannot be corrected/);
    await assert.rejects(correct(999_999_999), /There is no billing item/);
    assert.equal(await bill(company, '2026-02-01'), 0);
  });
});
