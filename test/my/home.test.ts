import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { createMessage } from '../../src/domain/messages/message.ts';
import { joinCompany, onlyEmployee, type TestCompany, useFixture } from '../support/daily-run.ts';
import { signInEmployee } from '../support/my.ts';
import { pluck } from '../support/pluck.ts';
import type { PortalClient } from '../support/portal.ts';
import { rowsOf } from '../support/rows.ts';

const fixture = useFixture('2026-10-20', 'without documents');

const anna = { hrId: 'E-1', firstName: 'Anna', lastName: 'Lang', email: 'anna.lang@example.com' };

interface Person {
  company: TestCompany;
  employeeId: number;
  my: PortalClient;
}

/** Returns an employee of a company of their own, signed in to their page. */
async function person(settings: Record<string, unknown> = {}, entry: object = {}, day = '2026-10-20'): Promise<Person> {
  fixture.clock.moveTo(day);
  const company = await joinCompany(fixture, settings);
  await company.sync('first', [{ ...anna, ...entry }]);
  const employeeId = (await onlyEmployee(company)).id as number;
  return { company, employeeId, my: await signInEmployee(fixture.app, company.companyId, employeeId) };
}

const subscribed = { autoSyncEmployee: true };

async function homeOf({ my }: Person) {
  const { status, body } = await my.get('/home');
  assert.equal(status, 200, JSON.stringify(body));
  return body.data;
}

describe('the home of an employee', () => {
  it('has the ticket of today, what it costs and what can be done', async () => {
    const one = await person({ plan_type: 'split-pay-plan', contribution_cents: 2000 }, subscribed);
    assert.deepEqual((await homeOf(one)).agreement, { status: 'pending', canDecide: true });
    const agreement = (await one.my.get('/agreement')).body.data;
    assert.equal(
      (await one.my.post('/agreement', { decision: 'contract-accepted', sha256: agreement.sha256 })).status,
      200,
    );
    await one.company.runTo('2026-11-14');
    const { today, ticket, nextTicket, subscription, agreement: decided, actions } = await homeOf(one);
    assert.equal(today, '2026-11-14');
    assert.deepEqual(
      [ticket.month, ticket.firstName, ticket.validFrom, ticket.validUntil, ticket.format, ticket.isTest],
      ['2026-11', 'Anna', '2026-11-01', '2026-11-30', 'qr', true],
    );
    assert(ticket.code.startsWith('TB1T.'));
    assert.deepEqual(ticket.wallet, { apple: null, google: null });
    assert.equal(nextTicket, null);
    assert.equal(subscription.status, 'active');
    assert.equal(subscription.sentence.key, 'my-answer-active');
    const { ticketPrice, companyAmount, employeeAmount } = subscription;
    assert.equal(employeeAmount.value, 2000);
    assert.equal(ticketPrice.value, companyAmount.value + employeeAmount.value);
    assert.equal(subscription.deductedWith, '2026-11');
    assert.deepEqual([subscription.nextTicketAt, subscription.endAt], ['2026-12-01', null]);
    assert.deepEqual(decided, { status: 'accepted', canDecide: false });
    assert.deepEqual(
      actions.map((one: { action: string; isPossible: boolean; earliestFrom: string | null }) => [
        ...[one.action, one.isPossible, one.earliestFrom],
      ]),
      [
        ['subscribe', false, null],
        ['pause', true, '2027-01-01'],
        ['resume', false, null],
        ['cancel', true, '2027-01-01'],
      ],
    );
  });

  it('says who ended a subscription, and that only they can start it again', async () => {
    const one = await person({ joining: 'both' }, subscribed);
    await one.company.runTo('2026-11-05');
    await one.company.sync('switched off', [{ ...anna, autoSyncEmployee: false }]);
    await one.company.runTo('2026-12-01');
    const { subscription, actions, ticket } = await homeOf(one);
    assert.equal(ticket, null);
    assert.deepEqual([subscription.status, subscription.sentence.key], ['cancelled', 'my-answer-ended']);
    assert.equal(subscription.whoCanChange.key, 'my-refusal-opted-out');
    assert.equal(actions[0].isPossible, false);
  });

  it('shows the next ticket three days before, and shows the same one on the first', async () => {
    const one = await person({}, subscribed);
    await one.company.runTo('2026-11-28');
    const { nextTicket } = await homeOf(one);
    assert.equal(nextTicket.month, '2026-12');
    await one.company.runTo('2026-12-01');
    assert.deepEqual((await homeOf(one)).ticket, nextTicket);
  });
});

