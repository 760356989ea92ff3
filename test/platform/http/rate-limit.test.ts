import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertProblem } from '../../support/api/problems.ts';
import { type Credentials, startTestApp, type TestResponse, useApp } from '../../support/app.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';

function assertStanding(response: TestResponse, remaining: number): void {
  const reset = Number(response.headers.get('ratelimit-reset'));
  assert(Number.isInteger(reset) && reset >= 1 && reset <= 60, `resets in ${reset} s`);
  assert.equal(response.headers.get('ratelimit-limit'), '5');
  assert.equal(response.headers.get('ratelimit-remaining'), String(remaining));
  assert.equal(response.headers.get('ratelimit'), `"default";r=${remaining};t=${reset}`);
  assert.equal(response.headers.get('ratelimit-policy'), '"default";q=5;w=60');
}

function assertLimited(response: TestResponse): void {
  assertProblem(response, 429, 'rate-limited');
  assertStanding(response, 0);
  assert.equal(response.headers.get('retry-after'), response.headers.get('ratelimit-reset'));
}

describe('The rate limit of five requests per minute', () => {
  const app = useApp({ env: { RATE_LIMIT_PER_MINUTE: '5' } });
  const makeNewKey = async () => makeKey(app.db, await makeCompany(app.db));

  it('refuses the sixth request and returns when to retry', async () => {
    const key = await makeNewKey();
    for (const remaining of [4, 3, 2, 1, 0]) {
      const response = await app.request('/me', { key });
      assert.equal(response.status, 200);
      assertStanding(response, remaining);
      assert.equal(response.headers.get('retry-after'), null);
    }
    assertLimited(await app.request('/me', { key }));
  });

  it('does not extend the window for clients that keep sending requests', async () => {
    const key = await makeNewKey();
    for (let times = 0; times < 6; times++) await app.request('/me', { key });
    const first = await app.request('/me', { key });
    for (let times = 0; times < 20; times++) assertLimited(await app.request('/me', { key }));
    const last = await app.request('/me', { key });
    assert(Number(last.headers.get('retry-after')) <= Number(first.headers.get('retry-after')));
  });

  it('counts every operation and every response, and returns the remaining budget with each', async () => {
    const key = await makeKey(app.db, await makeCompany(app.db), ['view-employees']);
    const responses = [
      await app.request('/employees', { key }),
      await app.request('/employees?page=-1', { key }),
      await app.request('/employees/999999999', { key }),
      await app.request('/billing/items', { key }),
      await app.request('/me', { method: 'HEAD', key }),
    ];
    assert.deepEqual(pluck(responses, 'status'), [200, 400, 404, 403, 200]);
    for (const [index, response] of responses.entries()) assertStanding(response, 4 - index);
    assertLimited(await app.request('/employees', { key }));
  });

  it('counts concurrent requests', async () => {
    const key = await makeNewKey();
    const responses = await Promise.all(Array.from({ length: 12 }, () => app.request('/me', { key })));
    assert.equal(responses.filter((response) => response.status === 200).length, 5);
    assert.equal(responses.filter((response) => response.status === 429).length, 7);
  });

  it('does not affect other keys, even of the same company', async () => {
    const companyId = await makeCompany(app.db);
    const [busy, calm] = [await makeKey(app.db, companyId), await makeKey(app.db, companyId)];
    for (let times = 0; times < 7; times++) await app.request('/me', { key: busy });
    const response = await app.request('/me', { key: calm });
    assert.equal(response.status, 200);
    assertStanding(response, 4);
  });

  it('does not limit the health check', async () => {
    for (let times = 0; times < 20; times++) assert.equal((await app.request('/health')).status, 204);
  });
});

describe('Failed credentials', () => {
  const app = useApp({ env: { RATE_LIMIT_PER_MINUTE: '5' } });
  let known: Credentials;
  before(async () => {
    known = await makeKey(app.db, await makeCompany(app.db));
    assert.equal((await app.request('/me', { key: known })).status, 200);
  });

  it('count against the address of the client', async () => {
    for (const remaining of [4, 3, 2, 1, 0]) {
      const response = await app.request('/me', { key: { ...known, password: `wrong ${remaining}` } });
      assertProblem(response, 401, 'invalid-credentials');
      assertStanding(response, remaining);
    }
    assertLimited(await app.request('/me', { key: { ...known, password: 'wrong again' } }));
    assertLimited(await app.request('/me'));
  });

  it('do not use up the budget of the named key', async () => {
    const response = await app.request('/me', { key: known });
    assert.equal(response.status, 200);
    assertStanding(response, 3);
  });

  it('do not lock out a valid key that is first used from the same address', async () => {
    const fresh = await makeKey(app.db, await makeCompany(app.db));
    const response = await app.request('/me', { key: fresh });
    assert.equal(response.status, 200);
    assertStanding(response, 4);
  });
});

describe('RATE_LIMIT_PER_MINUTE=0', () => {
  it('switches the limit off', async () => {
    // The overload protection must not refuse this many concurrent requests on a slow machine either.
    const env = { RATE_LIMIT_PER_MINUTE: '0', OVERLOAD_DELAY_MS: '60000', OVERLOAD_QUEUE: '1000' };
    await using app = await startTestApp({ env });
    const key = await makeKey(app.db, await makeCompany(app.db));
    const responses = await Promise.all(Array.from({ length: 400 }, () => app.request('/me', { key })));
    assert.deepEqual([...new Set(responses.map((response) => response.status))], [200]);
    const limits = responses.flatMap((response) =>
      [...response.headers.keys()].filter((name) => /ratelimit/.test(name)),
    );
    assert.deepEqual(limits, []);
    const failures = await Promise.all(Array.from({ length: 20 }, () => app.request('/me')));
    assert.deepEqual([...new Set(failures.map((response) => response.status))], [401]);
  });
});
