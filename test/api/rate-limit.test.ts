import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Answer, type Credentials, startTestApp, type TestApp } from '../support/app.ts';
import { makeCompany, makeKey } from '../support/factories.ts';
import { assertProblem } from './shared/problems.ts';

function assertStanding(answer: Answer, remaining: number): void {
  const reset = Number(answer.headers.get('ratelimit-reset'));
  assert(Number.isInteger(reset) && reset >= 1 && reset <= 60, `resets in ${reset} s`);
  assert.equal(answer.headers.get('ratelimit-limit'), '5');
  assert.equal(answer.headers.get('ratelimit-remaining'), String(remaining));
  assert.equal(answer.headers.get('ratelimit'), `"default";r=${remaining};t=${reset}`);
  assert.equal(answer.headers.get('ratelimit-policy'), '"default";q=5;w=60');
}

function assertLimited(answer: Answer): void {
  assertProblem(answer, 429, 'rate-limited');
  assertStanding(answer, 0);
  assert.equal(answer.headers.get('retry-after'), answer.headers.get('ratelimit-reset'));
}

describe('The rate limit of five requests a minute', () => {
  let app: TestApp;
  const makeNewKey = async () => makeKey(app.db, await makeCompany(app.db));
  before(async () => {
    app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: '5' } });
  });
  after(() => app.close());

  it('refuses the sixth request and returns when to retry', async () => {
    const key = await makeNewKey();
    for (const remaining of [4, 3, 2, 1, 0]) {
      const answer = await app.request('/me', { key });
      assert.equal(answer.status, 200);
      assertStanding(answer, remaining);
      assert.equal(answer.headers.get('retry-after'), null);
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
    const answers = [
      await app.request('/employees', { key }),
      await app.request('/employees?page=-1', { key }),
      await app.request('/employees/999999999', { key }),
      await app.request('/billing/items', { key }),
      await app.request('/me', { method: 'HEAD', key }),
    ];
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 400, 404, 403, 200],
    );
    for (const [index, answer] of answers.entries()) assertStanding(answer, 4 - index);
    assertLimited(await app.request('/employees', { key }));
  });

  it('counts concurrent requests', async () => {
    const key = await makeNewKey();
    const answers = await Promise.all(Array.from({ length: 12 }, () => app.request('/me', { key })));
    assert.equal(answers.filter((answer) => answer.status === 200).length, 5);
    assert.equal(answers.filter((answer) => answer.status === 429).length, 7);
  });

  it('does not affect other keys, even of the same company', async () => {
    const companyId = await makeCompany(app.db);
    const [busy, calm] = [await makeKey(app.db, companyId), await makeKey(app.db, companyId)];
    for (let times = 0; times < 7; times++) await app.request('/me', { key: busy });
    const answer = await app.request('/me', { key: calm });
    assert.equal(answer.status, 200);
    assertStanding(answer, 4);
  });

  it('does not limit the health check', async () => {
    for (let times = 0; times < 20; times++) assert.equal((await app.request('/health')).status, 204);
  });
});

describe('Failed credentials', () => {
  let app: TestApp;
  let known: Credentials;
  before(async () => {
    app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: '5' } });
    known = await makeKey(app.db, await makeCompany(app.db));
    assert.equal((await app.request('/me', { key: known })).status, 200);
  });
  after(() => app.close());

  it('count against the address of the client', async () => {
    for (const remaining of [4, 3, 2, 1, 0]) {
      const answer = await app.request('/me', { key: { ...known, password: `wrong ${remaining}` } });
      assertProblem(answer, 401, 'invalid-credentials');
      assertStanding(answer, remaining);
    }
    assertLimited(await app.request('/me', { key: { ...known, password: 'wrong again' } }));
    assertLimited(await app.request('/me'));
  });

  it('do not use up the budget of the named key', async () => {
    const answer = await app.request('/me', { key: known });
    assert.equal(answer.status, 200);
    assertStanding(answer, 3);
  });

  it('do not lock out a valid key that is first used from the same address', async () => {
    const fresh = await makeKey(app.db, await makeCompany(app.db));
    const answer = await app.request('/me', { key: fresh });
    assert.equal(answer.status, 200);
    assertStanding(answer, 4);
  });
});

describe('RATE_LIMIT_PER_MINUTE=0', () => {
  it('switches the limit off', async () => {
    // The overload protection must not refuse this many concurrent requests on a slow machine either.
    const env = { RATE_LIMIT_PER_MINUTE: '0', OVERLOAD_DELAY_MS: '60000', OVERLOAD_QUEUE: '1000' };
    const app = await startTestApp({ env });
    try {
      const key = await makeKey(app.db, await makeCompany(app.db));
      const answers = await Promise.all(Array.from({ length: 400 }, () => app.request('/me', { key })));
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
      const limits = answers.flatMap((answer) => [...answer.headers.keys()].filter((name) => /ratelimit/.test(name)));
      assert.deepEqual(limits, []);
      const failures = await Promise.all(Array.from({ length: 20 }, () => app.request('/me')));
      assert.deepEqual([...new Set(failures.map((answer) => answer.status))], [401]);
    } finally {
      await app.close();
    }
  });
});