describe('a request of an employee', () => {
  it('is shown with its dates before, applied once, confirmed by mail and undone until the cut-off', async () => {
    const one = await person({ plan_type: 'deferred-plan' }, subscribed);
    const { sha256 } = (await one.my.get('/agreement')).body.data;
    await one.my.post('/agreement', { decision: 'contract-accepted', sha256 });
    await one.company.runTo('2026-12-05');
    const wanted = { action: 'pause', from: '2027-01-01', until: '2027-03-01' };
    const preview = (await one.my.post('/subscription/preview', wanted)).body.data;
    assert.equal(preview.refusal, null);
    assert.equal(preview.needsAgreement, false);
    assert.deepEqual(
      [preview.from, preview.until, preview.undoUntil, preview.nextTicketAt],
      ['2027-01-01', '2027-03-01', '2026-12-10', '2027-03-01'],
    );
    assert.equal(preview.sentence.key, 'my-answer-pausing');
    assert.deepEqual(preview.pauses, [{ by: 'employee', from: '2027-01-01', until: '2027-03-01' }]);
    assert.equal((await homeOf(one)).subscription.status, 'active');
    const made = await one.my.post('/subscription', { ...wanted, reason: 'Sabbatical' });
    assert.equal(made.status, 200, made.bytes.toString());
    const { requestId, ...outcome } = made.body.data;
    const { refusal: _, needsAgreement: _needs, ...shown } = preview;
    assert.deepEqual(outcome, shown);
    const { subscription } = await homeOf(one);
    assert.deepEqual(subscription.undo, { requestId, action: 'pause', until: '2026-12-10' });
    const where = { company_id: one.company.companyId };
    const mails = await rowsOf(fixture.app.db, 'employee_mails', where, ['kind', 'occasion']);
    const confirmed = { kind: 'pause-confirmed', occasion: String(requestId) };
    assert.deepEqual(
      mails.filter(({ kind }) => kind.endsWith('-confirmed')),
      [confirmed],
    );
    const history = (await one.my.get('/history')).body.data;
    assert.deepEqual([history[0].by, history[0].message.values.reason], ['employee', 'my-pause-reason-employee']);
    const undone = await one.my.post('/subscription/undo', { requestId });
    assert.equal(undone.status, 200, undone.bytes.toString());
    assert.deepEqual([undone.body.data.status, undone.body.data.nextTicketAt], ['active', '2027-01-01']);
    assert.equal((await homeOf(one)).subscription.undo, null);
    assert.equal((await one.my.post('/subscription/undo', { requestId })).status, 409);
  });

  it('is refused with the reason and the first month that is possible', async () => {
    const one = await person({}, subscribed);
    await one.company.runTo('2026-11-14');
    const wanted = { action: 'cancel', from: '2026-12-01' };
    const { refusal, status } = (await one.my.post('/subscription/preview', wanted)).body.data;
    assert.deepEqual([refusal.code, refusal.earliestFrom, status], ['after-cut-off', '2027-01-01', 'active']);
    const refused = await one.my.post('/subscription', wanted);
    const { code, reason, earliestFrom } = refused.body;
    assert.deepEqual(
      [refused.status, code, reason, earliestFrom],
      [409, 'subscription-request-refused', 'after-cut-off', '2027-01-01'],
    );
    assert.equal((await one.my.post('/subscription/preview', { action: 'pause', from: '2027-01-02' })).status, 400);
    assert.equal((await one.my.post('/subscription/undo', { requestId: 1 })).status, 404);
  });

  it('joins with the agreement that was shown, in one step', async () => {
    const one = await person({ plan_type: 'split-pay-plan', contribution_cents: 2000, joining: 'employee' });
    const { subscription, agreement } = await homeOf(one);
    assert.deepEqual([subscription.status, subscription.employeeAmount.value], ['no-subscription', 2000]);
    assert.equal(agreement, null);
    const preview = (await one.my.post('/subscription/preview', { action: 'subscribe' })).body.data;
    assert.deepEqual([preview.refusal, preview.needsAgreement, preview.from], [null, true, '2026-11-01']);
    assert.equal(preview.deductedWith, '2026-11');
    const offered = (await one.my.get('/agreement')).body.data;
    assert.deepEqual([offered.purpose, offered.monthlyAmount.value], ['subscribe', 2000]);
    const file = await one.my.get('/agreement/file');
    assert.equal(file.headers.get('content-type'), 'application/pdf');
    assert.equal(createHash('sha256').update(file.bytes).digest('hex'), offered.sha256);
    const missing = await one.my.post('/subscription', { action: 'subscribe' });
    assert.deepEqual([missing.status, missing.body.code], [409, 'confirmation-mismatch']);
    const other = await one.my.post('/subscription', { action: 'subscribe', agreementSha256: 'a'.repeat(64) });
    assert.equal(other.body.code, 'confirmation-mismatch');
    assert.equal((await homeOf(one)).subscription.status, 'no-subscription');
    const join = { action: 'subscribe', agreementSha256: offered.sha256 };
    const results = await Promise.all([1, 2].map(() => one.my.post('/subscription', join)));
    assert.deepEqual(pluck(results, 'status').sort(), [200, 409]);
    const { companyId } = one.company;
    const signatures = await sql<{ decision: string }>`
      select decision from contract_signatures where company_id = ${companyId}`.execute(fixture.app.db);
    assert.deepEqual(signatures.rows, [{ decision: 'contract-accepted' }]);
    const decided = (await one.my.get('/agreement')).body.data;
    assert.deepEqual([decided.purpose, decided.status, decided.sha256], ['decided', 'accepted', offered.sha256]);
    assert.deepEqual((await one.my.get('/agreement/file')).bytes, file.bytes);
    const mails = await rowsOf(fixture.app.db, 'employee_mails', { company_id: companyId }, ['kind']);
    assert.deepEqual(pluck(mails, 'kind'), ['welcome']);
    await one.company.runTo('2026-11-01');
    assert.equal((await homeOf(one)).ticket.month, '2026-11');
  });

  it('cannot join where the roster decides, unless the employee ended the subscription', async () => {
    const one = await person();
    const [subscribe] = (await homeOf(one)).actions;
    assert.deepEqual([subscribe.isPossible, subscribe.message], [false, createMessage('my-joining-not-allowed')]);
    const refused = await one.my.post('/subscription', { action: 'subscribe' });
    assert.deepEqual([refused.status, refused.body.message.key], [409, 'my-joining-not-allowed']);
    await one.company.sync('second', [{ ...anna, ...subscribed }]);
    await one.company.runTo('2026-11-02');
    assert.equal((await one.my.post('/subscription', { action: 'cancel' })).status, 200);
    await one.company.runTo('2026-12-01');
    await one.company.sync('third', [{ ...anna, ...subscribed }]);
    const ended = await homeOf(one);
    assert.equal(ended.subscription.status, 'cancelled');
    assert.equal(ended.actions[0].isPossible, true);
    assert.equal((await one.my.post('/subscription', { action: 'subscribe' })).status, 200);
  });
});

