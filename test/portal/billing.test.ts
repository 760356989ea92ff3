import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BillingPeriod } from '../../src/portal/billing/schema.ts';
import { type Fixture, joinCompany, startFixture, type TestCompany } from '../support/daily-run.ts';
import { makeUser, type PortalClient, signIn } from '../support/portal.ts';
import { entries } from '../support/sync.ts';

interface Accountant extends TestCompany {
  client: PortalClient;
  periods(): Promise<BillingPeriod[]>;
}

describe('billing in the portal', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await startFixture('2026-01-15', 'without documents');
  });
  after(() => fixture.close());

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
    assert.deepEqual(
      periods.map(({ period }) => period),
      ['2026-04-01', '2026-03-01', '2026-02-01'],
    );
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
      assert.deepEqual(
        types.map(({ chargeType }) => chargeType),
        ['service-charge', 'ticket-charge', 'hr-integration-charge'],
      );
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
      for (const item of expected.data.data) item.message = null;
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
});
