import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { formatMessage } from '../../../src/domain/messages/message.ts';
import { noEmployeeMails } from '../../../src/features/employee-mails/queue.ts';
import { blockTicket } from '../../../src/features/issuers/block-ticket.ts';
import { listEmployeeTickets } from '../../../src/features/issuers/employee-tickets.ts';
import { type FakeIssuerOptions, startFakeIssuer } from '../../../src/features/issuers/fake/fake-issuer.ts';
import { reconcileByOperator } from '../../../src/features/issuers/operate.ts';
import { replaceAnyTicket } from '../../../src/features/issuers/replace-ticket.ts';
import { signDelivery } from '../../../src/features/webhooks/sign.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { joinCompany, useFixture } from '../../support/daily-run.ts';
import { listOrderStates, operatorContext, orderFrom, runOrders, subscribeEmployees } from '../../support/issuers.ts';

describe('tickets of an issuer', () => {
  const fixture = useFixture('2026-02-10', false, { WEBHOOK_ALLOW_PRIVATE: 'on' });
  const month = Temporal.PlainDate.from('2026-03-01');

  /** A company whose tickets of March are in force. */
  async function begin(options: FakeIssuerOptions = {}, until = '2026-03-02') {
    fixture.clock.moveTo('2026-02-10');
    const company = await joinCompany(fixture);
    const { companyId } = company;
    const employeeIds = await subscribeEmployees(fixture, companyId, 3);
    const issuer = await startFakeIssuer(options);
    const { callback } = (await orderFrom(fixture, companyId, issuer)) as { callback: { url: string; secret: string } };
    await company.runTo('2026-02-15');
    await runOrders(fixture, companyId);
    await company.runTo(until);
    return { ...company, issuer, employeeIds, callback };
  }

  const change = (companyId: CompanyId, use: typeof blockTicket | 'replace', employeeId: number) =>
    writeCompany<unknown>(fixture.app.serviceDb, companyId, (tx) => {
      const { by } = operatorContext(fixture, companyId);
      const ticket = { employeeId, month, reason: 'lost' } as const;
      return use === 'replace'
        ? replaceAnyTicket(tx, { employeeMails: noEmployeeMails }, companyId, { ...ticket, ...by })
        : use(tx, companyId, ticket, by);
    });

  const reconcile = (companyId: CompanyId) => reconcileByOperator(operatorContext(fixture, companyId), { month });

  async function barcodeOf(companyId: CompanyId, employeeId: number) {
    const { rows } = await sql<{ barcode: string | null; isBlocked: boolean }>`
      select t.barcode, t.blocked_at is not null as "isBlocked" from tickets t
      where t.company_id = ${companyId} and t.employee_id = ${employeeId} and t.month = '2026-03-01'`.execute(
      fixture.app.db,
    );
    return rows[0];
  }

  it('are shown no more once they are blocked, and the issuer is told', async () => {
    const { companyId, issuer, employeeIds, get } = await begin();
    await using _ = issuer;
    const [first = 0] = employeeIds;
    assert.notEqual((await get(`/employees/${first}`)).body.data.ticket, null);
    await change(companyId, blockTicket, first);
    assert.equal((await get(`/employees/${first}`)).body.data.ticket, null);
    assert.deepEqual(await barcodeOf(companyId, first), { barcode: null, isBlocked: true });
    issuer.faults.outage = 'drop';
    await runOrders(fixture, companyId);
    issuer.faults.outage = null;
    fixture.clock.moveTo('2026-03-02', '13:00');
    await runOrders(fixture, companyId);
    assert.equal(issuer.list().filter(({ status }) => status === 'blocked').length, 1);
    await assert.rejects(change(companyId, blockTicket, first), { code: 'ticket-not-possible' });
    const { missing, ...others } = await reconcile(companyId);
    assert.deepEqual(
      missing.map(({ employeeId }) => employeeId),
      [first],
    );
    assert.deepEqual(others, { month: '2026-03', required: 3, issued: 2, double: [], unexpected: [], mismatched: [] });
  });

  it('are replaced by others, at the issuer too, without another charge', async () => {
    const { companyId, issuer, employeeIds, items } = await begin();
    await using _ = issuer;
    const [first = 0] = employeeIds;
    const before = await barcodeOf(companyId, first);
    await change(companyId, 'replace', first);
    assert.equal((await barcodeOf(companyId, first))?.isBlocked, true);
    await runOrders(fixture, companyId);
    const after = await barcodeOf(companyId, first);
    assert.equal(after?.isBlocked, false);
    assert.notEqual(after?.barcode, null);
    assert.notEqual(after?.barcode, before?.barcode);
    assert.deepEqual((await listOrderStates(fixture, companyId)).slice(1, 3), [
      `${first} 2026-03 1 replaced lost`,
      `${first} 2026-03 2 issued`,
    ]);
    const charged = (await items('2026-03-01')).filter(({ charge }) => charge.type === 'ticket-charge');
    assert.equal(charged.length, 3);
    const { required, issued, missing, double, unexpected, mismatched } = await reconcile(companyId);
    assert.deepEqual([required, issued, missing, double, unexpected, mismatched], [3, 3, [], [], [], []]);
  });

  it('that were wrong are ordered again by a replacement', async () => {
    fixture.clock.moveTo('2026-02-10');
    const { companyId, issuer, employeeIds, runTo } = await begin({}, '2026-02-16');
    await using _ = issuer;
    const [first = 0] = employeeIds;
    await sql`update ticket_orders set state = 'failed', reason_code = 'mismatch', responsible = 'issuer', barcode = null,
      barcode_format = null where company_id = ${companyId} and employee_id = ${first}`.execute(fixture.app.db);
    assert.equal((await reconcile(companyId)).missing.length, 1);
    await change(companyId, 'replace', first);
    await runOrders(fixture, companyId);
    await runTo('2026-03-02');
    assert.notEqual((await barcodeOf(companyId, first))?.barcode, null);
    assert.equal((await reconcile(companyId)).issued, 3);
  });

  it('are reconciled before the first and after it, with an event about differences', async () => {
    const { companyId, issuer, runTo, get } = await begin({ late: 100 }, '2026-02-26');
    await using _ = issuer;
    await runOrders(fixture, companyId);
    const { body } = await get('/events?types=ticket-differences-found');
    const [event] = body.data.data;
    assert.deepEqual(event.payload, {
      period: '2026-03-01',
      required: 3,
      issued: 0,
      differences: { missing: 3, double: 0, unexpected: 0, mismatched: 0 },
    });
    await runTo('2026-03-02');
    await runOrders(fixture, companyId);
    assert.equal((await get('/events?types=ticket-differences-found')).body.data.data.length, 2);
  });

  it('that were missing in a month that is over are still found, whatever became of the employees', async () => {
    const { companyId, issuer, employeeIds, runTo } = await begin({ late: 1 }, '2026-02-16');
    await using _ = issuer;
    issuer.faults.outage = 'drop';
    const [first = 0] = employeeIds;
    await runTo('2026-03-05');
    const of = (found: { missing: { employeeId: number | null }[] }) => found.missing.map((one) => one.employeeId);
    issuer.faults.outage = null;
    const during = await reconcile(companyId);
    assert.deepEqual([during.required, of(during)], [3, employeeIds]);
    // One ends and one joins, both after the month.
    await sql`update employees set subscription_status = 'scheduled-cancellation', cancelled_on = '2026-05-01', due_on = '2026-03-06' where company_id = ${companyId}
      and id = ${first}`.execute(fixture.app.db);
    await runTo('2026-05-02');
    await subscribeEmployees(fixture, companyId, 1, { start_on: '2026-05-01' });
    await sql`insert into subscription_changes (company_id, employee_id, known_on, effective_on, cause, rule, detail,
        from_status, to_status, fields)
      select e.company_id, e.id, '2026-05-01', '2026-05-01', 'calendar', 'started', 'Started.', 'scheduled', 'active', '[]'
      from employees e where e.company_id = ${companyId} and e.id > ${Math.max(...employeeIds)}`.execute(
      fixture.app.db,
    );
    const after = await reconcile(companyId);
    assert.deepEqual([after.required, of(after)], [3, employeeIds]);
  });

  it('are listed for HR with why they are in their state, and what may be done', async () => {
    const { companyId, issuer, employeeIds, runTo } = await begin();
    await using _ = issuer;
    const [first = 0, second = 0] = employeeIds;
    const list = async (employeeId: number, today = '2026-03-02') => {
      const options = { employeeId, today: Temporal.PlainDate.from(today) };
      const tickets = await listEmployeeTickets(fixture.app.db, companyId, options);
      return tickets.map(({ month, state, reason, mayBlock, mayReplace }) => [
        ...[month, state, reason && formatMessage(reason)],
        ...[mayBlock, mayReplace],
      ]);
    };
    // That of February is the service's own.
    assert.deepEqual(await list(first), [['2026-03', 'issued', null, true, true]]);
    await change(companyId, blockTicket, first);
    assert.deepEqual(await list(first), [['2026-03', 'blocked', 'Blocked: lost.', false, true]]);
    await change(companyId, 'replace', second);
    assert.deepEqual(await list(second), [
      ['2026-03', 'required', null, true, false],
      ['2026-03', 'replaced', 'Replaced: lost.', false, false],
    ]);
    await runOrders(fixture, companyId);
    assert.deepEqual((await list(second))[0], ['2026-03', 'issued', null, true, true]);
    await runTo('2026-04-02');
    assert.deepEqual((await list(first, '2026-04-02')).at(-1), ['2026-03', 'blocked', 'Blocked: lost.', false, false]);
    await assert.rejects(list(999_999_999), { code: 'not-found' });
  });

  it('are fetched when the issuer sends a signed hint, and only then', async () => {
    const { companyId, issuer, callback, employeeIds } = await begin({ late: 1 }, '2026-02-16');
    await using _ = issuer;
    const orderId = issuer.list()[0]?.orderId;
    const url = `${fixture.app.url}/issuer-callbacks/${callback.url.split('/').at(-1)}`;
    const send = (secret: string, to = url) => {
      const body = JSON.stringify({ orderId });
      const headers = signDelivery({ eventId: 'hint-1', at: Temporal.Now.instant(), body, secrets: [secret] });
      return fetch(to, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
    };
    const due = async () => {
      const { rows } = await sql<{ orders: number }>`select count(*)::int as orders from ticket_orders
        where company_id = ${companyId} and next_attempt_at <= ${fixture.clock.now().toString()}::timestamptz`.execute(
        fixture.app.db,
      );
      return rows[0]?.orders;
    };
    await sql`update ticket_orders set next_attempt_at = '2026-02-20' where company_id = ${companyId}`.execute(
      fixture.app.db,
    );
    const wrong = `whsec_${Buffer.alloc(32).toString('base64')}`;
    assert.equal((await send(wrong)).status, 404);
    assert.equal((await send(callback.secret, url.replace(/.$/, 'x'))).status, 404);
    assert.equal(await due(), 0);
    assert.equal((await send(callback.secret)).status, 204);
    assert.equal(await due(), 1);
    await runOrders(fixture, companyId);
    const states = await listOrderStates(fixture, companyId);
    assert.equal(states.filter((text) => text.endsWith('issued')).length, 1, `${states} of ${employeeIds}`);
  });
});
