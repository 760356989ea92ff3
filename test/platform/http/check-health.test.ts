import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { refusesOtherMethods } from '../../support/api/every-list.ts';
import { assertProblem } from '../../support/api/problems.ts';
import { type Credentials, startTestApp, type TestApp, type TestResponse, useApp } from '../../support/app.ts';
import { connectAs, serverUrl } from '../../support/database.ts';
import { makeCompany, makeKey, useCompany } from '../../support/factories.ts';
import { until } from '../../support/until.ts';

function assertUnavailable(response: TestResponse): void {
  assertProblem(response, 503, 'unavailable');
  assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
}

async function assertUnhealthy(app: TestApp): Promise<void> {
  for (const path of ['/health', '/health/?probe=1']) assertUnavailable(await app.request(path));
}

describe('GET /health', () => {
  const app = useApp();
  const { key } = useCompany(app);

  refusesOtherMethods(() => ({ app, key, path: '/health', allow: 'GET, HEAD' }));

  it('returns 204 without a body to every client', async () => {
    const response = await app.request('/health');
    assert.equal(response.status, 204);
    assert.equal(response.bytes.length, 0);
    assert.equal(response.headers.get('content-type'), null);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.notEqual(response.headers.get('x-request-id'), null);
  });

  for (const suffix of ['/', '?', '?verbose=%00', '?%ZZ', '?a=1&a=1', '/?x', '?/', `?${'x'.repeat(4000)}`]) {
    it(`ignores ${suffix.slice(0, 20)}`, async () => {
      for (const method of ['GET', 'HEAD']) {
        const response = await app.request(`/health${suffix}`, { method, key });
        assert.deepEqual([response.status, response.bytes.length], [204, 0]);
      }
      assertProblem(await app.request(`/health${suffix}`, { method: 'POST' }), 405, 'method-not-allowed');
    });
  }

  it('is no other path', async () => {
    for (const path of ['/health//', '/health/x', '/healthy']) {
      assertProblem(await app.request(path, { key }), 404, 'route-not-found');
    }
  });

  it('ignores credentials', async () => {
    const wrong = { username: 'nobody', password: 'wrong' };
    assert.equal((await app.request('/health', { key: wrong })).status, 204);
    assert.equal((await app.request('/health', { headers: { authorization: 'Nonsense' } })).status, 204);
  });

  it('responds to HEAD in the same way', async () => {
    const response = await app.request('/health', { method: 'HEAD' });
    assert.deepEqual([response.status, response.bytes.length], [204, 0]);
  });

  it('responds to many concurrent requests', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => app.request('/health')));
    assert.deepEqual([...new Set(responses.map((response) => response.status))], [204]);
  });
});

describe('A database that refuses connections', () => {
  const app = useApp();
  let key: Credentials;
  before(async () => {
    key = await makeKey(app.db, await makeCompany(app.db));
    assert.equal((await app.request('/health')).status, 204);
    assert.equal((await app.request('/employees', { key })).status, 200);
    await allowConnections(false);
  });

  async function allowConnections(allowed: boolean): Promise<void> {
    const name = new URL(app.databaseUrl).pathname.slice(1);
    const admin = await connectAs(serverUrl());
    await admin.query(`alter database ${name} allow_connections ${allowed}`);
    if (!allowed) {
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    }
    await admin.end();
  }

  it('makes the health check return 503', async () => {
    await assertUnhealthy(app);
    await assertUnhealthy(app);
  });

  for (const path of ['/employees', '/employees/1', '/billing/items/2026-11-01/ticket-charge']) {
    it(`makes ${path} return 503`, async () => {
      assertUnavailable(await app.request(path, { key }));
    });
  }

  it('makes wrong credentials return 503 too, because they cannot be checked', async () => {
    assertUnavailable(await app.request('/me', { key: { ...key, password: 'wrong' } }));
  });

  it('has no lasting effect once it accepts connections again', async () => {
    await allowConnections(true);
    await until('the service is healthy', async () => (await app.request('/health')).status === 204);
    assert.equal((await app.request('/employees', { key })).status, 200);
    assert.equal((await app.request('/billing/items/2026-11-01/ticket-charge', { key })).status, 200);
  });
});

describe('A database that accepts connections but never responds', () => {
  const sockets = new Set<Socket>();
  const silence = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  let app: TestApp;
  before(async () => {
    await once(silence.listen(0, '127.0.0.1'), 'listening');
    const { port } = silence.address() as AddressInfo;
    app = await startTestApp({ databaseUrl: `postgres://nobody:nothing@127.0.0.1:${port}/silence`, queue: false });
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await app.close();
    silence.close();
  });

  it('makes the health check return 503, and other requests later', async () => {
    let isAnswered = false;
    const other = app
      .request('/me', { key: { username: 'tk_1_0123456789abcdef', password: 'any' } })
      .then((response) => {
        isAnswered = true;
        return response;
      });
    await assertUnhealthy(app);
    assert(!isAnswered, 'the health check does not wait as long as other requests');
    assertUnavailable(await other);
    await Promise.all(Array.from({ length: 20 }, () => assertUnhealthy(app)));
  });
});

describe('A database whose connections are cut in the middle of a query', () => {
  let direct: TestApp;
  let app: TestApp;
  let key: Credentials;
  const sockets = new Set<Socket>();
  const wire = createServer((client) => {
    const { hostname, port } = new URL(direct.databaseUrl);
    const server = connect(Number(port), hostname);
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) sockets.add(socket.on('error', () => {}));
  });
  before(async () => {
    direct = await startTestApp();
    key = await makeKey(direct.db, await makeCompany(direct.db));
    await once(wire.listen(0, '127.0.0.1'), 'listening');
    const { port } = wire.address() as AddressInfo;
    const { href } = Object.assign(new URL(direct.databaseUrl), { hostname: '127.0.0.1', port });
    app = await startTestApp({ databaseUrl: href });
  });
  after(async () => {
    await app.close();
    for (const socket of sockets) socket.destroy();
    wire.close();
    await direct.close();
  });

  for (const [path, table] of [
    ['/employees', 'employees'],
    ['/billing/items/2026-11-01/ticket-charge', 'billing_items'],
  ] as const) {
    it(`fails only the running request (${path})`, async () => {
      const locker = await connectAs(direct.databaseUrl);
      await locker.query('begin');
      await locker.query(`lock table ${table} in access exclusive mode`);
      const underWay = app.request(path, { key });
      await until('the query waits', async () => {
        const { rows } = await sql`
          select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(direct.db);
        return rows.length > 0;
      });
      for (const socket of sockets) socket.resetAndDestroy();
      assertUnavailable(await underWay);
      await locker.query('rollback');
      await locker.end();
      assert.equal((await app.request(path, { key })).status, 200);
      assert.equal((await app.request('/health')).status, 204);
    });
  }
});
