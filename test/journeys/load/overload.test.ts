import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { createMetrics } from '../../../src/platform/telemetry/metrics.ts';
import { basic, type Credentials, startTestApp, type TestApp, type TestResponse } from '../../support/app.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';
import { until } from '../../support/until.ts';

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
    const health = ['/health', '/health/?probe=1'].map((path) => app.request(path));
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
    for (const { status } of await Promise.all(health)) assert.equal(status, 204);
    assert.equal((await app.request('/me', { key })).status, 200);
    assert.equal(app.logs.filter((line) => line.includes('requests refused')).length, 1);
    await app.close();
  });

  it('refuses the company that sends most of them, and serves another one', async () => {
    const app = await startTestApp({ env: { OVERLOAD_QUEUE: '10', PAGE_CACHE_MB: '0' }, poolSize: 1 });
    const [busy, quiet] = [
      await makeKey(app.db, await makeCompany(app.db)),
      await makeKey(app.db, await makeCompany(app.db)),
    ];
    for (const key of [busy, quiet]) assert.equal((await app.request('/me', { key })).status, 200);
    const blocker = await app.db.startTransaction().execute();
    await sql`lock table employees`.execute(blocker);
    const ofBusy = Array.from({ length: 60 }, () => app.request('/employees', { key: busy }));
    let ofQuiet: Promise<TestResponse>[];
    try {
      assert.equal((await Promise.race(ofBusy)).status, 503);
      ofQuiet = [app.request('/employees', { key: quiet }), app.request('/employees', { key: quiet })];
      assert.equal((await app.request('/employees', { key: busy })).status, 503);
    } finally {
      await blocker.rollback().execute();
    }
    for (const { status } of await Promise.all(ofQuiet)) assert.equal(status, 200);
    const statuses = (await Promise.all(ofBusy)).map(({ status }) => status);
    assert(statuses.includes(200) && statuses.includes(503), String(new Set(statuses)));
    const [line] = app.logs.filter((text) => text.includes('requests refused'));
    assert.match(JSON.parse(line ?? '{}').sender, /^company \d+$/);
    await app.close();
  });

  /** Lets the service refuse requests while `work` runs. */
  async function overload(app: TestApp, key: Credentials, work: () => Promise<void>): Promise<void> {
    const blocker = await app.db.startTransaction().execute();
    await sql`lock table employees`.execute(blocker);
    const waiting: Promise<TestResponse>[] = [];
    let first: number | undefined;
    await until('a request is refused', () => {
      const sent = app.request('/employees', { key });
      sent.then(({ status }) => {
        first ??= status;
      });
      waiting.push(sent);
      return first === 503;
    });
    await work();
    await blocker.rollback().execute();
    await Promise.all(waiting);
  }

  /** Overloads the service until a client that repeats a refused request at once waits longer than another. */
  async function overloadUntilPaused(app: TestApp, key: Credentials, client: Client): Promise<void> {
    const other = createClient(app.url, key);
    assert.equal(await other.status(), 200);
    await until('the refused client waits longer', async () => {
      await overload(app, key, async () => assert.equal(await client.status(), 503));
      const order: string[] = [];
      const record = async (name: string, sent: Promise<number | undefined>) => {
        assert.equal(await sent, 200);
        order.push(name);
      };
      await Promise.all([record('refused', client.status()), record('other', other.status())]);
      return order[0] === 'other';
    });
    other.close();
  }

  it('lets a client that repeats refused requests at once wait, and responds to its last one, also if the process stops', async () => {
    const app = await startTestApp({
      env: { OVERLOAD_QUEUE: '2', STOP_DRAIN_MS: '0', PAGE_CACHE_MB: '0' },
      poolSize: 1,
    });
    const key = await makeKey(app.db, await makeCompany(app.db));
    const client = createClient(app.url, key);
    await overloadUntilPaused(app, key, client);
    await overload(app, key, async () => assert.equal(await client.status(), 503));
    const answered = client.status();
    await app.close();
    assert([200, 503].includes((await answered) ?? 0));
    client.close();
  });
});

type Client = ReturnType<typeof createClient>;

/** Returns a client with one connection. */
function createClient(url: string, key: Credentials) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: basic(key) };
  return {
    async status(path = '/employees'): Promise<number | undefined> {
      const [response]: IncomingMessage[] = await once(get(`${url}${path}`, { agent, headers }), 'response');
      response?.resume();
      await once(response as IncomingMessage, 'end');
      return response?.statusCode;
    },
    close: () => agent.destroy(),
  };
}
