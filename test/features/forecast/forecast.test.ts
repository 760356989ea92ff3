import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Forecast } from '../../../src/features/forecast/contract.ts';
import { basic } from '../../support/app.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { makeKey } from '../../support/factories.ts';
import { costsBilled, costsForecast } from '../../support/forecasting.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { anEntry, entries, makePulling } from '../../support/sync.ts';

const subscribed = { autoSyncEmployee: true } as const;

describe('forecasts', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  async function begin(settings: Record<string, unknown> = {}) {
    fixture.clock.moveTo('2026-01-15');
    return joinCompany(fixture, settings);
  }

  async function post(
    { companyId }: TestCompany,
    body: unknown,
    permission: 'view-billing' | 'view-employees' = 'view-billing',
  ) {
    const key = await makeKey(fixture.app.db, companyId, [permission]);
    return fixture.app.request('/billing/forecast', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: basic(key), 'content-type': 'application/json' },
    });
  }

  async function forecast(company: TestCompany, body: unknown): Promise<Forecast> {
    const { status, body: response } = await post(company, body);
    assert.equal(status, 200, JSON.stringify(response));
    return response.data;
  }

  it('equal to the cent what the following months cost if nothing else becomes known', async () => {
    const company = await begin({ plan_type: 'split-pay-plan', contribution_cents: 4726 });
    await makePulling(fixture.app.db, company);
    const absent = (startDate: string, endDate: string | null) => [{ startDate, endDate, approved: true }];
    await company.sync('one', [
      ...entries(6, subscribed),
      anEntry(7, { ...subscribed, terminationDate: '2026-03-20' }),
      anEntry(8, { ...subscribed, absences: absent('2026-03-01', '2026-04-30') }),
      anEntry(9, { ...subscribed, absences: absent('2026-05-01', null) }),
      anEntry(10, { ...subscribed, startDate: '2026-04-15' }),
      anEntry(11, { ...subscribed, startDate: '2026-03-01', terminationDate: '2026-05-31' }),
      anEntry(12),
    ]);
    await sql`update employees set contract_status = 'accepted' where company_id = ${company.companyId}
      and contract_status is not null and id <> ${(await company.employee('E5')).id}`.execute(fixture.app.db);
    await company.sync('two', [
      ...entries(5, subscribed),
      anEntry(7, { ...subscribed, terminationDate: '2026-03-20' }),
      anEntry(8, { ...subscribed, absences: absent('2026-03-01', '2026-04-30') }),
      anEntry(9, { ...subscribed, absences: absent('2026-05-01', null) }),
      anEntry(10, { ...subscribed, startDate: '2026-04-15' }),
      anEntry(11, { ...subscribed, startDate: '2026-03-01', terminationDate: '2026-05-31' }),
      anEntry(12),
    ]);
    const { asPlanned, scenario } = await forecast(company, { months: 7 });
    assert.equal(scenario, null);
    const actual: unknown[] = [];
    for (const { period } of asPlanned) {
      await company.runTo(period);
      actual.push(await costsBilled(company, period));
    }
    assert.deepEqual(costsForecast(asPlanned), actual);
    assert.deepEqual(pluck(asPlanned, 'tickets'), [7, 7, 6, 7, 6, 6, 6]);
  });

  it('compare a scenario with the plan, and name who loses and gains the discount', async () => {
    const company = await begin({ plan_type: 'split-pay-plan', contribution_cents: 4800 });
    await company.sync('one', entries(3, subscribed));
    await sql`update employees set contract_status = 'accepted'
      where company_id = ${company.companyId}`.execute(fixture.app.db);
    await company.runTo('2026-02-01');
    const ids = pluck(await company.employees(), 'id');
    // Of 48.00, the company pays 15.00 of 63.00, which is too little for the discount, and 22.00 of 70.00.
    const scenario = {
      ticketPrices: [{ from: '2026-05-01', grossCents: 7000 }],
      joinersPerMonth: 2,
      leaversPerMonth: 1,
    };
    const found = await forecast(company, { months: 3, scenario });
    assert.deepEqual(pluck(found.asPlanned, 'tickets'), [3, 3, 3]);
    assert.deepEqual(pluck(found.scenario ?? [], 'tickets'), [4, 5, 6]);
    assert.deepEqual(
      (found.scenario ?? []).map(({ ticketCharges }) => ticketCharges.overall.value),
      [4 * 6300, 5 * 6300, 6 * 6650],
    );
    assert.deepEqual([found.discountLost, found.discountGained], [[], ids.toSorted()]);
    const gained = await forecast(company, { months: 2, scenario });
    assert.deepEqual(gained.discountGained, [], 'only by the last month');
    const { rows } = await sql<{ id: number }>`select p.id from policies p
      where p.company_id = ${company.companyId} and p.is_default`.execute(fixture.app.db);
    const policies = [{ id: rows[0]?.id, from: '2026-04-01', planType: 'split-pay-plan', employerPercent: 50 }];
    const shared = await forecast(company, { months: 2, scenario: { policies } });
    assert.deepEqual(
      (shared.scenario ?? []).map(({ ticketCharges }) => ticketCharges.employee.value),
      [3 * 4800, 3 * 2992],
    );
    assert.deepEqual(shared.discountGained, ids.toSorted());
  });

  it('change nothing, are of the company only, and refuse what is no forecast', async () => {
    const company = await begin();
    await company.sync('one', entries(2, subscribed));
    const count = async () => {
      const { rows } = await sql<{ n: number }>`
        select (select count(*) from billing_items b where b.company_id = ${company.companyId})
          + (select count(*) from tickets t where t.company_id = ${company.companyId})
          + (select count(*) from billing_quantities q where q.company_id = ${company.companyId}) as n`.execute(
        fixture.app.db,
      );
      return rows[0]?.n;
    };
    const before = await count();
    assert.deepEqual(pluck((await forecast(company, { months: 2 })).asPlanned, 'tickets'), [2, 2]);
    assert.equal(await count(), before);
    const none = await forecast(await begin(), { months: 24 });
    assert.deepEqual(
      pluck(none.asPlanned, 'tickets'),
      Array.from({ length: 24 }, () => 0),
    );
    const answer = async (sent: unknown) => {
      const { status, body } = await post(company, sent);
      return `${status} ${body.errors?.[0].pointer}`;
    };
    assert.equal(await answer({}), '400 /months');
    assert.equal(await answer({ months: 25 }), '400 /months');
    assert.equal(await answer({ months: 1, scenario: { price: 1 } }), '400 /scenario/price');
    const from = '2026-04-01';
    const unknown = { months: 1, scenario: { policies: [{ id: 999_999_999, from, planType: 'deferred-plan' }] } };
    assert.equal(await answer(unknown), '400 /scenario/policies/0/id');
    assert.equal((await post(company, { months: 1 }, 'view-employees')).status, 403);
    const user = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'viewer'));
    const shown = await user.post('/billing/forecast', { months: 2 });
    assert.deepEqual([shown.status, pluck(shown.body.data.asPlanned, 'tickets')], [200, [2, 2]]);
  });
});
