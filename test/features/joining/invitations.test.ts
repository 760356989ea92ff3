import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { updateRows } from '../../support/rows.ts';
import { entries } from '../../support/sync.ts';

const automatic = { joining: 'employee', invite_automatically: true };

describe('Invitations to join', () => {
  const fixture = useFixture('2026-11-05', 'without documents');

  const makeSeat = async (settings: Record<string, unknown>) => {
    fixture.clock.moveTo('2026-11-05');
    const company = await joinCompany(fixture, settings);
    const client = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'hr'));
    return { company, client };
  };
  /** Returns the mails to each employee, as `kind occasion`. */
  const mailsOf = async (companyId: CompanyId, employeeId: number) => {
    const { rows } = await sql<{ mail: string }>`
      select m.kind || ' ' || m.occasion as mail from employee_mails m
      where m.company_id = ${companyId} and m.employee_id = ${employeeId} and m.kind like 'invitation%'
      order by m.created_at, m.kind, m.occasion`.execute(fixture.app.db);
    return rows.map(({ mail }) => mail);
  };
  /** As if the mail server had accepted everything: no worker sends here. */
  const deliver = (companyId: CompanyId) =>
    sql`update employee_mails m set state = 'sent', next_attempt_at = null, encrypted_values = null, finished_at = now()
      where m.company_id = ${companyId} and m.state in ('pending', 'not-sent')`.execute(fixture.app.db);
  const listed = async (client: Awaited<ReturnType<typeof makeSeat>>['client'], query = '') => {
    const { status, body } = await client.get(`/joining/invitations${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.data.data as { employeeId: number; state: string; remindedOn: string | null; isExpired: boolean }[];
  };
  const idsOf = async (company: TestCompany) => (await company.employees()).map(({ id }) => id as number);
  const countsOf = async (client: Awaited<ReturnType<typeof makeSeat>>['client']) =>
    (await client.get('/joining')).body.data.counts;

  it('go once to whoever is in a roster without a subscription, if the company wants that', async () => {
    const { company } = await makeSeat(automatic);
    await company.sync('first', [...entries(2, { autoSyncEmployee: true }), ...optedOut]);
    const employees = await company.employees();
    for (const { id, email, subscription } of employees) {
      assert.equal(subscription.status, 'no-subscription');
      const expected = email === 'out@example.com' ? [] : ['invitation 1'];
      assert.deepEqual(await mailsOf(company.companyId, id), expected, email);
    }
    await Promise.all([
      company.sync('second', entries(3)),
      company.withIntegration(company.integrationId).sync('third', entries(4)),
    ]);
    await company.runTo('2026-11-06');
    for (const { id, email } of await company.employees()) {
      const expected = email === 'out@example.com' ? [] : ['invitation 1'];
      assert.deepEqual(await mailsOf(company.companyId, id), expected, email);
    }
    const { rows } = await sql<{ actor: string; employees: number }>`
      select l.actor_type as actor, sum((l.detail ->> 'employees')::integer)::integer as employees from audit_log l
      where l.company_id = ${company.companyId} and l.action in ('joining.invite', 'employee.invite')
      group by l.actor_type`.execute(fixture.app.db);
    assert.deepEqual(rows, [{ actor: 'service', employees: 4 }]);
  });

  const optedOut = [
    { hrId: 'OUT', firstName: 'Otto', lastName: 'Out', email: 'out@example.com', autoSyncEmployee: false },
  ];

  it('follow at night if the company decides so later, and never without joining', async () => {
    const { company } = await makeSeat({ invite_automatically: true });
    await company.sync('first', entries(1));
    const [id = 0] = await idsOf(company);
    await company.runTo('2026-11-06');
    assert.deepEqual(await mailsOf(company.companyId, id), []);
    await updateRows(fixture.app.db, 'companies', { id: company.companyId }, { joining: 'both' });
    await company.runTo('2026-11-07');
    await company.runTo('2026-11-08');
    assert.deepEqual(await mailsOf(company.companyId, id), ['invitation 1']);
  });

  it('are followed by reminders after 7 and 21 days, once each, until the employee joins', async () => {
    const { company, client } = await makeSeat(automatic);
    await company.sync('first', entries(3));
    const [waiting = 0, joining = 0, leaving = 0] = await idsOf(company);
    const mails = async () => Promise.all([waiting, joining, leaving].map((id) => mailsOf(company.companyId, id)));
    const first = ['invitation 1', 'invitation-reminder 1/2026-11-12'];
    await deliver(company.companyId);
    await company.runTo('2026-11-11');
    assert.deepEqual(await mails(), [['invitation 1'], ['invitation 1'], ['invitation 1']]);
    await company.runTo('2026-11-12');
    await company.runTo('2026-11-13');
    assert.deepEqual(await mails(), [first, first, first]);
    const joined = await client.post(`/employees/${joining}/decisions`, { decision: 'subscribe' });
    assert.equal(joined.status, 200);
    await company.sync('second', entries(3).slice(0, 2));
    await deliver(company.companyId);
    await company.runTo('2026-11-26');
    assert.deepEqual(await mails(), [[...first, 'invitation-reminder 1/2026-11-26'], first, first]);
    await company.runTo('2027-01-10');
    assert.deepEqual((await mails())[0], [...first, 'invitation-reminder 1/2026-11-26']);
    assert.deepEqual(
      (await listed(client)).map(({ employeeId, state, isExpired }) => ({ employeeId, state, isExpired })),
      [
        { employeeId: waiting, state: 'invited', isExpired: true },
        { employeeId: joining, state: 'joined', isExpired: true },
      ],
    );
    assert.deepEqual(await countsOf(client), { invited: 1, opened: 0, joined: 1, declined: 0, unreachable: 0 });
  });

  it('are previewed: who, what it costs, who cannot and why', async () => {
    const { company, client } = await makeSeat({
      ...{ joining: 'both', plan_type: 'split-pay-plan', contribution_cents: 2000 },
    });
    await company.sync('first', [
      ...entries(2),
      ...optedOut,
      { hrId: 'ON', firstName: 'Olga', lastName: 'On', email: 'on@example.com', autoSyncEmployee: true },
      { hrId: 'GO', firstName: 'Gerd', lastName: 'Go', email: 'go@example.com', terminationDate: '2026-11-30' },
    ]);
    const { status, body } = await client.post('/joining/invitations/preview', {});
    assert.equal(status, 200, JSON.stringify(body));
    const { named, refusals, monthly, ...preview } = body.data;
    assert.deepEqual(
      { ...preview, companyAmount: preview.companyAmount.value, employeeAmount: preview.employeeAmount.value },
      { employees: 4, invitable: 2, companyAmount: 3985, employeeAmount: 2000, firstMonth: '2026-12-01' },
    );
    assert.deepEqual(refusals, [
      { reason: 'opted-out', employees: 1 },
      { reason: 'employment-ends', employees: 1 },
    ]);
    assert.equal(monthly.employees.value, 4000);
    // With the fee of 1.50 per ticket and its tax.
    assert.equal(monthly.company.value, 2 * 3985 + 357);
    assert.deepEqual(
      named.map(({ refusal }: { refusal: string | null }) => refusal),
      [null, null, 'opted-out', 'employment-ends'],
    );
    const wrong = await client.post('/joining/invitations', { confirm: 3 });
    assert.equal(wrong.body.code, 'confirmation-mismatch');
    assert.deepEqual(await countsOf(client), { invited: 0, opened: 0, joined: 0, declined: 0, unreachable: 0 });
  });

  it('are sent once by two users at the same time, and again to somebody on another day', async () => {
    const { company, client } = await makeSeat({ joining: 'both' });
    await company.sync('first', entries(3));
    const [id = 0] = await idsOf(company);
    const both = await Promise.all([1, 2].map(() => client.post('/joining/invitations', { confirm: 3 })));
    const outcomes = both.map(({ body }) => body.data?.invited ?? body.code).sort();
    assert.ok(
      [
        [0, 3],
        [3, 'confirmation-mismatch'],
      ].some((expected) => assertEqual(outcomes, expected)),
      String(outcomes),
    );
    assert.deepEqual(await mailsOf(company.companyId, id), ['invitation 1']);
    const again = await client.post('/joining/invitations/preview', { employeeIds: [id] });
    assert.deepEqual(again.body.data.refusals, [{ reason: 'invited-today', employees: 1 }]);
    fixture.clock.moveTo('2026-11-06');
    const everybody = await client.post('/joining/invitations/preview', {});
    assert.deepEqual(everybody.body.data.refusals, [{ reason: 'invited', employees: 3 }]);
    assert.equal((await client.post('/joining/invitations', { employeeIds: [id], confirm: 1 })).body.data.invited, 1);
    assert.deepEqual(await mailsOf(company.companyId, id), ['invitation 1', 'invitation 2']);
  });

  const assertEqual = (actual: unknown, expected: unknown) => JSON.stringify(actual) === JSON.stringify(expected);

  it('are reminded of by hand, once a day', async () => {
    const { company, client } = await makeSeat({ joining: 'both' });
    await company.sync('first', entries(2));
    await client.post('/joining/invitations', { confirm: 2 });
    await deliver(company.companyId);
    const [id = 0] = await idsOf(company);
    const results = await Promise.all([1, 2].map(() => client.post('/joining/reminders', { employeeIds: [id] })));
    assert.deepEqual(results.map(({ body }) => body.data.reminded).sort(), [0, 1]);
    assert.deepEqual(await mailsOf(company.companyId, id), ['invitation 1', 'invitation-reminder 1/2026-11-05']);
    const others = await client.post('/joining/reminders', { filter: { invitationStates: ['invited'] } });
    assert.deepEqual(others.body.data, { reminded: 1, skipped: 1 });
  });

  it('that no mail has brought are not reachable', async () => {
    const { company, client } = await makeSeat({ joining: 'both' });
    await company.sync('first', entries(1));
    await client.post('/joining/invitations', { confirm: 1 });
    const [id = 0] = await idsOf(company);
    await sql`update employee_mails m set state = 'failed', next_attempt_at = null, encrypted_values = null
      where m.company_id = ${company.companyId} and m.employee_id = ${id}`.execute(fixture.app.db);
    assert.deepEqual(await countsOf(client), { invited: 0, opened: 0, joined: 0, declined: 0, unreachable: 1 });
    assert.deepEqual((await client.post('/joining/reminders', { employeeIds: [id] })).body.data, {
      reminded: 0,
      skipped: 1,
    });
    const found = await listed(client, '?states=unreachable&states=opened');
    assert.deepEqual(
      found.map(({ employeeId }) => employeeId),
      [id],
    );
    assert.deepEqual(await listed(client, '?states=invited'), []);
  });

  it('are refused while the roster decides, and erased with the employee', async () => {
    const { company, client } = await makeSeat({});
    await company.sync('first', entries(1));
    const refused = await client.post('/joining/invitations', { confirm: 1 });
    assert.equal(refused.body.code, 'joining-not-allowed');
    await updateRows(fixture.app.db, 'companies', { id: company.companyId }, { joining: 'both' });
    await client.post('/joining/invitations', { confirm: 1 });
    await company.sync('second', entries(2).slice(1));
    await company.runTo('2027-03-01');
    for (const table of ['joining_invitations', 'joining_links'] as const) {
      const { rows } = await sql`select from ${sql.table(table)} t where t.company_id = ${company.companyId}`.execute(
        fixture.app.db,
      );
      assert.equal(rows.length, 0, table);
    }
  });
});
