import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { assertProblem } from '../../support/api/problems.ts';
import { startTestApp, type TestResponse, useApp } from '../../support/app.ts';
import { connectAs } from '../../support/database.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';
import { anonymousClient, makeUser, signIn } from '../../support/portal.ts';
import { until } from '../../support/until.ts';

const token = (company: number) => `${company}.${'x'.repeat(43)}`;

function assertRefused(response: TestResponse): void {
  assertProblem(response, 429, 'rate-limited');
  const seconds = Number(response.headers.get('retry-after'));
  assert(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
}

describe('limits per minute', () => {
  const app = useApp({
    env: { RATE_LIMIT_PER_MINUTE: '300', PORTAL_RATE_LIMIT_PER_MINUTE: '3', TRUST_PROXY: 'on' },
  });

  /** Sends one request more than the limit and returns its response. Throws unless those before have this status. */
  async function exceed(limit: number, send: () => Promise<TestResponse>, status: number): Promise<TestResponse> {
    for (let times = 0; times < limit; times++) assert.equal((await send()).status, status);
    return send();
  }

  it('apply to a portal user across sessions, and to no other user', async () => {
    const company = await makeCompany(app.db);
    const user = await makeUser(app, company);
    const sessions = [await signIn(app, user), await signIn(app, user)];
    let turn = 0;
    const get = () => (sessions[turn++ % 2] as (typeof sessions)[0]).get('/me');
    const refused = await exceed(3, get, 200);
    assertRefused(refused);
    assert.equal(refused.headers.get('ratelimit-limit'), '3');
    const colleague = await signIn(app, await makeUser(app, company));
    assert.equal((await colleague.get('/me')).status, 200);
  });

  for (const wallet of ['apple', 'google']) {
    it(`apply to a network that requests passes of ${wallet}`, async () => {
      const get = (address: string) =>
        app.request(`/wallet/${wallet}/${token(1)}`, { headers: { 'x-forwarded-for': `${wallet}, ${address}` } });
      const [here, there] = wallet === 'apple' ? ['192.0.2.1', '192.0.2.2'] : ['192.0.2.3', '192.0.2.4'];
      assertRefused(await exceed(120, () => get(here), 404));
      assert.equal((await get(there)).status, 404);
    });
  }

  it('apply to a network that opens or signs agreements, apart from those of wallets', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.7' };
    assertRefused(await exceed(120, () => app.request(`/wallet/apple/${token(1)}`, { headers }), 404));
    assertRefused(await exceed(120, () => anonymousClient(app).get(`/signing/${token(1)}`, headers), 404));
    const body = { decision: 'contract-accepted', documentSha256: '0'.repeat(64) };
    assertRefused(await anonymousClient(app).post(`/signing/${token(1)}`, body, headers));
    const other = { 'x-forwarded-for': '192.0.2.8' };
    assert.equal((await anonymousClient(app).get(`/signing/${token(1)}`, other)).status, 404);
  });

  it('apply to a network that looks up or accepts invitations', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.9' };
    assertRefused(await exceed(30, () => anonymousClient(app).get(`/invitations/${token(1)}`, headers), 404));
    const body = { name: 'Eve', password: 'a long password of Eve' };
    assertRefused(await anonymousClient(app).post(`/invitations/${token(1)}`, body, headers));
    const other = { 'x-forwarded-for': '192.0.2.10' };
    assert.equal((await anonymousClient(app).get(`/invitations/${token(1)}`, other)).status, 404);
  });
});

describe('invalid sessions', () => {
  it('count against the network that sends them', async () => {
    await using app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: '3' } });
    for (let times = 0; times < 3; times++) assert.equal((await anonymousClient(app).get('/me')).status, 401);
    assertRefused(await anonymousClient(app).get('/me'));
  });
});

describe('exports', () => {
  const app = useApp({ env: { HEAVY_REQUESTS_PER_KEY: '1' } });

  /** Runs `work` while every export waits for the lock on the items. */
  async function whileItemsAreLocked(work: (waiting: () => Promise<boolean>) => Promise<void>): Promise<void> {
    const locker = await connectAs(app.databaseUrl);
    await locker.query('begin');
    await locker.query('lock table billing_items in access exclusive mode');
    try {
      // Query through another connection: within a transaction, pg_stat_activity does not change.
      await work(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
        return rows.length > 0;
      });
    } finally {
      await locker.query('rollback');
      await locker.end();
    }
  }

  it('of one key are refused while the allowed number is running', async () => {
    const company = await makeCompany(app.db);
    const [key, other] = [await makeKey(app.db, company), await makeKey(app.db, company)];
    const get = (by = key) => app.request('/billing/items/2026-11-01/ticket-charge', { key: by });
    const underWay: Promise<TestResponse>[] = [];
    await whileItemsAreLocked(async (waiting) => {
      underWay.push(get());
      await until('the export waits', waiting);
      assertRefused(await get());
      underWay.push(get(other));
    });
    for (const response of await Promise.all(underWay)) assert.equal(response.status, 200);
    assert.equal((await get()).status, 200);
  });

  it('of a portal user are limited in the same way', async () => {
    const client = await signIn(app, await makeUser(app, await makeCompany(app.db)));
    const get = () => client.get('/payroll/2026-11-01');
    let underWay: Promise<TestResponse> | undefined;
    await whileItemsAreLocked(async (waiting) => {
      underWay = get();
      await until('the export waits', waiting);
      assertRefused(await get());
    });
    assert.equal((await underWay)?.status, 200);
  });
});
