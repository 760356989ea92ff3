import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { applyDecision } from '../../../src/features/subscriptions/apply-decision.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { rowsOf } from '../../support/rows.ts';
import { entries } from '../../support/sync.ts';

const terms = {
  ...{ planType: 'split-pay-plan', employeeCents: null, employerCents: null, employerPercent: null },
  ...{ minimumCents: null, maximumCents: null, waitingMonths: 0, taxTreatment: null },
};
const free = { ...terms, planType: 'fully-subsidized-plan' };
const employeePays = (employeeCents: number) => ({ ...terms, employeeCents });
const splitCompany = { plan_type: 'split-pay-plan', contribution_cents: 2000 };

describe('Benefit policies in the portal', () => {
  const fixture = useFixture('2026-09-15', 'without documents');

  const join = async (count: number, fields: Record<string, unknown> = {}) => {
    fixture.clock.moveTo('2026-09-15');
    const company = await joinCompany(fixture, splitCompany);
    await company.sync('first', entries(count, fields));
    const client = await signIn(fixture.app, await makeUser(fixture.app, company.companyId, 'hr'));
    return { company, client, ids: pluck(await company.employees(), 'id') as number[] };
  };
  const ok = async (answer: ReturnType<PortalClient['post']>) => {
    const { status, body } = await answer;
    assert(status < 300, JSON.stringify(body));
    return body?.data;
  };
  const policiesOf = async (client: PortalClient) => (await ok(client.get('/policies'))).policies;
  const create = (client: PortalClient, body: object) =>
    ok(client.post('/policies', { from: '2026-09-01', groups: [], terms: free, ...body }));
  const decide = (
    { companyId }: TestCompany,
    employeeId: number,
    decision: 'contract-accepted' | 'contract-rejected',
  ) =>
    writeCompany(fixture.app.serviceDb, companyId, (tx) =>
      applyDecision(tx, fixture.app.deps, companyId, { employeeId, decision, actor: { type: 'employee', name: null } }),
    );
  /** Returns the mails about changes, as `employee kind occasion`. */
  const mailsOf = async ({ companyId }: TestCompany) => {
    const { rows } = await sql<{ mail: string }>`
      select m.employee_id || ' ' || m.kind || ' ' || m.occasion as mail from employee_mails m
      where m.company_id = ${companyId} and (m.kind like 'agreement%' or m.kind = 'plan-changed')
      order by m.employee_id, m.kind, m.occasion`.execute(fixture.app.db);
    return rows.map(({ mail }) => mail);
  };

  it('are created, ordered and counted, and the first with a group applies', async () => {
    const { client, company, ids } = await join(3, { group: 'Berlin' });
    const { id: first } = await create(client, { name: 'First', groups: [' Berlin', 'berlin'] });
    const half = { ...terms, employerPercent: 50, minimumCents: 1_000, maximumCents: 5_000 };
    const { id: second } = await create(client, { name: 'Second', groups: ['BERLIN'], terms: half });
    const names = async () => pluck(await policiesOf(client), 'name', 'employees');
    assert.deepEqual(await names(), [
      ['First', 3],
      ['Second', 0],
      ['Standard', 0],
    ]);
    await ok(client.post('/policies/order', { ids: [second, first] }));
    assert.deepEqual(await names(), [
      ['Second', 3],
      ['First', 0],
      ['Standard', 0],
    ]);
    const [{ current, groups }] = await policiesOf(client);
    assert.deepEqual([current.employeeAmount.value, current.companyAmount.value, groups], [2_992, 2_993, ['BERLIN']]);
    const shown = (await company.employees()).map(({ plan }) => plan.employeeContributionAmount.value);
    assert.deepEqual(shown, [2_992, 2_992, 2_992]);
    await ok(client.post(`/employees/${ids[0]}/policy`, { policyId: first }));
    const { policy } = await ok(client.get(`/employees/${ids[0]}`));
    assert.deepEqual(policy, { id: first, name: 'First', reason: 'by-hand' });
    await ok(client.post(`/employees/${ids[0]}/policy`, { policyId: null }));
    await ok(client.post(`/policies/${second}`, { name: 'Hamburg', groups: ['Hamburg'] }));
    assert.deepEqual(await names(), [
      ['Hamburg', 0],
      ['First', 3],
      ['Standard', 0],
    ]);
  });

  it('refuse what contradicts itself, with the place and the remedy', async () => {
    const { client } = await join(1);
    await create(client, { name: 'Taken' });
    const refused = async (path: string, body: object) => {
      const response = await client.post(path, body);
      assert.equal(response.status, path === '/policies/order' ? 409 : 400, JSON.stringify(response.body));
      return response.body.errors?.[0]?.pointer;
    };
    const policy = { name: 'New', from: '2026-09-01', groups: [], terms: free };
    assert.equal(await refused('/policies', { ...policy, name: 'TAKEN' }), '/name');
    assert.equal(await refused('/policies', { ...policy, from: '2026-09-02' }), '/from');
    assert.equal(await refused('/policies', { ...policy, terms }), '/terms');
    assert.equal(await refused('/policies', { ...policy, terms: { ...employeePays(1), minimumCents: 1 } }), '/terms');
    await refused('/policies/order', { ids: [] });
    const standard = (await policiesOf(client)).at(-1).id;
    const change = { from: '2026-12-01', terms: null, deadline: null, noAnswer: 'keep' };
    const preview = `/policies/${standard}/changes/preview`;
    assert.equal(await refused(preview, { ...change, from: '2026-09-01' }), '/from');
    assert.equal(await refused(preview, { ...change, deadline: '2026-12-01' }), '/deadline');
    assert.equal((await client.post('/policies/999999999/changes/preview', change)).status, 404);
  });

  it('apply to groups that HR has entered, which outlive rosters without one', async () => {
    const { client, company, ids } = await join(2);
    const { id } = await create(client, { name: 'Trainees', groups: ['Trainees'] });
    await ok(client.post(`/employees/${ids[0]}/changes`, { group: ' Trainees ' }));
    await company.sync('second', entries(2, { group: null }));
    const details = await ok(client.get(`/employees/${ids[0]}`));
    assert.deepEqual(
      [details.group, details.setByHand, details.policy, details.employee.plan.type],
      ['Trainees', ['group'], { id, name: 'Trainees', reason: 'by-group' }, 'fully-subsidized-plan'],
    );
    await company.sync('third', entries(2, { group: 'Berlin' }));
    const moved = await ok(client.get(`/employees/${ids[0]}`));
    assert.deepEqual([moved.group, moved.setByHand, moved.policy.name], ['Berlin', [], 'Standard']);
    assert.equal((await client.post(`/employees/${ids[0]}/changes`, { group: 'Trainees' })).status, 400);
  });

  it('apply to a group that HR enters for all who match a filter, but not where the roster has one', async () => {
    const { client, company, ids } = await join(4);
    const { id } = await create(client, { name: 'Trainees', groups: ['Trainees'] });
    await company.sync(
      'second',
      entries(4).map((entry, index) => (index === 2 ? { ...entry, group: 'Berlin' } : entry)),
    );
    await ok(client.post(`/employees/${ids[3]}/changes`, { group: 'Trainees' }));
    const byHand = await ok(client.get(`/employees/${ids[3]}`));
    assert.equal(byHand.employee.plan.type, 'fully-subsidized-plan');
    const groups = async () => pluck(await ok(client.get('/employees/groups')), 'group', 'employees');
    const preview = (body: object) => ok(client.post('/employees/groups/preview', body));
    const all = { filter: { subscriptionStatuses: ['no-subscription'] }, group: ' Trainees ' };
    const counts = { changed: 2, unchanged: 1, ofRoster: 1 };
    assert.deepEqual(await preview(all), counts);
    const wrong = await client.post('/employees/groups', { ...all, confirm: 3 });
    assert.equal(wrong.body.code, 'confirmation-mismatch');
    assert.deepEqual(await groups(), [
      ['Berlin', 1],
      ['Trainees', 1],
    ]);
    assert.deepEqual(await ok(client.post('/employees/groups', { ...all, confirm: 2 })), counts);
    assert.deepEqual(await groups(), [
      ['Berlin', 1],
      ['Trainees', 3],
    ]);
    const details = await ok(client.get(`/employees/${ids[0]}`));
    assert.deepEqual(
      [details.group, details.setByHand, details.policy, details.employee.plan.type],
      ['Trainees', ['group'], { id, name: 'Trainees', reason: 'by-group' }, 'fully-subsidized-plan'],
    );
    const entered = { company_id: company.companyId, action: 'employee.change' };
    assert.deepEqual(
      pluck(await rowsOf(fixture.app.db, 'audit_log', entered, ['target']), 'target').sort(),
      [ids[0], ids[1], ids[3]].map(String).sort(),
    );
    const cleared = { employeeIds: [ids[0], ids[2]], group: null };
    assert.deepEqual(await preview(cleared), { changed: 1, unchanged: 0, ofRoster: 1 });
    await ok(client.post('/employees/groups', { ...cleared, confirm: 1 }));
    const { group, setByHand, policy, employee } = await ok(client.get(`/employees/${ids[0]}`));
    assert.deepEqual([group, setByHand, policy.name, employee.plan.type], [null, [], 'Standard', 'split-pay-plan']);
    const other = await join(1);
    assert.deepEqual(await preview({ employeeIds: other.ids, group: 'Trainees' }), {
      ...{ changed: 0, unchanged: 0, ofRoster: 0 },
    });
  });

  const begin = async (
    count: number,
    { from = '2026-12-01', cents = 5_000, noAnswer = 'keep', to = '2026-10-20' } = {},
  ) => {
    const { company, client, ids } = await join(count, { autoSyncEmployee: true });
    for (const id of ids) await decide(company, id, 'contract-accepted');
    await company.runTo(to);
    const [{ id: policy }] = await policiesOf(client);
    const body = { from, terms: employeePays(cents), deadline: null, noAnswer };
    return { company, client, ids, policy, body, path: `/policies/${policy}/changes` };
  };

  it('change what employees pay: the plan first, then the change once, with a mail to each', async () => {
    const { company, client, ids, body, path } = await begin(3);
    const preview = await ok(client.post(`${path}/preview`, body));
    assert.deepEqual(
      [preview.affected, preview.mustAgree, preview.discountLost, preview.deadline],
      [3, 3, 3, '2026-11-09'],
    );
    const { company: costs, employees, named } = preview;
    assert.deepEqual(
      [costs.perMonth, costs.perYear, employees].map(({ before, after }) => [before.value, after.value]),
      [
        [11_955, 3_900],
        [143_460, 46_800],
        [6_000, 15_000],
      ],
    );
    assert.deepEqual(
      named.map((one: Record<string, { value: number }>) => [
        one.employeeId,
        one.before?.value,
        one.after?.value,
        one.discount,
      ]),
      ids.map((id) => [id, 2_000, 5_000, 'lost']),
    );
    const start = { ...body, confirm: 3 };
    assert.equal((await client.post(path, { ...start, confirm: 2 })).body.code, 'confirmation-mismatch');
    const begun = await Promise.all([client.post(path, start), client.post(path, start)]);
    assert.deepEqual(pluck(begun, 'status'), [201, 201]);
    assert.equal((await client.post(path, start)).status, 201);
    const changes = new Set(begun.map((one) => one.body.data.id));
    assert.equal(changes.size, 1);
    const [change] = changes;
    assert.deepEqual(
      await mailsOf(company),
      ids.map((id) => `${id} agreement ${change}`),
    );
    await decide(company, ids[0] ?? 0, 'contract-accepted');
    await decide(company, ids[1] ?? 0, 'contract-rejected');
    const shown = await ok(client.get(`/policies/changes/${change}`));
    assert.deepEqual(shown.remindersOn, ['2026-11-02', '2026-11-07']);
    const { pending, accepted, rejected } = shown.change.counts;
    assert.deepEqual([pending, accepted, rejected, shown.change.mustAgree], [1, 1, 1, 3]);
    const listed = async (query: string) =>
      pluck((await ok(client.get(`/policies/changes/${change}/employees${query}`))).data, 'employeeId', 'state');
    assert.deepEqual(await listed('?states=pending'), [[ids[2], 'pending']]);
    assert.equal((await listed('')).length, 3);
    assert.equal((await client.post(path, { ...start, from: '2027-01-01' })).body.errors[0].pointer, '/from');
  });

  it('remind those who have not decided, each reminder once, also at the same time', async () => {
    const { company, client, ids, body, path } = await begin(3);
    const { id: change } = await ok(client.post(path, { ...body, confirm: 3 }));
    await decide(company, ids[0] ?? 0, 'contract-accepted');
    const remind = () => client.post(`/policies/changes/${change}/reminders`);
    const reminded = await Promise.all([remind(), remind()]);
    assert.deepEqual(reminded.map((one) => one.body.data.reminded).sort(), [0, 2]);
    await company.runTo('2026-11-02');
    await Promise.all([company.runTo('2026-11-03'), company.runTo('2026-11-03')]);
    await decide(company, ids[1] ?? 0, 'contract-rejected');
    await company.runTo('2026-11-09');
    const expected = [
      `${ids[0]} agreement ${change}`,
      `${ids[1]} agreement ${change}`,
      `${ids[1]} agreement-reminder ${change}/2026-10-20`,
      `${ids[1]} agreement-reminder ${change}/reminder-1`,
      `${ids[2]} agreement ${change}`,
      `${ids[2]} agreement-reminder ${change}/2026-10-20`,
      `${ids[2]} agreement-reminder ${change}/reminder-1`,
      `${ids[2]} agreement-reminder ${change}/reminder-2`,
    ];
    assert.deepEqual(await mailsOf(company), expected);
    await company.runTo('2026-11-11');
    assert.deepEqual(await mailsOf(company), expected);
    assert.equal((await remind()).body.code, 'decision-refused');
  });

  it('take effect in the month of the change for those who have not agreed, as the mail says', async () => {
    const { company, client, body, path } = await begin(1, { noAnswer: 'pause' });
    await ok(client.post(path, { ...body, confirm: 1 }));
    await company.runTo('2026-12-02');
    const [{ subscription }] = await company.employees();
    assert.deepEqual([subscription.status, subscription.pausedAt], ['paused', '2026-12-01']);
  });

  it('announce what needs no agreement, and say nothing to those whose first agreement is open', async () => {
    const { company, client, ids, body, path } = await begin(2, { cents: 1_500 });
    await company.sync('more', entries(3, { autoSyncEmployee: true }));
    await ok(client.post(path, { ...body, confirm: 3 }));
    const mails = await mailsOf(company);
    assert.deepEqual(
      mails.map((mail) => mail.replace(/ \d+$/, '')),
      ids.map((id) => `${id} plan-changed`),
    );
    const { changes } = await ok(client.get('/policies'));
    assert.deepEqual([changes[0].mustAgree, changes[0].counts.announced], [0, 3]);
  });

  it('do not decide about those whose first agreement is open when a share rises', async () => {
    const { company, client, body, path } = await begin(1, { noAnswer: 'cancel' });
    await company.sync('more', entries(2, { autoSyncEmployee: true }));
    const preview = await ok(client.post(`${path}/preview`, body));
    assert.deepEqual([preview.affected, preview.mustAgree], [2, 1]);
    await ok(client.post(path, { ...body, confirm: 2 }));
    await company.runTo('2026-11-11');
    const states = (await company.employees()).map(({ plan, subscription }) => [
      subscription.status,
      plan.contractSigningStatus,
      plan.employeeContributionAmount.value,
    ]);
    assert.deepEqual(states, [
      ['scheduled-cancellation', 'accepted', 2_000],
      ['scheduled', 'pending', 5_000],
    ]);
  });
});
