import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { issueInvoices } from '../../src/features/invoices/issue.ts';
import type { MonthEnd } from '../../src/portal/contract.ts';
import { joinCompany, useFixture } from '../support/daily-run.ts';
import { setBuyer, setSeller } from '../support/invoicing.ts';
import { pluck } from '../support/pluck.ts';
import { makeUser, signIn } from '../support/portal.ts';
import { entries } from '../support/sync.ts';

const february = '2026-02-01';

describe('month end', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  it('walks from the roster to the invoice, and says what is missing', async () => {
    const { app, clock } = fixture;
    const company = await joinCompany(fixture, { plan_type: 'fully-subsidized-plan' });
    const { companyId } = company;
    const viewer = await signIn(app, await makeUser(app, companyId, 'viewer'));
    const payroll = await signIn(app, await makeUser(app, companyId, 'payroll', { name: 'Petra Lohn' }));
    const load = async (query = ''): Promise<MonthEnd> => {
      const { status, body } = await viewer.get(`/month-end${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.data;
    };
    const statesOf = ({ steps }: MonthEnd) => Object.values(steps).join(' ');

    const roster = entries(3, { autoSyncEmployee: true }).map((one, index) => ({ ...one, hrId: String(index + 1) }));
    await company.sync('one', roster);
    const january = await load();
    assert.deepEqual([january.period, january.charges, january.isDone], ['2026-01-01', null, true]);
    assert.deepEqual(pluck(january.roster, 'issue', 'pending', 'overdueSince'), [[null, null, null]]);

    clock.moveTo('2026-02-01');
    assert.equal(statesOf(await load()), 'done waiting waiting waiting');

    await company.runTo('2026-02-03');
    const billed = await load();
    assert.equal(statesOf(billed), 'done done blocked blocked');
    assert.equal(billed.next, 'payroll');
    assert.deepEqual(billed.months, [february]);
    assert.equal(billed.charges?.types.find(({ chargeType }) => chargeType === 'ticket-charge')?.items, 3);
    assert.deepEqual(billed.payroll.preview.missingSettings, ['wageTypeTaxFree']);
    assert.deepEqual(billed.missingForInvoice.includes('street'), true);

    await sql`update companies set wage_type_tax_free = 700 where id = ${companyId}`.execute(app.db);
    await setSeller(app.serviceDb, clock.now());
    await setBuyer(app.serviceDb, companyId, clock.now());
    assert.equal(statesOf(await load()), 'done done todo waiting');
    const made = await payroll.post(`/payroll/${february}`);
    const exported = await load();
    assert.deepEqual(
      [statesOf(exported), exported.payroll.exports[0]?.id, exported.payroll.preview.lines],
      ['done done todo waiting', made.body.data.id, 0],
    );
    await payroll.post(`/payroll/exports/${made.body.data.id}/handover`);
    assert.equal((await load()).payroll.exports[0]?.handedOver?.by, 'Petra Lohn');
    assert.equal(statesOf(await load()), 'done done done waiting');

    await company.runTo('2026-02-04');
    await issueInvoices(app.serviceDb, clock, companyId);
    const issued = await load();
    assert.deepEqual([issued.invoices.length, issued.steps.invoice], [1, 'waiting']);
    await sql`update invoices set files = '{}' where company_id = ${companyId}`.execute(app.db);
    assert.deepEqual([(await load()).isDone, (await load()).next], [true, null]);

    await sql`update hr_integrations set overdue_since = ${clock.now().toString()} where company_id = ${companyId}`.execute(
      app.db,
    );
    assert.deepEqual([statesOf(await load()), (await load()).next], ['todo done done done', 'roster']);
    await company.runTo('2026-03-01');
    const march = await load();
    assert.deepEqual(
      [march.period, march.steps.roster, march.months],
      ['2026-03-01', 'todo', ['2026-03-01', february]],
    );
    const over = await load(`?period=${february}`);
    assert.deepEqual([over.isDone, over.roster], [true, []]);

    const other = await joinCompany(fixture);
    const stranger = await signIn(app, await makeUser(app, other.companyId, 'admin'));
    const { body } = await stranger.get(`/month-end?period=${february}`);
    assert.deepEqual([body.data.charges, body.data.payroll.exports, body.data.invoices], [null, [], []]);
    assert.equal((await stranger.get('/month-end?period=2026-02-02')).status, 400);
  });
});
