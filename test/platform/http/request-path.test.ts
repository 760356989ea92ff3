import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { type Credentials, startTestApp, useApp } from '../../support/app.ts';
import {
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeEmployee,
  makeIntegration,
  makeKey,
} from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { before } from '../../support/prepare.ts';
import { until } from '../../support/until.ts';

const app = useApp({ env: { RATE_LIMIT_PER_MINUTE: '100', PAGE_CACHE_MB: '0' } });
let companyId: CompanyId;
let employee: number;
before(async () => {
  companyId = await makeCompany(app.db);
  employee = await makeEmployee(app.db, companyId, { first_name: 'Jürgen' });
  await makeBillingItems(app.db, companyId, [aTicketCharge(employee)]);
  await makeIntegration(app.db, companyId);
});

/** Returns a key that the service trusts, because it has been used. */
async function makeTrustedKey(where = app, permissions?: Parameters<typeof makeKey>[2]): Promise<Credentials> {
  const key = await makeKey(app.db, companyId, permissions);
  assert.equal((await where.request('/me', { key })).status, 200);
  return key;
}

describe('Reads of trusted keys', () => {
  it('are counted once, also if they are refused', async () => {
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
    await using limited = await startTestApp({ databaseUrl: app.databaseUrl, env: { RATE_LIMIT_PER_MINUTE: '6' } });
    const key = await makeTrustedKey(limited);
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => limited.request(`/employees?page=${index + 1}`, { key })),
    );
    const statuses = responses.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(5).fill(200), ...Array(7).fill(429)]);
  });

  it('are refused beyond the limit before anything is read', async () => {
    const limited = await startTestApp({ databaseUrl: app.databaseUrl, env: { RATE_LIMIT_PER_MINUTE: '3' } });
    const blocker = await app.db.startTransaction().execute();
    try {
      const key = await makeTrustedKey(limited);
      await sql`lock table employees`.execute(blocker);
      const waiting = Promise.all([1, 2].map((page) => limited.request(`/employees?page=${page}`, { key })));
      await until('two reads wait', async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db);
        return rows.length === 2;
      });
      assert.equal((await limited.request('/employees?page=3', { key })).status, 429);
      await blocker.rollback().execute();
      assert.deepEqual(pluck(await waiting, 'status'), [200, 200]);
    } finally {
      if (!blocker.isCommitted && !blocker.isRolledBack) await blocker.rollback().execute();
      await limited.close();
    }
  });

  it('are recorded with the address of their client', async () => {
    await using proxied = await startTestApp({
      databaseUrl: app.databaseUrl,
      env: { TRUST_PROXY: 'on', PAGE_CACHE_MB: '0' },
    });
    const key = await makeTrustedKey(proxied);
    const headers = { 'x-forwarded-for': '203.0.113.1, 198.51.100.1' };
    assert.equal((await proxied.request(`/employees/${employee}`, { key, headers })).status, 200);
    await until('the use of the key is recorded', async () => {
      const usage = await app.db
        .selectFrom('api_key_usage')
        .select('last_address')
        .where('company_id', '=', companyId)
        .where('last_address', '=', '198.51.100.1')
        .executeTakeFirst();
      return usage !== undefined;
    });
  });
});
