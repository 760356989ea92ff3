import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { windowSeconds } from '../../../src/platform/http/rate-limit.ts';
import { type Credentials, startTestApp, type TestApp, type TestResponse, useApp } from '../../support/app.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';
import { until } from '../../support/until.ts';

const limit = 20;
const env = { RATE_LIMIT_PER_MINUTE: String(limit) };

describe('a rate limit of two processes on one database', () => {
  const one = useApp({ env });
  const other = useApp(() => ({ env, databaseUrl: one.databaseUrl }));

  const newKey = async () => makeKey(one.db, await makeCompany(one.db));
  const send = (app: TestApp, key: Credentials, times: number) =>
    Promise.all(Array.from({ length: times }, () => app.request('/me', { key })));
  const accepted = (responses: TestResponse[]) => responses.filter(({ status }) => status === 200).length;
  const sharedHits = async () => {
    const { rows } = await sql<{ hits: number }>`
      select coalesce(sum(hits), 0)::int as hits from rate_limit_windows`.execute(one.db);
    return rows[0]?.hits ?? 0;
  };
  /** Waits until both processes have written to the database what they accepted in this test. */
  const waitForExchange = (hits: number) =>
    until('the counts are exchanged', async () => (await sharedHits()) >= hits, windowSeconds * 1_000);

  /** Defines a test that begins without counts. If it took longer than a window, they have begun anew: it is repeated. */
  const itCounts = (what: string, test: (key: Credentials) => Promise<void>) =>
    it(what, async () => {
      for (;;) {
        await sql`delete from rate_limit_windows`.execute(one.db);
        const begun = performance.now();
        try {
          return await test(await newKey());
        } catch (error) {
          if (performance.now() - begun < windowSeconds * 1_000) throw error;
        }
      }
    });

  itCounts('applies to both together, except for requests before they exchange their counts', async (key) => {
    assert.equal(accepted(await send(one, key, limit - 5)), limit - 5);
    await waitForExchange(limit - 5);
    // The other process has sent no counts yet. It learns those of the first in the exchange after this request.
    assert.equal(accepted(await send(other, key, 1)), 1);
    await waitForExchange(limit - 4);
    await until('the other process knows', async () => {
      const { headers } = await other.request('/me', { key });
      return Number(headers.get('ratelimit-remaining')) < 5;
    });
    const rest = accepted(await send(other, key, 2 * limit));
    assert(rest < 5, `${rest} more were accepted`);
    assert.equal((await other.request('/me', { key })).status, 429);
  });

  itCounts('is exceeded at most by the limit of the other process, and not after the exchange', async (key) => {
    const bursts = await Promise.all([send(one, key, 2 * limit), send(other, key, 2 * limit)]);
    const total = accepted(bursts.flat());
    assert(total >= limit && total <= 2 * limit, `${total} were accepted`);
    await waitForExchange(total);
    for (const app of [one, other]) {
      const [refused] = await send(app, key, 1);
      assert.equal(refused?.status, 429);
      assert.match(refused?.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
  });

  itCounts('shares what was accepted, and nothing of refused requests', async (key) => {
    await send(one, key, limit);
    await waitForExchange(limit);
    await send(one, key, 100);
    const next = await newKey();
    await send(one, next, 1);
    await waitForExchange(limit + 1);
    assert.equal(await sharedHits(), limit + 1);
  });

  it('deletes expired windows', async () => {
    const key = await newKey();
    await sql`update rate_limit_windows set ends_at = now() - interval '1 second'`.execute(one.db);
    await using fresh = await startTestApp({ env, databaseUrl: one.databaseUrl });
    assert.equal(accepted(await send(fresh, key, 1)), 1);
    await until('only the new window is left', async () => {
      const { rows } = await sql`select from rate_limit_windows`.execute(one.db);
      return rows.length === 1;
    });
  });
});
