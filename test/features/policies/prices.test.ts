import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { addPrice } from '../../../src/features/policies/add-price.ts';
import { applyDecision } from '../../../src/features/subscriptions/apply-decision.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { joinCompany, startFixture } from '../../support/daily-run.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { prepare } from '../../support/prepare.ts';
import { startSmtpServer } from '../../support/smtp.ts';
import { entries } from '../../support/sync.ts';

describe('A new ticket price', () => {
  const smtp = prepare(
    () => startSmtpServer(),
    ({ stop }) => stop(),
  );
  const fixture = prepare(
    () => startFixture('2026-09-15', 'without documents', smtp.env),
    ({ close }) => close(),
  );

  const countMails = async (companyId: CompanyId) => {
    const { rows } = await sql<{ mail: string; mails: number }>`
      select substring(m.key from '^price-changes/(.*)/[^/]+$') as mail, count(*) as mails from mails m
      where m.company_id = ${companyId} and m.key like 'price-changes%' group by 1
      union all select m.kind || ' ' || m.occasion, count(*) from employee_mails m
      where m.company_id = ${companyId} and m.kind = 'price-changed' group by 1 order by 1`.execute(fixture.app.db);
    return rows.map(({ mail, mails }) => [mail, mails]);
  };

  it('is told to users at once and before the cut-off, and to those who pay all of it, each once', async () => {
    const { app, clock } = fixture;
    const company = await joinCompany(fixture, { plan_type: 'deferred-plan' });
    const { companyId } = company;
    const users = [];
    for (const role of ['admin', 'hr', 'payroll'] as const) users.push(await makeUser(app, companyId, role));
    await company.sync('first', entries(2, { autoSyncEmployee: true }));
    for (const employeeId of pluck(await company.employees(), 'id') as number[]) {
      await writeCompany(app.serviceDb, companyId, (tx) =>
        applyDecision(tx, app.deps, companyId, {
          ...{ employeeId, decision: 'contract-accepted', actor: { type: 'employee', name: null } },
        }),
      );
    }
    await company.runTo('2026-10-05');
    assert.deepEqual(await countMails(companyId), []);
    const engine = { ...app.deps, config: app.config, db: app.db, clock } as unknown as Parameters<typeof addPrice>[0];
    const price = { from: Temporal.PlainDate.from('2027-01-01'), gross: 6600 };
    const unchanged = { vat: undefined, discount: undefined, discountShare: undefined };
    await addPrice(engine, { ...price, ...unchanged });
    await addPrice(engine, { ...price, ...unchanged });
    await company.runTo('2026-11-25');
    assert.deepEqual(await countMails(companyId), [['2027-01-01/6600', 2]]);
    const hr = await signIn(app, users[1] ?? assert.fail());
    const { comingPrice, policies } = (await hr.get('/policies')).body.data;
    assert.deepEqual(
      [comingPrice.from, comingPrice.price.value, comingPrice.deferred, comingPrice.policies],
      ['2027-01-01', 6600, pluck(policies, 'id'), []],
    );
    await Promise.all([company.runTo('2026-11-26'), company.runTo('2026-11-26')]);
    await company.runTo('2026-12-20');
    assert.deepEqual(await countMails(companyId), [
      ['2027-01-01/6600', 2],
      ['2027-01-01/6600/cut-off', 2],
      ['price-changed 2027-01-01/6600', 2],
    ]);
    await company.runTo('2027-01-02');
    const tickets = (await company.charges('2027-01-01')).filter((one) => one.startsWith('ticket-charge'));
    assert.deepEqual(
      tickets.map((one) => one.split(' ').at(-1)),
      ['(0/6600)', '(0/6600)'],
    );
    assert.deepEqual(
      (await company.employees()).map(({ plan }) => plan.contractSigningStatus),
      ['accepted', 'accepted'],
    );
  });

  it('changes no share that depends on it without a change, which its page offers', async () => {
    fixture.clock.moveTo('2027-01-02');
    const company = await joinCompany(fixture, {});
    const hr = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'hr'));
    const terms = {
      ...{ planType: 'split-pay-plan', employeeCents: null, employerCents: 3_000, employerPercent: null },
      ...{ minimumCents: null, maximumCents: null, waitingMonths: 0, taxTreatment: null },
    };
    const policy = { name: 'Fixed', from: '2027-01-01', groups: [], terms };
    const { id } = (await hr.post('/policies', policy)).body.data;
    await fixture.app.db.deleteFrom('ticket_prices').where('valid_from', '>', '2027-01-01').execute();
    await sql`insert into ticket_prices (valid_from, list_cents, tax_percent, discount_percent, discount_share_percent)
      values ('2027-03-01', 7000, 7, 5, 25)`.execute(fixture.app.db);
    const { comingPrice } = (await hr.get('/policies')).body.data;
    assert.deepEqual([comingPrice.from, comingPrice.policies, comingPrice.deferred], ['2027-03-01', [id], []]);
  });
});