describe('the agreement of an employee', () => {
  it('is rejected once, however often it is sent, and does not bind', async () => {
    const one = await person({ plan_type: 'deferred-plan' }, subscribed);
    const { sha256, purpose, status } = (await one.my.get('/agreement')).body.data;
    assert.deepEqual([purpose, status], ['decide', 'pending']);
    const decide = (decision: string, hash = sha256) => one.my.post('/agreement', { decision, sha256: hash });
    assert.equal((await decide('contract-accepted', 'b'.repeat(64))).body.code, 'confirmation-mismatch');
    const results = await Promise.all([1, 2, 3].map(() => decide('contract-rejected')));
    assert.deepEqual(pluck(results, 'status'), [200, 200, 200], results.map(({ bytes }) => String(bytes)).join());
    assert.deepEqual(results[0]?.body.data.decision.decision, 'contract-rejected');
    assert.equal((await decide('contract-accepted')).body.code, 'decision-refused');
    assert.equal((await homeOf(one)).subscription.whoCanChange, null);
  });

  it('does not exist for a plan that needs none', async () => {
    const one = await person({}, subscribed);
    assert.equal((await one.my.get('/agreement')).status, 404);
    assert.equal((await one.my.get('/agreement/file')).status, 404);
  });
});

describe('the settings of an employee', () => {
  it('are their language and whether optional mails are sent, and each change is recorded', async () => {
    const one = await person();
    assert.deepEqual((await one.my.get('/settings')).body.data, { language: 'de', mails: true });
    const changed = { language: 'en', mails: false };
    assert.deepEqual((await one.my.post('/settings', changed)).body.data, changed);
    assert.deepEqual((await one.my.post('/settings', changed)).body.data, changed);
    assert.deepEqual((await one.my.get('/settings')).body.data, changed);
    assert.deepEqual((await one.my.post('/settings', { mails: true })).body.data, { language: 'en', mails: true });
    const where = { company_id: one.company.companyId, action: 'employee.settings' };
    const entries = await rowsOf(fixture.app.db, 'audit_log', where, ['detail', 'actor_type', 'actor']);
    assert.equal(entries.length, 2);
    assert.deepEqual([entries[0]?.actor_type, entries[0]?.actor], ['employee', String(one.employeeId)]);
  });
});

describe('a ticket that its holder replaces', () => {
  it('has another code, in the history too', async () => {
    const one = await person({}, subscribed);
    await one.company.runTo('2026-11-14');
    const { ticket } = await homeOf(one);
    const body = { reason: 'new-phone', ticketId: ticket.id };
    const replaced = await one.my.post('/ticket/replacement', body);
    assert.equal(replaced.status, 200, replaced.bytes.toString());
    assert.equal(replaced.body.data.remaining, 2);
    assert.notEqual(replaced.body.data.ticket.code, ticket.code);
    assert.deepEqual((await one.my.post('/ticket/replacement', body)).body.data, replaced.body.data);
    const [entry] = (await one.my.get('/history')).body.data;
    assert.deepEqual(entry.message, createMessage('my-ticket-replaced-new-phone', { ticketId: ticket.id }));
  });
});
