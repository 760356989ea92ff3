import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, startTestApp } from '../support/app.ts';
import { makeCompany, makeKey } from '../support/factories.ts';
import { until } from '../support/process.ts';

describe('a process that lags behind', () => {
  it('answers 503 with Retry-After instead of queueing, and recovers by itself', async () => {
    const app = await startTestApp({ env: { OVERLOAD_DELAY_MS: '100' } });
    const key = await makeKey(app.db, await makeCompany(app.db));
    const status = async () => (await app.request('/me', { key })).status;
    const block = (milliseconds: number) => {
      const end = performance.now() + milliseconds;
      while (performance.now() < end);
    };
    await until(async () => (await status()) === 200);
    let refused: Answer | undefined;
    await until(async () => {
      block(400);
      refused = await app.request('/me', { key });
      return refused.status === 503;
    });
    assert.equal(refused?.body.code, 'unavailable');
    assert.match(refused?.headers.get('retry-after') ?? '', /^\d+$/);
    await until(async () => (await status()) === 200);
    await app.close();
  });
});
