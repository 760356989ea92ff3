import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BillingPeriod } from '../../../src/features/billing/contract.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { makeKey } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { anEntry, entries } from '../../support/sync.ts';

interface Accountant extends TestCompany {
  client: PortalClient;
  periods(): Promise<BillingPeriod[]>;
}

describe('billing in the portal', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  async function begin(settings: Record<string, unknown> = {}): Promise<Accountant> {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture, settings);
    const client = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'viewer'));
    const get = async (path: string) => {
      const { status, body } = await client.get(path);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data;
    };
    return {
      ...company,
      client,
      periods: () => get('/billing'),
    };
  }

  it('lists periods, newest first, with totals per charge type that equal the sum of the items', async () => {
    const company = await begin({ locale: 'en-IE' });
    assert.deepEqual(await company.periods(), []);
    await company.sync('one', entries(3, { autoSyncEmployee: true }));
    await company.runTo('2026-04-01');
    const periods = await company.periods();
    assert.deepEqual(pluck(periods, 'period'), ['2026-04-01', '2026-03-01', '2026-02-01']);
    for (const { period, types, ...totals } of periods) {
      const items = await company.items(period);
      for (const { chargeType, items: count, ...amounts } of [
        ...types,
        { chargeType: null, items: items.length, ...totals },
      ]) {
        const own = items.filter(({ charge }) => chargeType === null || charge.type === chargeType);
        assert.equal(count, own.length);
        for (const [name, column] of [
          ['net', 'total'],
          ['tax', 'tax'],
          ['gross', 'overall'],
        ] as const) {
          assert.equal(
            amounts[name].value,
            own.reduce((total, item) => total + item.billing[column].value, 0),
          );
        }
      }
      assert.deepEqual(pluck(types, 'chargeType'), ['service-charge', 'ticket-charge']);
    }
    assert.match(periods[0]?.gross.label ?? '', /^€\d+\.\d\d$/);
  });

  it('lists the items of a period as the public API does', async () => {
    const company = await begin();
    await company.sync('one', entries(12, { autoSyncEmployee: true }));
    await company.runTo('2026-02-01');
    for (const query of [
      '',
      'perPage=5&page=2',
      'chargeType=ticket-charge',
      'chargeType=api-charge',
      'corrections=only',
    ]) {
      const { status, body } = await company.client.get(`/billing/2026-02-01/items?${query}`);
      assert.equal(status, 200);
      const expected = (await company.get(`/billing/items?period=2026-02-01&${query}`)).body;
      const { name } = await company.integration();
      for (const item of expected.data.data) {
        item.message = null;
        item.hrIntegration = item._links.hrIntegration ? name : null;
      }
      assert.deepEqual(body, expected, query);
    }
    assert.equal((await company.client.get('/billing/2031-01-01/items')).body.data.total, 0);
    for (const path of ['/billing/2026-02-02/items', '/payroll/2026-02-02']) {
      const odd = await company.client.get(path);
      assert.deepEqual(
        [odd.status, odd.body.code, odd.body.errors[0].parameter],
        [400, 'invalid-parameters', 'period'],
      );
    }
  });

  it('explains what a termination or an absence that became known too late has cost', async () => {
    const company = await begin();
    const subscribed = { autoSyncEmployee: true };
    await company.sync('one', entries(3, subscribed));
    await company.runTo('2026-03-15');
    const terminated = anEntry(1, { ...subscribed, terminationDate: '2026-01-31' });
    const absent = anEntry(2, {
      ...subscribed,
      absences: [{ startDate: '2026-02-01', endDate: '2026-02-28', approved: true }],
    });
    const roster = [terminated, absent, anEntry(3, subscribed)];
    const preview = await company.preview(roster);
    await company.sync('late', roster);
    const records = await company.records('late');
    const reasonsOf = (some: typeof records) =>
      some.map(({ hrId, reasons }) => [
        hrId,
        ...reasons
          .filter(({ rule }: { rule: string }) => rule.startsWith('late-'))
          .map(({ detail }: { detail: string }) => detail),
      ]);
    const items = (await company.get('/billing/items?chargeType=ticket-charge&perPage=100')).body.data.data;
    const idOf = (hrId: string, period: string) =>
      items.find(
        (item: { billing: { period: string }; charge: { employee: { profile: { hrId: string } } } }) =>
          item.billing.period === period && item.charge.employee.profile.hrId === hrId,
      ).id;
    const [first, second] = [idOf('E1', '2026-02-01'), idOf('E1', '2026-03-01')];
    assert.deepEqual(reasonsOf(records), [
      [
        'E1',
        `Employment ended on 31 January 2026, known too late for 02/2026, 03/2026: tickets cost 119,70\u00a0€. Proposed correction: reverse the charges ${first}, ${second}, unless the tickets were used.`,
      ],
      [
        'E2',
        `Absent for all of 02/2026, known too late: tickets cost 59,85\u00a0€. Proposed correction: reverse the charges ${idOf('E2', '2026-02-01')}, unless the tickets were used.`,
      ],
    ]);
    assert.deepEqual(reasonsOf(preview.records), reasonsOf(records));
    const { id } = await company.employee('E1');
    const { lateCharges } = (await company.client.get(`/employees/${id}`)).body.data;
    assert.deepEqual(lateCharges, [
      {
        key: 'late-termination',
        values: {
          terminatedOn: '2026-01-31',
          months: '02/2026, 03/2026',
          amount: '119,70\u00a0€',
          items: `${first}, ${second}`,
        },
      },
    ]);
    const reader = await makeKey(fixture.app.db, company.companyId, ['view-employees']);
    for (const hrId of ['E1', 'E2']) {
      const { id: employeeId } = await company.employee(hrId);
      const path = `/employees/${employeeId}/subscription-history`;
      const history = (await company.get(path)).body.data.data;
      const unbilled = (await fixture.app.request(path, { key: reader })).body.data.data;
      assert.deepEqual(
        unbilled,
        history.map((entry: object) => ({ ...entry, lateCharges: [] })),
        'without view-billing',
      );
      const reasons = records.find((one: { hrId: string }) => one.hrId === hrId).reasons;
      assert.deepEqual(
        pluck(history, 'lateCharges'),
        history.map((_: unknown, index: number) =>
          index === history.length - 1 ? reasons.filter(({ rule }: { rule: string }) => rule.startsWith('late-')) : [],
        ),
      );
    }
    const { leavers } = (await company.client.get('/payroll/2026-02-01')).body.data;
    assert.deepEqual(leavers, [{ employeeId: id, name: 'Anna Muster1', terminationDate: '2026-01-31' }]);
    assert.deepEqual((await company.client.get('/payroll/2026-01-01')).body.data.leavers, []);
  });
});
