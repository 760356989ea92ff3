import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { usernameOf } from '../../../src/features/keys/credentials.ts';
import { type RequestRow, toBatches } from '../../../src/features/requests/batches.ts';
import type { RequestsQuery } from '../../../src/features/requests/contract.ts';
import { expireRequests } from '../../../src/features/requests/expire.ts';
import { createRequestLog } from '../../../src/features/requests/log.ts';
import { listRequests } from '../../../src/features/requests/store.ts';
import { writeBatches } from '../../../src/features/requests/write.ts';
import { createRandom } from '../../../src/operator/demo/random.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { writeShared } from '../../../src/platform/db/write.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { until } from '../../support/until.ts';

interface Line {
  id: string;
  at: string;
  key: string;
  path: string;
  status: number;
}

describe('The request log', () => {
  const app = useApp();
  let company: CompanyId;
  let key: Credentials;
  let client: PortalClient;

  before(async () => {
    company = await makeCompany(app.db);
    key = await makeKey(app.db, company, ['view-employees']);
    client = await signIn(app, await makeUser(app, company, 'developer', { name: 'Dora' }));
  });

  const list = async (query = ''): Promise<{ data: Line[]; next: string | null }> => {
    const { status, body } = await client.get(`/requests${query}`);
    assert.equal(status, 200);
    return body.data;
  };
  const logged = (count: number) => until('requests are logged', async () => (await list()).data.length === count);

  it('has a line per request, also of repeated and refused ones', async () => {
    const first = await app.request('/employees?search=anna&page=1', { key });
    await app.request('/employees?search=anna&page=1', { key });
    const refused = await app.request('/billing/items', { key });
    await app.request('/employees/anna@example.com', { key });
    await app.request('/employees', { key: { ...key, password: 'wrong' } });
    await logged(4);
    const { data, next } = await list();
    assert.equal(next, null);
    assert.deepEqual(
      pluck(data, 'path', 'status').toSorted(),
      [
        ['/v1/billing/items', 403],
        ['/v1/employees/:id', 400],
        ['/v1/employees?search=…&page=1', 200],
        ['/v1/employees?search=…&page=1', 200],
      ].toSorted(),
    );
    const [line] = (await list(`?requestId=${refused.headers.get('x-request-id')}`)).data;
    assert.deepEqual(
      { ...line, at: '', ms: 0 },
      {
        id: refused.headers.get('x-request-id'),
        at: '',
        key: key.username,
        keyName: 'Test key',
        method: 'GET',
        path: '/v1/billing/items',
        status: 403,
        ms: 0,
        problem: 'missing-permission',
      },
    );
    assert.equal((await list(`?requestId=${first.headers.get('x-request-id')}`)).data.length, 1);
  });

  it('is filtered and read page by page', async () => {
    const paths = async (query: string) => (await list(query)).data.map(({ path }) => path);
    assert.deepEqual(await paths('?statusClasses=4xx&path=billing'), ['/v1/billing/items']);
    assert.equal((await paths(`?key=${key.username}&method=GET`)).length, 4);
    assert.deepEqual(await paths('?method=POST'), []);
    assert.deepEqual(await paths('?key=tk_1_0000000000000000'), []);
    assert.deepEqual(await paths('?to=2020-01-01'), []);
    assert.equal((await paths('?from=2020-01-01')).length, 4);
    const seen: string[] = [];
    let query = '?perPage=3';
    for (;;) {
      const { data, next } = await list(query);
      seen.push(...data.map(({ id }) => id));
      if (next === null) break;
      query = `?perPage=3&before=${next}`;
    }
    assert.deepEqual([seen.length, new Set(seen).size], [4, 4]);
  });

  it('says what a request id and the place of a page look like', async () => {
    const detailOf = async (query: string) => {
      const { status, body } = await client.get(`/requests?${query}`);
      return [status, body.detail];
    };
    assert.deepEqual(await detailOf('before=2'), [400, 'before must be `next` of the page before.']);
    assert.deepEqual(await detailOf('requestId=3720980f'), [
      400,
      'requestId must be a complete request id, as in the header `X-Request-Id` of a response.',
    ]);
  });

  it('is invisible to other companies', async () => {
    const other = await makeCompany(app.db);
    const stranger = await signIn(app, await makeUser(app, other, 'developer'));
    assert.deepEqual((await stranger.get(`/requests?key=${key.username}`)).body.data.data, []);
  });

  it('gives the usage of a key, with its creator and its last address', async () => {
    const { body } = await client.get(`/keys/${key.username}`);
    const { usage, lastAddress, createdBy } = body.data;
    assert.deepEqual([usage.length, lastAddress, createdBy], [30, '127.0.0.1', null]);
    assert.deepEqual({ ...usage.at(-1), day: '' }, { day: '', requests: 4, clientErrors: 2, serverErrors: 0 });
  });

  it('forgets requests after 7 days, addresses after 30, and usage after 70', async () => {
    const { id } = (await list()).data.at(-1) ?? {};
    // In UTC, since a cluster refuses changes that depend on the time zone of the connection.
    const earlier = (column: string, days: number) =>
      sql`(${sql.ref(column)} at time zone 'UTC' - ${sql.lit(`${days} days`)}::interval) at time zone 'UTC'`;
    await sql`update api_request_batches set last_at = ${earlier('last_at', 8)}
      where company_id = ${company} and strpos(requests::text, ${id}) > 0`.execute(app.db);
    const { signal } = new AbortController();
    const expired = await expireRequests(app.db, signal);
    const left = (await list()).data;
    assert.equal(left.length, 4 - expired);
    assert(!left.some((line) => line.id === id));
    await sql`update api_key_usage set hour = ${earlier('hour', 31)} where company_id = ${company}`.execute(app.db);
    await expireRequests(app.db, signal);
    const { body } = await client.get(`/keys/${key.username}`);
    assert.equal(body.data.lastAddress, null);
    const hours = async () =>
      (await sql`select from api_key_usage where company_id = ${company}`.execute(app.db)).rows.length;
    assert.equal(await hours(), 1);
    await sql`update api_key_usage set hour = ${earlier('hour', 40)} where company_id = ${company}`.execute(app.db);
    await expireRequests(app.db, signal);
    assert.equal(await hours(), 0);
  });
});

