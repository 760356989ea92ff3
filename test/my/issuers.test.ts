import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { createMessage } from '../../src/domain/messages/message.ts';
import { blockTicket } from '../../src/features/issuers/block-ticket.ts';
import { type FakeIssuerOptions, startFakeIssuer } from '../../src/features/issuers/fake/fake-issuer.ts';
import { drawAztec } from '../../src/features/wallet/aztec.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import { joinCompany, useFixture } from '../support/daily-run.ts';
import { operatorContext, orderFrom, runOrders, subscribeEmployees } from '../support/issuers.ts';
import { signInEmployee } from '../support/my.ts';
import { pluck } from '../support/pluck.ts';
import { rowsOf } from '../support/rows.ts';

describe("the employee's page of a company whose tickets an issuer issues", () => {
  const fixture = useFixture('2026-02-10', false, { WEBHOOK_ALLOW_PRIVATE: 'on' });

  /** A company with one employee, whose ticket of March is ordered in the middle of February. */
  async function begin(options: FakeIssuerOptions = {}, prepareIssuer?: (issuer: FakeIssuer) => void) {
    fixture.clock.moveTo('2026-02-10');
    const company = await joinCompany(fixture);
    const { companyId } = company;
    const [employeeId = 0] = await subscribeEmployees(fixture, companyId, 1);
    const issuer = await startFakeIssuer(options);
    prepareIssuer?.(issuer);
    await orderFrom(fixture, companyId, issuer);
    await company.runTo('2026-02-15');
    await runOrders(fixture, companyId);
    const my = await signInEmployee(fixture.app, companyId, employeeId);
    const home = async () => {
      const { status, body, bytes } = await my.get('/home');
      assert.equal(status, 200, bytes.toString());
      return body.data;
    };
    return { ...company, issuer, employeeId, my, home, run: () => runOrders(fixture, companyId) };
  }
  type FakeIssuer = Awaited<ReturnType<typeof startFakeIssuer>>;

  const block = (companyId: CompanyId, employeeId: number) =>
    writeCompany(fixture.app.serviceDb, companyId, (tx) => {
      const month = Temporal.PlainDate.from('2026-03-01');
      return blockTicket(tx, companyId, { employeeId, month, reason: 'lost' }, operatorContext(fixture, companyId).by);
    });

  it('shows the barcode of the issuer as an Aztec code, the next one three days before the first', async () => {
    const { companyId, employeeId, issuer, runTo, home } = await begin();
    await using _ = issuer;
    await runTo('2026-02-25');
    assert.equal((await home()).nextTicket, null);
    await runTo('2026-02-26');
    const { nextTicket } = await home();
    assert.deepEqual([nextTicket.month, nextTicket.validFrom, nextTicket.format], ['2026-03', '2026-03-01', 'aztec']);
    // Before the daily run has processed the first.
    fixture.clock.moveTo('2026-03-01');
    assert.deepEqual((await home()).ticket, nextTicket);
    await runTo('2026-03-02');
    const { ticket, missing } = await home();
    assert.deepEqual([ticket, missing], [nextTicket, null]);
    const { rows } = await sql<{ number: string; barcode: string }>`
      select t.issuer_number as number, t.barcode from tickets t
      where t.company_id = ${companyId} and t.employee_id = ${employeeId} and t.month = '2026-03-01'`.execute(
      fixture.app.db,
    );
    const [{ number, barcode } = { number: '', barcode: '' }] = rows;
    assert.equal(ticket.id, number);
    const drawn = await drawAztec(Buffer.from(barcode, 'base64').toString('latin1'));
    assert.equal(ticket.code, drawn.map((row) => row.map(Number).join('')).join('\n'));
  });

  it('shows the number of a ticket without a barcode', async () => {
    const { companyId, issuer, runTo, home } = await begin();
    await using _ = issuer;
    await sql`update ticket_orders set barcode = null, barcode_format = null, barcode_hash = null, number = 'CARD 17'
      where company_id = ${companyId}`.execute(fixture.app.db);
    await runTo('2026-03-02');
    const { ticket } = await home();
    assert.deepEqual([ticket.id, ticket.format, ticket.code], ['CARD 17', 'none', '']);
  });

  it('says that the ticket is being issued, and when the issuer is asked next', async () => {
    const { companyId, issuer, runTo, run, home } = await begin({ late: 3 });
    await using _ = issuer;
    await runTo('2026-03-01');
    const { rows } = await sql<{ at: string }>`select o.next_attempt_at as at from ticket_orders o
      where o.company_id = ${companyId}`.execute(fixture.app.db);
    // It was due long ago: it is asked as soon as a worker has time.
    assert.deepEqual((await home()).missing, { state: 'being-issued', nextAttemptAt: null });
    assert(rows[0] && Temporal.Instant.compare(Temporal.Instant.from(rows[0].at), fixture.clock.now()) < 0);
    await run();
    const { ticket, missing } = await home();
    assert.deepEqual([ticket, missing.state], [null, 'being-issued']);
    const next = Temporal.Instant.from(missing.nextAttemptAt);
    assert(Temporal.Instant.compare(next, fixture.clock.now()) > 0, missing.nextAttemptAt);
    issuer.faults.outage = 503;
    fixture.clock.moveTo('2026-03-02');
    await run();
    const failing = (await home()).missing;
    const [{ pausedUntil } = { pausedUntil: '' }] = (
      await sql<{ pausedUntil: string }>`select s.paused_until as "pausedUntil" from issuer_settings s
        where s.company_id = ${companyId}`.execute(fixture.app.db)
    ).rows;
    assert.equal(Temporal.Instant.from(failing.nextAttemptAt).since(Temporal.Instant.from(pausedUntil)).sign, 0);
    issuer.faults.outage = null;
    for (const day of ['2026-03-03', '2026-03-04', '2026-03-05']) {
      await runTo(day);
      await run();
    }
    const issued = await home();
    assert.deepEqual([issued.ticket.month, issued.missing], ['2026-03', null]);
  });

  it('says that an order has failed', async () => {
    const { issuer, runTo, home } = await begin({}, ({ faults }) => {
      faults.failEvery = 1;
    });
    await using _ = issuer;
    await runTo('2026-03-02');
    const { ticket, nextTicket, missing } = await home();
    assert.deepEqual([ticket, nextTicket, missing], [null, null, { state: 'failed', nextAttemptAt: null }]);
  });

  it('shows a blocked ticket no more, whoever has issued it, and says why in the history', async () => {
    const { companyId, employeeId, issuer, runTo, home, my } = await begin();
    await using _ = issuer;
    await runTo('2026-03-02');
    await block(companyId, employeeId);
    const { ticket, missing } = await home();
    assert.deepEqual([ticket, missing], [null, { state: 'blocked', nextAttemptAt: null }]);
    const [entry] = (await my.get('/history')).body.data;
    assert.deepEqual(
      [entry.by, entry.message],
      ['company', createMessage('my-order-blocked', { detail: 'block-lost' })],
    );
    const refused = await my.post('/ticket/replacement', { reason: 'new-phone' });
    assert.deepEqual([refused.status, refused.body.message.key], [409, 'no-ticket-to-replace']);

    fixture.clock.moveTo('2026-02-10');
    const own = await joinCompany(fixture);
    const [anna = 0] = await subscribeEmployees(fixture, own.companyId, 1);
    await own.runTo('2026-03-02');
    const page = await signInEmployee(fixture.app, own.companyId, anna);
    assert.equal((await page.get('/home')).body.data.ticket.format, 'qr');
    await block(own.companyId, anna);
    const after = (await page.get('/home')).body.data;
    assert.deepEqual([after.ticket, after.missing.state], [null, 'blocked']);
  });

  it('replaces a ticket through the issuer, each at most once, three times a month', async () => {
    const { companyId, employeeId, issuer, runTo, run, home, my } = await begin();
    await using _ = issuer;
    await runTo('2026-03-02');
    const numbers = new Set<string>();
    for (const remaining of [2, 1, 0]) {
      const { ticket } = await home();
      numbers.add(ticket.id);
      const body = { reason: 'unreadable', ticketId: ticket.id };
      const results = await Promise.all([1, 2].map(() => my.post('/ticket/replacement', body)));
      assert.deepEqual(pluck(results, 'status'), [200, 200], results.map(({ bytes }) => String(bytes)).join());
      for (const { body } of results) assert.deepEqual(body.data, { ticket: null, remaining });
      const waiting = await home();
      assert.deepEqual([waiting.ticket, waiting.missing.state], [null, 'being-issued']);
      const early = await my.post('/ticket/replacement', { reason: 'unreadable' });
      assert.deepEqual([early.status, early.body.message.key], [409, 'my-ticket-being-issued']);
      await run();
      assert.notEqual((await home()).ticket.code, ticket.code);
    }
    const { ticket } = await home();
    numbers.add(ticket.id);
    assert.equal(numbers.size, 4);
    const often = await my.post('/ticket/replacement', { reason: 'unreadable', ticketId: ticket.id });
    assert.deepEqual([often.status, often.body.message.key], [409, 'ticket-replaced-too-often']);
    const other = await my.post('/ticket/replacement', { reason: 'unreadable', ticketId: 'T-none' });
    assert.equal(other.body.message.key, 'no-ticket-to-replace');
    const valid = issuer.list().filter(({ month, status }) => month === '2026-03' && status === 'issued');
    assert.deepEqual(
      valid.map((order) => order.ticket?.number),
      [ticket.id],
    );
    const history = (await my.get('/history')).body.data.slice(0, 3);
    for (const { by, message } of history) {
      assert.deepEqual([by, message.key], ['employee', 'my-order-replaced']);
    }
    const mails = await rowsOf(fixture.app.db, 'employee_mails', { company_id: companyId, employee_id: employeeId }, [
      'kind',
    ]);
    assert.equal(mails.filter(({ kind }) => kind === 'ticket-replaced').length, 3);
  });
});
