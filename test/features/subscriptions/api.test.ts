import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { permissions } from '../../../src/domain/enums.ts';
import { lockCompany } from '../../../src/features/companies/companies.ts';
import { basic, type Credentials, useApp } from '../../support/app.ts';
import { anEmployee, makeCompany, makeEmployee, makeEmployees, makeKey } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';

describe('subscription requests of the API', () => {
  const app = useApp();

  async function begin() {
    const companyId = await makeCompany(app.db, 'Requests');
    return { companyId, key: await makeKey(app.db, companyId), employeeId: await makeEmployee(app.db, companyId) };
  }

  const post = (key: Credentials, path: string, body: unknown, headers: Record<string, string> = {}) =>
    app.request(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: basic(key), 'content-type': 'application/json', ...headers },
    });
  const get = (key: Credentials, path: string) => app.request(path, { headers: { authorization: basic(key) } });
  const pathOf = (id: number) => `/employees/${id}/subscription-requests`;

  it('apply a change, list it, and refuse what is not possible with reason and month', async () => {
    const { key, employeeId } = await begin();
    const planned = await post(key, `${pathOf(employeeId)}?dryRun=true`, { action: 'subscribe' });
    assert.deepEqual([planned.status, planned.body.data.id], [200, null]);
    assert.equal((await get(key, pathOf(employeeId))).body.data.total, 0);
    const applied = await post(key, pathOf(employeeId), { action: 'subscribe', reason: 'New here' });
    assert.equal(applied.status, 201);
    const { id, requestedAt, ...record } = applied.body.data;
    const { id: _, requestedAt: _at, ...wanted } = planned.body.data;
    assert.deepEqual(record, { ...wanted, reason: 'New here' });
    assert.deepEqual([record.subscription.status, record.requestedBy, record.status], ['scheduled', 'key', 'applied']);
    const employee = await get(key, `/employees/${employeeId}`);
    assert.deepEqual(employee.body.data.subscription, record.subscription);
    const page = (await get(key, `${pathOf(employeeId)}?sortOrder=desc&perPage=1`)).body.data;
    assert.deepEqual([page.total, page.data[0]], [1, { id, requestedAt, ...record }]);
    const refused = await post(key, pathOf(employeeId), { action: 'pause', from: '2020-01-01' });
    assert.equal(refused.status, 409);
    assert.deepEqual([refused.body.code, refused.body.reason], ['subscription-request-refused', 'too-early']);
    assert.equal(refused.body.earliestFrom, record.from);
  });

  it('refuse what is no request', async () => {
    const { key, employeeId } = await begin();
    const answer = async (body: unknown, headers = {}) => {
      const { status, body: problem } = await post(key, pathOf(employeeId), body, headers);
      return [status, problem.code, ...(problem.errors ?? []).map((one: object) => Object.values(one)[0])].join(' ');
    };
    assert.equal(await answer({ action: 'promote' }), '400 invalid-body /action');
    assert.equal(await answer({ action: 'pause', from: '2027-01-02' }), '400 invalid-body /from');
    assert.equal(await answer({ action: 'pause', til: '2027-01-01' }), '400 invalid-body /til');
    const consent = { given: 'on-paper', on: '2999-01-01' };
    assert.equal(await answer({ action: 'subscribe', consent }), '400 invalid-body /consent/on');
    assert.equal(await answer({ action: 'cancel', until: '2027-01-01' }), '409 subscription-request-refused');
    assert.equal(
      await answer({ action: 'subscribe' }, { 'idempotency-key': 'a b' }),
      '400 invalid-parameters idempotency-key',
    );
    const many = await post(key, '/subscription-requests', { requests: [] });
    assert.deepEqual([many.status, many.body.code], [400, 'invalid-body']);
  });

  it('need the permission, which keys of today do not have, and the company’s own employees', async () => {
    const { companyId, key, employeeId } = await begin();
    const weak = await makeKey(
      app.db,
      companyId,
      permissions.filter((one) => one !== 'manage-subscriptions'),
    );
    for (const path of [pathOf(employeeId), '/subscription-requests']) {
      const { status, body } = await post(weak, path, { action: 'subscribe' });
      assert.deepEqual([status, body.missingPermissions], [403, ['manage-subscriptions']]);
    }
    const other = await begin();
    assert.equal((await post(key, pathOf(other.employeeId), { action: 'subscribe' })).status, 404);
    assert.equal((await get(key, pathOf(other.employeeId))).status, 404);
    const requests = [{ employeeId: other.employeeId, action: 'subscribe' }];
    const { body } = await post(key, '/subscription-requests', { requests });
    assert.deepEqual([body.data[0].status, body.data[0].problem.code], ['refused', 'not-found']);
  });

  it('of many succeed or fail each on its own, in the order sent', async () => {
    const { companyId, key } = await begin();
    const ids = await makeEmployees(
      app.db,
      companyId,
      Array.from({ length: 1_000 }, () => anEmployee()),
    );
    const requests = ids.map((employeeId, index) => ({
      employeeId,
      action: index % 10 === 0 ? 'cancel' : 'subscribe',
    }));
    const planned = await post(key, '/subscription-requests?dryRun=true', { requests });
    assert.deepEqual([planned.status, pluck(planned.body.data, 'employeeId')], [200, ids]);
    const { status, body } = await post(key, '/subscription-requests', { requests });
    assert.equal(status, 200);
    assert.deepEqual(pluck(body.data, 'status'), pluck(planned.body.data, 'status'));
    const refused = body.data.filter((one: { status: string }) => one.status === 'refused');
    assert.equal(refused.length, 100);
    assert.equal(refused[0].problem.reason, 'not-possible-in-this-status');
    const { rows } = await sql<{ count: number }>`
      select count(*) from employees e where e.company_id = ${companyId} and e.subscription_status = 'scheduled'`.execute(
      app.db,
    );
    assert.equal(Number(rows[0]?.count), 900);
    const tooMany = await post(key, '/subscription-requests', { requests: [...requests, requests[0]] });
    assert.equal(tooMany.status, 400);
  });

  describe('with an Idempotency-Key', () => {
    const countRequests = async (companyId: number) => {
      const { rows } = await sql<{ count: number }>`
        select count(*) from subscription_requests q where q.company_id = ${companyId}`.execute(app.db);
      return Number(rows[0]?.count);
    };

    it('repeat the first response, also a refusal, and refuse other content', async () => {
      const { companyId, key, employeeId } = await begin();
      const once = { 'idempotency-key': `one-${randomUUID()}` };
      const first = await post(key, pathOf(employeeId), { action: 'subscribe' }, once);
      const again = await post(key, pathOf(employeeId), { action: 'subscribe' }, once);
      assert.deepEqual([again.status, again.body], [201, first.body]);
      assert.deepEqual(
        [first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')],
        [null, 'true'],
      );
      assert.match(again.headers.get('content-type') ?? '', /^application\/json/);
      const other = await post(key, pathOf(employeeId), { action: 'cancel' }, once);
      assert.deepEqual([other.status, other.body.code], [422, 'idempotency-key-reused']);
      assert.equal(await countRequests(companyId), 1);
      const refusal = { 'idempotency-key': randomUUID() };
      const refused = await post(key, pathOf(employeeId), { action: 'resume' }, refusal);
      const repeated = await post(key, pathOf(employeeId), { action: 'resume' }, refusal);
      assert.deepEqual([repeated.status, repeated.body], [409, refused.body]);
      assert.match(repeated.headers.get('content-type') ?? '', /^application\/problem\+json/);
      const second = await makeKey(app.db, companyId);
      assert.equal((await post(second, pathOf(employeeId), { action: 'cancel' }, once)).status, 201);
    });

    it('have one effect when sent at the same time', async () => {
      const { companyId, key } = await begin();
      const ids = await makeEmployees(
        app.db,
        companyId,
        Array.from({ length: 50 }, () => anEmployee()),
      );
      const requests = ids.map((employeeId) => ({ employeeId, action: 'subscribe' }));
      const once = { 'idempotency-key': randomUUID() };
      const responses = await Promise.all(
        [0, 1, 2, 3].map(() => post(key, '/subscription-requests', { requests }, once)),
      );
      const codes = responses.map(({ status, body }) => `${status} ${body.code ?? ''}`.trim());
      assert.ok(codes.includes('200'));
      for (const code of codes) assert.match(code, /^(200|409 request-in-progress|429 rate-limited)$/);
      assert.equal(await countRequests(companyId), 50);
      const again = await post(key, '/subscription-requests', { requests }, once);
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
      assert.deepEqual(again.body, responses.find(({ status }) => status === 200)?.body);
      assert.equal(await countRequests(companyId), 50);
    });

    it('wait while the first runs, and run again if its process died', async () => {
      const { companyId, key, employeeId } = await begin();
      const value = randomUUID();
      const once = { 'idempotency-key': value };
      await post(key, pathOf(employeeId), { action: 'subscribe' }, once);
      // The state that a process leaves which was killed before its commit.
      const interrupt = (heldUntil: string) =>
        sql`
        update idempotency_keys k set status = null, body = null, held_until = now() + ${heldUntil}::interval
        where k.company_id = ${companyId} and k.idempotency_key = ${value}`.execute(app.db);
      await interrupt('1 minute');
      const waiting = await post(key, pathOf(employeeId), { action: 'subscribe' }, once);
      assert.deepEqual(
        [waiting.status, waiting.body.code, waiting.headers.get('retry-after')],
        [409, 'request-in-progress', '2'],
      );
      await interrupt('-1 second');
      const taken = await post(key, pathOf(employeeId), { action: 'subscribe' }, once);
      // It runs: the subscription exists already.
      assert.deepEqual([taken.status, taken.body.reason], [409, 'not-possible-in-this-status']);
      assert.equal(
        (await post(key, pathOf(employeeId), { action: 'subscribe' }, once)).headers.get('idempotency-replayed'),
        'true',
      );
      await sql`update idempotency_keys k set created_at = now() - interval '25 hours'
        where k.company_id = ${companyId}`.execute(app.db);
      const later = await post(key, pathOf(employeeId), { action: 'cancel' }, once);
      assert.equal(later.status, 201);
    });

    it('roll their effects back if another attempt has taken over', async () => {
      const { companyId, key, employeeId } = await begin();
      const once = { 'idempotency-key': randomUUID() };
      // The company is locked until the claim of the waiting request is gone.
      let taken: Promise<unknown> | undefined;
      await app.db.transaction().execute(async (tx) => {
        await lockCompany(tx, companyId);
        taken = post(key, pathOf(employeeId), { action: 'subscribe' }, once);
        for (let isClaimed = false; !isClaimed; ) {
          const { rows } =
            await sql`delete from idempotency_keys k where k.company_id = ${companyId} returning 1`.execute(tx);
          isClaimed = rows.length > 0;
        }
      });
      const { status, body } = (await taken) as Awaited<ReturnType<typeof post>>;
      assert.deepEqual([status, body.code], [409, 'request-in-progress']);
      assert.equal(await countRequests(companyId), 0);
      assert.equal((await get(key, `/employees/${employeeId}`)).body.data.subscription.status, 'no-subscription');
    });
  });
});
