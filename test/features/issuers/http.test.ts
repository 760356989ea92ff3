import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { getCompany } from '../../../src/features/companies/companies.ts';
import { writeTicketConfirmations } from '../../../src/features/documents/insert.ts';
import { type FakeIssuerOptions, startFakeIssuer } from '../../../src/features/issuers/fake/fake-issuer.ts';
import { reconcileByOperator } from '../../../src/features/issuers/operate.ts';
import { OperatorError } from '../../../src/platform/config/operator-error.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { joinCompany, useFixture } from '../../support/daily-run.ts';
import { listOrderStates, operatorContext, orderFrom, runOrders, subscribeEmployees } from '../../support/issuers.ts';

describe('a company whose tickets an issuer issues', () => {
  const fixture = useFixture('2026-02-10', false, { WEBHOOK_ALLOW_PRIVATE: 'on' });

  /** A company that joined in January, and has its tickets of February from the service itself. */
  async function begin(count = 3, options: FakeIssuerOptions = {}) {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture);
    const employeeIds = await subscribeEmployees(fixture, company.companyId, count);
    await company.runTo('2026-02-10');
    const issuer = await startFakeIssuer(options);
    await orderFrom(fixture, company.companyId, issuer);
    return { ...company, issuer, employeeIds, run: () => runOrders(fixture, company.companyId) };
  }

  const states = (companyId: CompanyId) => listOrderStates(fixture, companyId);

  async function ticketsOf(companyId: CompanyId, month: string) {
    const { rows } = await sql<{ employeeId: number; number: string | null; barcode: string | null }>`
      select t.employee_id as "employeeId", t.issuer_number as number, t.barcode from tickets t
      where t.company_id = ${companyId} and t.month = ${month}::date order by t.employee_id`.execute(fixture.app.db);
    return rows;
  }

  async function chargesOf(companyId: CompanyId) {
    const { rows } = await sql<{ text: string }>`
      select concat_ws(' ', b.employee_id, to_char(b.period, 'YYYY-MM'), to_char(b.ticket_month, 'YYYY-MM')) as text
      from billing_items b where b.company_id = ${companyId} and b.charge_type = 'ticket-charge'
      order by b.period, b.employee_id, b.ticket_month nulls first`.execute(fixture.app.db);
    return rows.map(({ text }) => text);
  }

  it('orders ahead of the cut-off, and issues and bills on the first', async () => {
    const { companyId, issuer, employeeIds, runTo, run } = await begin();
    await using _ = issuer;
    await runTo('2026-02-14');
    assert.deepEqual(await states(companyId), []);
    await runTo('2026-02-15');
    assert.deepEqual(
      await states(companyId),
      employeeIds.map((id) => `${id} 2026-03 1 required`),
    );
    await run();
    assert.deepEqual(
      await states(companyId),
      employeeIds.map((id) => `${id} 2026-03 1 issued`),
    );
    assert.deepEqual(await ticketsOf(companyId, '2026-03-01'), []);
    await runTo('2026-03-01');
    const tickets = await ticketsOf(companyId, '2026-03-01');
    assert.deepEqual(
      tickets.map(({ employeeId }) => employeeId),
      employeeIds,
    );
    assert.ok(tickets.every(({ number, barcode }) => number !== null && barcode !== null));
    assert.deepEqual(
      (await chargesOf(companyId)).slice(3),
      employeeIds.map((id) => `${id} 2026-03`),
    );
    await run();
    assert.equal(issuer.seen.orders, 3);
    // The confirmations carry the codes, except of those that were blocked meanwhile.
    const [first] = employeeIds;
    await sql`update tickets set blocked_at = now() where company_id = ${companyId} and employee_id = ${first}`.execute(
      fixture.app.db,
    );
    const signal = new AbortController().signal;
    const confirmed = { month: '2026-03-01', now: fixture.clock.now(), signal };
    await writeTicketConfirmations(
      fixture.app.serviceDb,
      await getCompany(fixture.app.serviceDb, companyId),
      confirmed,
    );
    const { rows: documents } = await sql<{ barcode: string | null }>`
      select d.content->>'barcode' as barcode from documents d
      where d.company_id = ${companyId} and d.kind = 'ticket-confirmation' and d.about = '2026-03-01'
      order by d.employee_id`.execute(fixture.app.db);
    assert.deepEqual(
      documents.map(({ barcode }) => barcode),
      [null, ...tickets.slice(1).map(({ barcode }) => barcode)],
    );
  });

  it('charges a ticket that comes late once, and never one that does not come', async () => {
    const { companyId, issuer, employeeIds, runTo, run } = await begin();
    await using _ = issuer;
    issuer.faults.outage = 503;
    await runTo('2026-03-01');
    await run();
    assert.deepEqual(await ticketsOf(companyId, '2026-03-01'), []);
    assert.equal((await chargesOf(companyId)).length, 3);
    issuer.faults.outage = null;
    await runTo('2026-03-04');
    await Promise.all([run(), run()]);
    await run();
    assert.deepEqual(
      await states(companyId),
      employeeIds.map((id) => `${id} 2026-03 1 issued`),
    );
    assert.deepEqual(
      (await chargesOf(companyId)).slice(3),
      employeeIds.map((id) => `${id} 2026-03 2026-03`),
    );
    assert.equal(issuer.seen.orders, 3);
    issuer.faults.outage = 'drop';
    await runTo('2026-05-02');
    await run();
    assert.equal((await ticketsOf(companyId, '2026-04-01')).length, 0);
    assert.equal((await chargesOf(companyId)).length, 6);
  });

  it('charges a ticket of last month in the current period', async () => {
    const { companyId, issuer, employeeIds, runTo, run } = await begin(2, { late: 1 });
    await using _ = issuer;
    await runTo('2026-02-20');
    await run();
    assert.deepEqual(
      await states(companyId),
      employeeIds.map((id) => `${id} 2026-03 1 ordered`),
    );
    issuer.faults.outage = 'drop';
    await runTo('2026-04-02');
    await run();
    issuer.faults.outage = null;
    await runTo('2026-04-03');
    await run();
    await runTo('2026-04-04');
    await run();
    const charges = (await chargesOf(companyId)).slice(2);
    assert.deepEqual(charges, employeeIds.flatMap((id) => [`${id} 2026-04 2026-03`, `${id} 2026-04 2026-04`]).sort());
  });

  it('takes no ticket whose barcode is that of somebody else', async () => {
    const { companyId, issuer, employeeIds, runTo, run } = await begin();
    await using _ = issuer;
    issuer.faults.wrongPersonEvery = 2;
    await runTo('2026-02-15');
    await run();
    const failed = (await states(companyId)).filter((text) => text.includes('failed'));
    assert.equal(failed.length, 1);
    assert.match(failed[0] ?? '', /1 failed mismatch/);
    await runTo('2026-03-01');
    assert.equal((await ticketsOf(companyId, '2026-03-01')).length, 2);
    assert.equal((await chargesOf(companyId)).length, employeeIds.length + 2);
  });

  it('takes no barcode twice', async () => {
    const { companyId, issuer, runTo, run } = await begin(4);
    await using _ = issuer;
    issuer.faults.duplicateBarcodeEvery = 3;
    await runTo('2026-02-15');
    await run();
    assert.equal((await states(companyId)).filter((text) => text.includes('failed mismatch')).length, 1);
  });

  for (const [carrier, column] of [
    ['chip-card', sql.ref('chip_card_number')],
    ['activation-code', sql.ref('activation_code')],
  ] as const) {
    it(`keeps the ${carrier} of a ticket that has no barcode`, async () => {
      const { companyId, issuer, runTo, run } = await begin(2, { carrier });
      await using _ = issuer;
      await runTo('2026-02-15');
      await run();
      await runTo('2026-03-01');
      const { rows } = await sql<{ value: string; number: string }>`
        select ${column} as value, t.issuer_number as number from tickets t
        where t.company_id = ${companyId} and t.month = '2026-03-01' order by t.employee_id`.execute(fixture.app.db);
      assert.deepEqual(
        rows.map(({ value, number }) => [value.slice(1), number]),
        issuer.list().map(({ orderId, ticket }) => [orderId.slice(-12), ticket?.number]),
      );
    });
  }

  it('places an order once, whatever response is lost', async () => {
    const { companyId, issuer, employeeIds, runTo, run } = await begin(10);
    await using _ = issuer;
    Object.assign(issuer.faults, { loseEvery: 3, busyEvery: 4, retryEvery: 5 });
    await runTo('2026-02-15');
    for (let minute = 0; minute < 40; minute++) {
      fixture.clock.moveTo('2026-02-15', `12:${String(minute).padStart(2, '0')}`);
      await run();
    }
    assert.deepEqual(
      await states(companyId),
      employeeIds.map((id) => `${id} 2026-03 1 issued`),
    );
    assert.equal(issuer.seen.orders, 10);
    assert.equal(issuer.seen.conflicts, 0);
    // A list that the operator asks for is read once more if its answer is lost.
    const month = Temporal.PlainDate.from('2026-03-01');
    for (let time = 0; time < 3; time++) {
      const { missing, double } = await reconcileByOperator(operatorContext(fixture, companyId), { month });
      assert.deepEqual([missing, double], [[], []]);
    }
    issuer.faults.outage = 'drop';
    await assert.rejects(reconcileByOperator(operatorContext(fixture, companyId), { month }), OperatorError);
  });

  it('blocks at the issuer what nobody needs any more', async () => {
    const { companyId, issuer, employeeIds, runTo, run } = await begin();
    await using _ = issuer;
    await runTo('2026-02-15');
    await run();
    const [first] = employeeIds;
    await sql`update employees set next_ticket_on = null, subscription_status = 'cancelled', cancelled_on = '2026-02-16'
      where company_id = ${companyId} and id = ${first}`.execute(fixture.app.db);
    await runTo('2026-02-17');
    await run();
    assert.equal((await states(companyId))[0], `${first} 2026-03 1 blocked not-required`);
    assert.equal(issuer.list().filter(({ status }) => status === 'blocked').length, 1);
    await runTo('2026-03-01');
    assert.equal((await ticketsOf(companyId, '2026-03-01')).length, 2);
  });

  it('reads a month at once when many tickets come later', async () => {
    const { companyId, issuer, runTo, run } = await begin(120, { late: 1, pageSize: 50 });
    await using _ = issuer;
    await runTo('2026-02-15');
    await run();
    const before = issuer.seen.requests;
    for (let minute = 1; minute < 4; minute++) {
      fixture.clock.moveTo('2026-02-15', `12:0${minute}`);
      await run();
    }
    assert.equal((await states(companyId)).filter((text) => text.endsWith('issued')).length, 120);
    assert.ok(issuer.seen.requests - before < 20, `${issuer.seen.requests - before} requests`);
  });
});
