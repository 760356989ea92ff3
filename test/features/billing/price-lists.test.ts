import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { operator } from '../../../src/domain/actor.ts';
import { loadEffectPrices } from '../../../src/features/billing/prices.ts';
import { billPeriod } from '../../../src/features/billing/run.ts';
import { assignList } from '../../../src/features/companies/price-lists.ts';
import type { CompanyContext } from '../../../src/features/context.ts';
import { forecast } from '../../../src/features/forecast/forecast.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { entries } from '../../support/sync.ts';

const day = (text: string) => Temporal.PlainDate.from(text);

describe('price lists', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  const assign = ({ companyId }: TestCompany, list: string, from?: string) => {
    const db = fixture.app.serviceDb;
    const context = {
      ...{ db, companyId, by: { actor: operator, name: 'Operator', at: fixture.clock.now() } },
      write: (change: (tx: never, roles: []) => Promise<unknown>) =>
        writeCompany(db, companyId, (tx) => change(tx as never, [])),
    } as unknown as CompanyContext;
    return assignList(context, { list, from: from === undefined ? undefined : day(from) });
  };
  /** As "price create-list" and "price set --list" do, which read all companies. */
  async function makeList(name: string, fees: Record<string, number>) {
    const { db } = fixture.app;
    await sql`insert into price_lists (name, created_at) values (${name}, now())`.execute(db);
    for (const [from, cents] of Object.entries(fees)) {
      await sql`insert into price_list_fees (price_list, charge_type, valid_from, net_cents)
        values (${name}, 'service-charge', ${from}::date, ${cents})`.execute(db);
    }
  }
  const feesOf = async (company: TestCompany, period: string) =>
    (await company.charges(period)).filter((charge) => !charge.startsWith('ticket'));

  it('apply from the first month on that is not billed, and months that are billed do not change', async () => {
    const company = await joinCompany(fixture);
    const other = await joinCompany(fixture);
    for (const one of [company, other]) await one.sync('one', entries(2, { autoSyncEmployee: true }));
    await makeList('Partner', { '2026-03-01': 120, '2026-04-01': 0, '2026-05-01': 90 });
    await assert.rejects(assign(company, 'Parnter'), /There is no price list "Parnter"\. .*standard, Partner\./);
    for (const one of [company, other]) await one.runTo('2026-02-10');
    await assert.rejects(
      assign(company, 'Partner', '2026-02-01'),
      /billed up to 2026-02-01: choose 2026-03-01 or later/,
    );
    assert.deepEqual((await assign(company, 'PARTNER')).priceLists, [{ from: '2026-03-01', priceList: 'Partner' }]);
    await assign(company, 'standard', '2026-06-01');

    const { perTicket } = await loadEffectPrices(fixture.app.db, company.companyId, { today: day('2026-02-28') });
    assert.equal(perTicket?.netCents, 120);
    const planned = await forecast(
      { ...fixture, ...company, db: fixture.app.db },
      { months: 4 },
      {
        money: (value) => ({ label: '', value }),
      },
    );
    await company.runTo('2026-06-01');
    await other.runTo('2026-06-01');
    const months = ['2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01', '2026-06-01'];
    const billed = async (one: TestCompany) => {
      const fees: string[][] = [];
      for (const period of months) fees.push(await feesOf(one, period));
      return fees.map((charges) => charges.join());
    };
    const usual = 'service-charge 300 + 57 = 357';
    assert.deepEqual(await billed(other), Array(5).fill(usual));
    const expected = [usual, 'service-charge 240 + 46 = 286', '', 'service-charge 180 + 34 = 214', usual];
    assert.deepEqual(await billed(company), expected);
    assert.deepEqual(
      planned.asPlanned.map(({ fees }) => fees.overall.value),
      [286, 0, 214, 357],
    );

    // A later run adds no fee that the list of the month had set to 0.
    await writeCompany(fixture.app.serviceDb, company.companyId, (tx) =>
      billPeriod(tx, { companyId: company.companyId, month: day('2026-04-01'), now: fixture.clock.now() }),
    );
    assert.deepEqual(await billed(company), expected);
  });
});
