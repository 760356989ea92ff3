import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { startTestApp, type TestResponse } from '../support/app.ts';
import { makeCompany, makeKey } from '../support/factories.ts';
import { until } from '../support/until.ts';

describe('a process whose event loop is delayed', () => {
  it('returns 503 with Retry-After instead of queueing, and recovers by itself', async () => {
    const { metrics, registry } = createMetrics();
    const app = await startTestApp({ env: { OVERLOAD_DELAY_MS: '100' }, metrics });
    const key = await makeKey(app.db, await makeCompany(app.db));
    const status = async () => (await app.request('/me', { key })).status;
    const block = (milliseconds: number) => {
      const end = performance.now() + milliseconds;
      while (performance.now() < end);
    };
    const isWell = async () => (await status()) === 200;
    await until('the process is well', isWell);
    let refused: TestResponse | undefined;
    await until('a request is refused', async () => {
      block(400);
      refused = await app.request('/me', { key });
      return refused.status === 503;
    });
    assert.match(await registry.metrics(), /transit_http_overload_refused_total\{reason="event-loop"\} [1-9]/);
    assert.equal(refused?.body.code, 'unavailable');
    assert.match(refused?.headers.get('retry-after') ?? '', /^\d+$/);
    await until('the process is well again', isWell);
    await app.close();
  });
});

describe('a process that gets more requests than its database can serve', () => {
  it('returns 503 with Retry-After at once, passes its health check, and recovers by itself', async () => {
    const { metrics, registry } = createMetrics();
    const app = await startTestApp({ env: { OVERLOAD_QUEUE: '2' }, poolSize: 1, metrics });
    const key = await makeKey(app.db, await makeCompany(app.db));
    assert.equal((await app.request('/me', { key })).status, 200);
    const blocker = await app.db.startTransaction().execute();
    await sql`lock table employees`.execute(blocker);
    const requests = Array.from({ length: 40 }, (_, number) => app.request(`/employees/${number + 1}`, { key }));
    assert.equal((await Promise.race(requests)).status, 503);
    const health = app.request('/health');
    await blocker.rollback().execute();
    const responses = await Promise.all(requests);
    const refused = responses.filter(({ status }) => status === 503);
    assert(refused.length < responses.length, `refused ${refused.length}`);
    const counted = `transit_http_overload_refused_total{reason="database"} ${refused.length}\n`;
    assert((await registry.metrics()).includes(counted));
    for (const { body, headers } of refused) {
      assert.equal(body.code, 'unavailable');
      assert.equal(body.requestId, headers.get('x-request-id'));
      assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    }
    assert(responses.every(({ status }) => status === 503 || status === 404));
    assert.equal((await health).status, 204);
    assert.equal((await app.request('/me', { key })).status, 200);
    assert.equal(app.logs.filter((line) => line.includes('requests refused')).length, 1);
    await app.close();
  });
});
