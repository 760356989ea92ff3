import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { nameEmployeeMail } from '../../../src/features/employee-mails/queue.ts';
import { openEncryption } from '../../../src/platform/crypto/open-encryption.ts';
import { joinCompany, useFixture } from '../../support/daily-run.ts';
import { myClient } from '../../support/my.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { entries } from '../../support/sync.ts';

describe('The offer of an invitation', () => {
  const fixture = useFixture('2026-11-05', 'without documents');

  /** Returns the values of the newest mail of a kind to an employee. */
  async function readMail(
    companyId: number,
    employeeId: number,
    kind: 'invitation' | 'invitation-reminder' | 'access-link',
  ) {
    const { db, config, serviceDb } = fixture.app;
    const { rows } = await sql<{ occasion: string; values: string }>`
      select m.occasion, m.encrypted_values as values from employee_mails m
      where m.company_id = ${companyId} and m.employee_id = ${employeeId} and m.kind = ${kind}
      order by m.created_at desc limit 1`.execute(db);
    const [mail] = rows;
    assert.ok(mail, `no ${kind}`);
    const encryption = await openEncryption(config, serviceDb);
    const name = nameEmployeeMail(companyId as never, { employeeId, kind, occasion: mail.occasion });
    return JSON.parse(encryption.decrypt(mail.values, name));
  }

  async function invite(settings: Record<string, unknown> = {}) {
    fixture.clock.moveTo('2026-11-05');
    const company = await joinCompany(fixture, { joining: 'both', ...settings });
    const { companyId } = company;
    await company.sync('first', entries(2));
    const client = await signIn(fixture.app, await makeUser(fixture.app, companyId, 'hr'));
    const { body } = await client.post('/joining/invitations', { confirm: 2 });
    assert.equal(body.data.invited, 2);
    const [id = 0] = (await company.employees()).map((one) => one.id);
    const { token } = await readMail(companyId, id, 'invitation');
    return { company, companyId, client, id, token: token as string };
  }
  /** As if the mail server had accepted everything. */
  const deliver = (companyId: number) =>
    sql`update employee_mails m set state = 'sent', next_attempt_at = null, encrypted_values = null
      where m.company_id = ${companyId}`.execute(fixture.app.db);
  const my = () => myClient(fixture.app);
  const stateOf = async (client: Awaited<ReturnType<typeof invite>>['client']) =>
    (await client.get('/joining/invitations')).body.data.data.map(({ state }: { state: string }) => state);

  it('shows what a ticket costs and a first name, never more, and is then opened', async () => {
    const { client, companyId, token } = await invite({ plan_type: 'split-pay-plan', contribution_cents: 2000 });
    const { status, body, headers } = await my().post('/access/invitation', { token });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(headers.get('cache-control'), 'no-store');
    const { companyAmount, employeeAmount, ticketPrice, companyName, firstName, ...offer } = body.data;
    assert.deepEqual([ticketPrice.value, companyAmount.value, employeeAmount.value], [5985, 3985, 2000]);
    assert.ok(companyName && firstName);
    assert.deepEqual(offer, {
      ...{ logo: null, planType: 'split-pay-plan', firstMonth: '2026-12-01', state: 'open', validUntil: '2027-01-04' },
    });
    await deliver(companyId);
    assert.deepEqual(await stateOf(client), ['opened', 'invited']);
  });

  it('is gone after 60 days, with a new invitation, and for other secrets, companies and removed people', async () => {
    const { company, companyId, client, id, token } = await invite();
    const other = await invite();
    const gone = async (text: string) => {
      for (const path of ['/access/invitation', '/access/invitation/link', '/access/invitation/decline']) {
        const { status, body } = await my().post(path, { token: text });
        assert.deepEqual([status, body.code], [404, 'not-found'], path);
      }
    };
    const [, secret = ''] = token.split('.');
    for (const wrong of ['', 'x', `${companyId}.${'x'.repeat(43)}`, `${other.companyId}.${secret}`].slice(1))
      await gone(wrong);
    fixture.clock.moveTo('2026-11-06');
    await client.post('/joining/invitations', { employeeIds: [id], confirm: 1 });
    await gone(token);
    const renewed = (await readMail(companyId, id, 'invitation')).token;
    assert.equal((await my().post('/access/invitation', { token: renewed })).status, 200);
    fixture.clock.moveTo('2027-01-05');
    assert.equal((await my().post('/access/invitation', { token: renewed })).status, 200);
    fixture.clock.moveTo('2027-01-06');
    await gone(renewed);
    fixture.clock.moveTo('2026-11-06');
    await company.sync('without', entries(2).slice(1));
    await gone(renewed);
  });

  it('leads to a link to the address in the roster, for this browser, a few times', async () => {
    const { companyId, id, token } = await invite();
    const asked = await my().post('/access/invitation/link', { token });
    assert.equal(asked.status, 204);
    const { url } = await readMail(companyId, id, 'access-link');
    const link = new URL(url).hash.slice(1);
    const elsewhere = await my().post('/access/open', { token: link });
    assert.equal(elsewhere.body.code, 'access-refused');
    const [cookie = ''] = (asked.headers.getSetCookie()[0] ?? '').split(';');
    assert.equal((await myClient(fixture.app, cookie).post('/access/open', { token: link })).status, 204);
    const statuses = [];
    for (let time = 0; time < 5; time++) statuses.push((await my().post('/access/invitation/link', { token })).status);
    assert.deepEqual(statuses, [204, 204, 204, 204, 429]);
  });

  it('can be declined once, which ends reminders', async () => {
    const { company, client, companyId, id, token } = await invite();
    const declined = await Promise.all([1, 2].map(() => my().post('/access/invitation/decline', { token })));
    assert.deepEqual(
      declined.map(({ status }) => status),
      [204, 204],
    );
    const { rows } = await sql`select from audit_log l where l.company_id = ${companyId}
      and l.action = 'employee.decline-invitation' and l.actor_type = 'employee'`.execute(fixture.app.db);
    assert.equal(rows.length, 1);
    assert.equal((await my().post('/access/invitation', { token })).body.data.state, 'declined');
    await deliver(companyId);
    await company.runTo('2026-11-12');
    const reminded = await sql<{ id: number }>`select m.employee_id as id from employee_mails m
      where m.company_id = ${companyId} and m.kind = 'invitation-reminder'`.execute(fixture.app.db);
    assert.ok(reminded.rows.length === 1 && reminded.rows[0]?.id !== id);
    const preview = await client.post('/joining/invitations/preview', {});
    assert.deepEqual(preview.body.data.refusals, [
      { reason: 'declined', employees: 1 },
      { reason: 'invited', employees: 1 },
    ]);
  });
});
