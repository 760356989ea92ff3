import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { permissions, type Role } from '../../../src/domain/enums.ts';
import { changeByHand } from '../../../src/features/roster/by-hand.ts';
import { basic, type Credentials } from '../../support/app.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { makeKey } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, signIn } from '../../support/portal.ts';
import { anEntry, entries } from '../../support/sync.ts';

const subscribed = { autoSyncEmployee: true } as const;

describe('corrections of charges', () => {
  const fixture = useFixture('2026-01-15', 'without documents');

  async function begin(employees = 2, day = '2026-04-10') {
    fixture.clock.moveTo('2026-01-15');
    const company = await joinCompany(fixture);
    await company.sync('one', entries(employees, subscribed));
    await company.runTo(day);
    return { ...company, key: await makeKey(fixture.app.db, company.companyId) };
  }

  const post = (key: Credentials, body: unknown, { query = '', headers = {} } = {}) =>
    fixture.app.request(`/billing/corrections${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: basic(key), 'content-type': 'application/json', ...headers },
    });

  const dryRun = { query: '?dryRun=true' };

  const itemsOf = async (company: TestCompany) =>
    (await company.get('/billing/items?chargeType=ticket-charge&perPage=100')).body.data.data;

  it('reverse charges once, with the same preview, a code as reason, and the total', async () => {
    const company = await begin();
    const { key } = company;
    const [first, second] = pluck(await company.items('2026-02-01'), 'id');
    const body = { items: [first, 999_999_999, second], reason: 'refunded' };
    const planned = await post(key, body, dryRun);
    assert.equal(planned.status, 200);
    assert.equal((await itemsOf(company)).length, 6);
    const done = await post(key, body);
    assert.equal(done.status, 201);
    const { items, ...summary } = done.body.data;
    assert.deepEqual(summary, {
      period: '2026-04-01',
      reason: 'The ticket could not be used and was refunded.',
      corrected: 2,
      overall: { value: -11_970, label: '-119,70\u00a0€' },
      resource: 'billing-corrections',
    });
    assert.deepEqual(pluck(items, 'id', 'outcome', 'period'), [
      [first, 'corrected', '2026-02-01'],
      [second, 'corrected', '2026-02-01'],
      [999_999_999, 'not-found', null],
    ]);
    assert.deepEqual({ ...planned.body.data, items: [] }, { ...summary, items: [] });
    const { correctionId } = items[0];
    const correction = (await company.get(`/billing/items/${correctionId}`)).body.data;
    assert.deepEqual(correction.corrects, { id: first, period: '2026-02-01' });
    assert.deepEqual(correction.billing.overall.value, -5985);
    const again = await post(key, { ...body, items: [first, correctionId] });
    assert.equal(again.status, 200);
    assert.deepEqual(pluck(again.body.data.items, 'id', 'outcome', 'correctionId'), [
      [first, 'already-corrected', correctionId],
      [correctionId, 'is-correction', null],
    ]);
    const { rows } = await sql<{ actorType: string; target: string }>`
      select l.actor_type as "actorType", l.target from audit_log l
      where l.company_id = ${company.companyId} and l.action = 'billing.correct' order by l.id`.execute(fixture.app.db);
    assert.deepEqual(pluck(rows, 'actorType', 'target'), [
      ['key', String(first)],
      ['key', String(second)],
    ]);
  });

  it('reverse the tickets of some months of an employee', async () => {
    const company = await begin();
    const { id } = await company.employee('E1');
    const planned = await post(company.key, { employeeId: id, from: '2026-03-01', reason: 'Left.' }, dryRun);
    assert.deepEqual(pluck(planned.body.data.items, 'period'), ['2026-03-01', '2026-04-01']);
    const one = { employeeId: id, from: '2026-02-01', to: '2026-03-01', reason: 'Left.' };
    const { status, body } = await post(company.key, one);
    assert.equal(status, 201);
    assert.deepEqual(pluck(body.data.items, 'period', 'employeeId', 'chargeType'), [
      ['2026-02-01', id, 'ticket-charge'],
      ['2026-03-01', id, 'ticket-charge'],
    ]);
    assert.equal((await post(company.key, one)).body.data.corrected, 0);
    const unknown = await post(company.key, { ...one, employeeId: 999_999_999 });
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'not-found']);
  });

  it('happen once, however many requests there are at once', async () => {
    const company = await begin();
    const [item] = pluck(await company.items('2026-02-01'), 'id');
    const requests = Array.from({ length: 5 }, () => post(company.key, { items: [item], reason: 'refunded' }));
    const statuses = pluck(await Promise.all(requests), 'status');
    assert.deepEqual(statuses.sort(), [200, 200, 200, 200, 201]);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from billing_items b
      where b.company_id = ${company.companyId} and b.corrects_id = ${item}`.execute(fixture.app.db);
    assert.equal(rows[0]?.count, 1);
    const headers = { 'idempotency-key': randomUUID() };
    const [other] = pluck(await company.items('2026-03-01'), 'id');
    const first = await post(company.key, { items: [other], reason: 'refunded' }, { headers });
    const again = await post(company.key, { items: [other], reason: 'refunded' }, { headers });
    assert.deepEqual([again.status, again.body], [201, first.body]);
  });

  it('need the permission and one selection, and touch no other company', async () => {
    const company = await begin();
    const weak = await makeKey(
      fixture.app.db,
      company.companyId,
      permissions.filter((one) => one !== 'manage-billing'),
    );
    const { status, body } = await post(weak, { items: [1], reason: 'refunded' });
    assert.deepEqual([status, body.missingPermissions], [403, ['manage-billing']]);
    const answer = async (sent: unknown) => {
      const refused = await post(company.key, sent);
      return `${refused.status} ${refused.body.errors?.[0].pointer}`;
    };
    const reason = 'refunded';
    assert.equal(await answer({ reason }), '400 /items');
    assert.equal(await answer({ items: [1] }), '400 /reason');
    assert.equal(await answer({ items: [1], employeeId: 1, reason }), '400 /employeeId');
    assert.equal(await answer({ employeeId: 1, reason }), '400 /from');
    assert.equal(await answer({ employeeId: 1, from: '2026-03-02', reason }), '400 /from');
    assert.equal(await answer({ employeeId: 1, from: '2026-03-01', to: '2026-02-01', reason }), '400 /to');
    assert.equal(await answer({ items: [], reason }), '400 /items');
    const other = await begin();
    const [item] = pluck(await other.items('2026-02-01'), 'id');
    const foreign = await post(company.key, { items: [item], reason });
    assert.deepEqual([foreign.status, foreign.body.data.items[0].outcome], [200, 'not-found']);
  });

  describe('proposed', () => {
    const client = async ({ companyId }: TestCompany, role: Role = 'payroll') =>
      signIn(fixture.app, await makeUser(fixture.app, companyId, role));

    async function terminate(company: TestCompany, terminationDate: string | null, name: string) {
      const dates = { terminationDate };
      await company.sync(name, [anEntry(1, { ...subscribed, ...dates }), anEntry(2, subscribed)]);
    }

    it('after a late termination or absence, until they are corrected, kept or withdrawn', async () => {
      const company = await begin();
      const user = await client(company);
      const listed = async () => {
        const { total, proposals } = (await user.get('/billing/corrections/proposals')).body.data;
        assert.equal(total, proposals.length);
        return proposals.map(
          ({ item, cause }: { item: { id: number; billing: { period: string } }; cause: string }) =>
            `${cause} ${item.billing.period}`,
        );
      };
      const tasks = async () =>
        (await user.get('/overview')).body.data.tasks.filter(({ kind }: { kind: string }) => kind === 'corrections');
      assert.deepEqual([await listed(), await tasks()], [[], []]);
      await terminate(company, '2026-02-10', 'late');
      assert.deepEqual(await listed(), ['termination 2026-03-01', 'termination 2026-04-01']);
      assert.deepEqual(pluck(await tasks(), 'charges'), [2]);
      await terminate(company, '2026-03-10', 'later');
      assert.deepEqual(await listed(), ['termination 2026-04-01']);
      await terminate(company, null, 'stays');
      assert.deepEqual(await listed(), []);

      const { id } = await company.employee('E2');
      const absences = [{ startDate: '2026-02-01', endDate: '2026-03-31' }];
      const { app } = fixture;
      const deps = { db: app.serviceDb, companyId: company.companyId, ...app.deps };
      await changeByHand(deps, { employeeId: id, body: { absences } }, { type: 'operator', name: null });
      assert.deepEqual(await listed(), ['absence 2026-02-01', 'absence 2026-03-01']);
      const { proposals } = (await user.get('/billing/corrections/proposals')).body.data;
      const [february, march] = proposals.map(({ item }: { item: { id: number } }) => item.id);
      assert.equal((await user.post('/billing/corrections/kept', { items: [february] })).status, 204);
      assert.deepEqual(await listed(), ['absence 2026-03-01']);
      const body = { items: [march], reason: 'absent' };
      const planned = await user.post('/billing/corrections/preview', body);
      assert.deepEqual([planned.status, planned.body.data.corrected], [200, 1]);
      const done = await user.post('/billing/corrections', body);
      assert.deepEqual([done.status, done.body.data.overall.value], [200, -5985]);
      assert.deepEqual([await listed(), await tasks()], [[], []]);
      const again = [{ startDate: '2026-02-01', endDate: '2026-02-28' }];
      await changeByHand(deps, { employeeId: id, body: { absences: again } }, { type: 'operator', name: null });
      assert.deepEqual(await listed(), [], 'kept stays kept');
    });

    it('are decided by admins and payroll only', async () => {
      const company = await begin(1, '2026-02-10');
      const [item] = pluck(await company.items('2026-02-01'), 'id');
      const viewer = await client(company, 'hr');
      assert.equal((await viewer.get('/billing/corrections/proposals')).status, 200);
      for (const path of ['', '/preview']) {
        const refused = await viewer.post(`/billing/corrections${path}`, { items: [item], reason: 'left' });
        assert.equal(refused.status, 403);
      }
      assert.equal((await viewer.post('/billing/corrections/kept', { items: [item] })).status, 403);
    });
  });
});
