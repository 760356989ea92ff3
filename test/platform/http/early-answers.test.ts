import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { after, before, describe, it } from 'node:test';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { describeHead, findLogLine } from '../../support/api/compare-responses.ts';
import { type Credentials, startTestApp, type TestApp, type TestResponse } from '../../support/app.ts';
import {
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeEmployee,
  makeIntegration,
  makeKey,
} from '../../support/factories.ts';
import { until } from '../../support/until.ts';

let app: TestApp;
let companyId: CompanyId;
let employee: number;
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_PER_MINUTE: '100', PAGE_CACHE_MB: '0' } });
  companyId = await makeCompany(app.db);
  employee = await makeEmployee(app.db, companyId, { first_name: 'Jürgen' });
  await makeBillingItems(app.db, companyId, [aTicketCharge(employee)]);
  await makeIntegration(app.db, companyId);
});
after(() => app.close());

/** Returns a key that the service trusts, because it has been used. */
async function makeTrustedKey(where = app, permissions?: Parameters<typeof makeKey>[2]): Promise<Credentials> {
  const key = await makeKey(app.db, companyId, permissions);
  assert.equal((await where.request('/me', { key })).status, 200);
  return key;
}

const handlerBegins = 'tracing:fastify.request.handler:start';

/** Returns the result of `work`, and how many requests have reached a handler of Fastify meanwhile. */
async function countHandled<T>(work: () => Promise<T>): Promise<[result: T, handled: number]> {
  let handled = 0;
  const note = () => {
    handled += 1;
  };
  subscribe(handlerBegins, note);
  try {
    return [await work(), handled];
  } finally {
    unsubscribe(handlerBegins, note);
  }
}

/** Repeats a read until it is answered before Fastify: on a busy machine, the trust in a key may have expired. */
async function readEarly(work: () => Promise<TestResponse>): Promise<TestResponse> {
  let early: TestResponse | undefined;
  await until('a read is answered before Fastify', async () => {
    const [response, handled] = await countHandled(work);
    if (handled === 0) early = response;
    return handled === 0;
  });
  assert(early);
  return early;
}

/** Fastify answers a request with a validator that is not in memory. */
const throughFastify = { 'if-none-match': '"other"' };

describe('Reads of trusted keys', () => {
  it('are answered before Fastify, as Fastify does it', async () => {
    const key = await makeTrustedKey();
    const paths = [
      `/employees/${employee}`,
      '/employees?perPage=5&sortField=createdAt&sortOrder=desc&search=jurgen',
      '/billing/items?period=2026-11-01&chargeType=ticket-charge',
      '/hr-integrations?perPage=3',
    ];
    for (const path of paths) {
      const early = await readEarly(() => app.request(path, { key }));
      const [late, handled] = await countHandled(() => app.request(path, { key, headers: throughFastify }));
      assert.equal(handled, 1, path);
      assert.equal(early.status, 200, path);
      assert.deepEqual(describeHead(early), describeHead(late), path);
      assert.deepEqual(early.bytes, late.bytes, path);
      assert.deepEqual(await findLogLine(app, early), await findLogLine(app, late), path);
    }
  });

  it('reach Fastify if anything about them is unusual, and are counted once', async () => {
    const key = await makeTrustedKey(app, ['view-employees']);
    const refused: [path: string, status: number][] = [
      ['/employees/999999999', 404],
      ['/employees/none', 400],
      ['/employees?perPage=101', 400],
      ['/employees?perPages=10', 400],
      ['/employees?search=%zz', 400],
      ['/hr-integrations', 403],
      ['/billing/items', 403],
    ];
    const { headers } = await app.request(`/employees/${employee}`, { key });
    let remaining = Number(headers.get('ratelimit-remaining'));
    for (const [path, status] of refused) {
      const response = await app.request(path, { key });
      remaining -= 1;
      assert.deepEqual([response.status, response.headers.get('ratelimit-remaining')], [status, `${remaining}`], path);
    }
  });

  it('stay within the limit of the key, also at the same moment', async () => {
    const limited = await startTestApp({ databaseUrl: app.databaseUrl, env: { RATE_LIMIT_PER_MINUTE: '6' } });
    try {
      const key = await makeTrustedKey(limited);
      const responses = await Promise.all(
        Array.from({ length: 12 }, (_, index) => limited.request(`/employees?page=${index + 1}`, { key })),
      );
      const statuses = responses.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [...Array(5).fill(200), ...Array(7).fill(429)]);
    } finally {
      await limited.close();
    }
  });

  it('are recorded with the address of their client', async () => {
    const proxied = await startTestApp({
      databaseUrl: app.databaseUrl,
      env: { TRUST_PROXY: 'on', PAGE_CACHE_MB: '0' },
    });
    try {
      const key = await makeTrustedKey(proxied);
      let attempt = 0;
      const { status } = await readEarly(() => {
        attempt += 1;
        const headers = { 'x-forwarded-for': `203.0.113.1, 198.51.100.${attempt}` };
        return proxied.request(`/employees/${employee}`, { key, headers });
      });
      assert.equal(status, 200);
      await until('the use of the key is recorded', async () => {
        const usage = await app.db
          .selectFrom('api_key_usage')
          .select('last_address')
          .where('company_id', '=', companyId)
          .where('last_address', '=', `198.51.100.${attempt}`)
          .executeTakeFirst();
        return usage !== undefined;
      });
    } finally {
      await proxied.close();
    }
  });
});