describe('The stored requests of a company', () => {
  const { int, pick } = createRandom(20_261_116);
  const [minute, day] = [60_000, 86_400_000];
  const now = Date.now();
  let companyId: CompanyId;
  let stored: RequestRow[];

  /** Requests of the last week: most of them new, many at the same millisecond, some from a clock that is ahead. */
  const makeRequest = (index: number): RequestRow => ({
    companyId,
    id: randomUUID(),
    at: now + 5_000 - int(0, pick([0, 1_000, 5 * minute, day, 7 * day])),
    keyId: pick(['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb']),
    method: pick(['GET', 'POST']),
    path: `/v1/employees/${index}`,
    status: pick([200, 304, 404, 503]),
    us: index,
    problem: null,
    address: null,
  });

  const fixture = useDatabase();
  before(async () => {
    companyId = await makeCompany(fixture.db);
    stored = Array.from({ length: 600 }, (_, index) => makeRequest(index));
    // Several processes write batches of the same minutes.
    for (let from = 0; from < stored.length; from += 150) {
      const batches = toBatches(stored.slice(from, from + 150));
      // A batch is written again if it is not known whether the database has it.
      const write = (company?: CompanyId) => writeShared(fixture.db, (tx) => writeBatches(tx, batches, company));
      await Promise.all([write(companyId), write(companyId)]);
      await write();
    }
    stored.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  });

  async function readAll(query: Partial<RequestsQuery>): Promise<string[]> {
    const ids: string[] = [];
    let before: string | undefined;
    do {
      const reader = { companyId, timeZone: 'Europe/Berlin', now };
      const full = { perPage: 7, ...query, ...(before ? { before } : {}) };
      const { rows, next } = await listRequests(fixture.db, reader, full);
      assert(next === null || rows.length === full.perPage);
      ids.push(...rows.map(({ id }) => id));
      before = next ?? undefined;
    } while (before !== undefined);
    return ids;
  }
  const idsWhere = (isWanted: (row: RequestRow) => boolean) => stored.filter(isWanted).map(({ id }) => id);
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime('Europe/Berlin').epochMilliseconds;

  it('are counted once in the usage of their keys', async () => {
    const { rows } = await sql`select sum(requests)::bigint as requests, sum(client_errors)::bigint as "clientErrors"
      from api_key_usage where company_id = ${companyId}`.execute(fixture.db);
    const clientErrors = stored.filter(({ status }) => status === 404).length;
    assert.deepEqual(rows, [{ requests: stored.length, clientErrors }]);
  });

  it('are listed once each, newest first, whatever batch they are in', async () => {
    assert.deepEqual(
      await readAll({}),
      idsWhere(() => true),
    );
    assert.deepEqual(
      await readAll({ perPage: 100 }),
      idsWhere(() => true),
    );
  });

  it('are found by key, status, method, path, id and day', async () => {
    const username = usernameOf({ companyId, keyId: 'bbbbbbbbbbbbbbbb' });
    assert.deepEqual(
      await readAll({ key: username, statusClasses: ['4xx', '5xx'], method: 'POST' }),
      idsWhere(({ keyId, status, method }) => keyId.startsWith('b') && status >= 400 && method === 'POST'),
    );
    assert.deepEqual(
      await readAll({ path: 'employees/59' }),
      idsWhere(({ path }) => path.includes('employees/59')),
    );
    const oldest = stored.at(-1);
    assert.deepEqual(await readAll({ requestId: oldest?.id ?? '' }), [oldest?.id]);
    const [from, to] = [3, 2].map((days) => Temporal.Now.plainDateISO('Europe/Berlin').subtract({ days }));
    assert(from && to);
    assert.deepEqual(
      await readAll({ from: from.toString(), to: to.toString() }),
      idsWhere(({ at }) => at >= startOf(from) && at < startOf(to.add({ days: 1 }))),
    );
  });

  it('wait for others while some are written', async () => {
    const other = await makeCompany(fixture.db);
    const onError = (error: unknown) => assert.fail(String(error));
    const onDropped = (count: number) => assert.fail(`${count} requests are missing`);
    const waitMillis = 600_000;
    const log = createRequestLog({ db: fixture.db, parametersOf: () => new Set(), onDropped, onError, waitMillis });
    const add = (company: CompanyId) =>
      log.add({
        companyId: company,
        keyId: 'cccccccccccccccc',
        requestId: randomUUID(),
        method: 'GET',
        route: '/v1/employees',
        url: '/v1/employees',
        status: 200,
        ms: 1,
        problem: undefined,
        address: undefined,
      });
    const countsOf = async (company: CompanyId) => {
      const { rows } = await sql<{ count: number }>`
        select json_array_length(requests) as count from api_request_batches
        where company_id = ${company}`.execute(fixture.db);
      return rows.map(({ count }) => count);
    };
    const busy = await makeCompany(fixture.db);
    // As many as are written at once.
    for (let index = 0; index < 5_000; index++) add(busy);
    add(other);
    await until('the first requests are written', async () => (await countsOf(busy)).length > 0);
    add(other);
    await log.stop();
    assert.deepEqual(await countsOf(other), [2]);
  });

  it('are stored in one row per minute and attempt to write', async () => {
    const { rows } = await sql<{ batches: number; longest: number }>`
      select count(*) as batches, max(json_array_length(requests)) as longest from api_request_batches`.execute(
      fixture.db,
    );
    assert(rows[0] && rows[0].batches < stored.length && rows[0].longest > 10, JSON.stringify(rows[0]));
  });
});
