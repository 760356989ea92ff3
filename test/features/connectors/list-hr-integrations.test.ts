import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { behavesLikeEveryList, idsOf, takesIdsInEverySpelling } from '../../support/api/every-list.ts';
import { expectedIntegration, onePage } from '../../support/api/expected.ts';
import { assertInvalid } from '../../support/api/problems.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../../support/factories.ts';
import { updateRows } from '../../support/rows.ts';

const app = useApp();

async function startCompany(): Promise<{ companyId: CompanyId; key: Credentials }> {
  const companyId = await makeCompany(app.db);
  return { companyId, key: await makeKey(app.db, companyId, ['view-hr-integrations']) };
}

describe('GET /hr-integrations', () => {
  let key: Credentials;
  let otherKey: Credentials;
  const ids: number[] = [];
  before(async () => {
    const company = await startCompany();
    key = company.key;
    otherKey = (await startCompany()).key;
    const { companyId: other } = await startCompany();
    for (let number = 0; number < 14; number++) {
      ids.push(await makeIntegration(app.db, company.companyId));
      await makeIntegration(app.db, other);
    }
  });
  const list = () => ({ app, key, path: '/hr-integrations', ids, otherKey });

  behavesLikeEveryList(list);
  takesIdsInEverySpelling(list);

  it('reports all invalid parameters together', async () => {
    const query = 'ids=x&types=hr&sortField=name&perPage=101';
    assertInvalid(await app.request(`/hr-integrations?${query}`, { key }), {
      ids: 'type',
      types: 'enum',
      sortField: 'enum',
      perPage: 'maximum',
    });
  });
});

describe('GET /hr-integrations: the record', () => {
  it('returns all fields of an integration with and without syncs', async () => {
    const { companyId, key } = await startCompany();
    const used = await makeIntegration(app.db, companyId, 'Workday „Süd“');
    const fresh = await makeIntegration(app.db, companyId, 'Neu');
    await updateRows(
      app.db,
      'hr_integrations',
      { id: used },
      {
        status: 'active',
        initial_connection_status: 'completed',
        last_sync_id: '2026-11-14T02:00',
        last_synced_at: '2026-11-14T03:00:04.5+01:00',
        last_sync_status: 'partially-failed',
      },
    );
    const synced = {
      initialConnectionStatus: 'completed',
      lastSyncId: '2026-11-14T02:00',
      lastSynced: '2026-11-14T02:00:04Z',
      lastSyncStatus: 'partially-failed',
    };
    const expected = onePage([
      expectedIntegration(used, { name: 'Workday „Süd“', ...synced }),
      expectedIntegration(fresh, { name: 'Neu' }),
    ]);
    assert.deepEqual((await app.request('/hr-integrations', { key })).body, expected);
  });
});

describe('GET /hr-integrations: order and types', () => {
  let key: Credentials;
  let a: number;
  let b: number;
  let c: number;
  let d: number;
  before(async () => {
    const company = await startCompany();
    key = company.key;
    const early = '2026-01-01T00:00:00Z';
    const late = '2026-01-01T00:00:00.000001Z';
    const rows = await app.db
      .insertInto('hr_integrations')
      .values(
        [
          { type: 'hr-integration', created_at: late, updated_at: early } as const,
          { type: 'api-integration', created_at: early, updated_at: late } as const,
          { type: 'hr-integration', created_at: late, updated_at: late } as const,
          { type: 'api-integration', created_at: early, updated_at: early } as const,
        ].map((fields) => ({
          ...fields,
          company_id: company.companyId,
          name: 'Integration',
          status: 'active' as const,
          initial_connection_status: 'completed' as const,
        })),
      )
      .returning('id')
      .execute();
    [a = 0, b = 0, c = 0, d = 0] = rows.map((row) => row.id);
  });
  const order = async (query: string) => idsOf(await app.request(`/hr-integrations?${query}`, { key }));

  it('sorts by createdAt, ties by id in the same direction', async () => {
    assert.deepEqual(await order('sortField=createdAt'), [b, d, a, c]);
    assert.deepEqual(await order('sortField=createdAt&sortOrder=desc'), [c, a, d, b]);
  });

  it('sorts by updatedAt, ties by id in the same direction', async () => {
    assert.deepEqual(await order('sortField=updatedAt'), [a, d, b, c]);
    assert.deepEqual(await order('sortField=updatedAt&sortOrder=desc'), [c, b, d, a]);
  });

  it('sorts by id when the sort field is id, empty or null', async () => {
    assert.deepEqual(await order('sortField=id&sortOrder=desc'), [d, c, b, a]);
    assert.deepEqual(await order('sortField='), [a, b, c, d]);
    assert.deepEqual(await order('sortField=null'), [a, b, c, d]);
  });

  for (const [query, wanted] of [
    ['types=hr-integration', () => [a, c]],
    ['types=api-integration', () => [b, d]],
    ['types=hr-integration&types=api-integration', () => [a, b, c, d]],
    ['types[]=hr-integration', () => [a, c]],
    ['types[0]=api-integration&types[1]=api-integration', () => [b, d]],
    ['types=hr-integration,api-integration', () => [a, b, c, d]],
    ['types=', () => [a, b, c, d]],
    ['types=null', () => [a, b, c, d]],
    ['types=,null,hr-integration', () => [a, c]],
  ] as const) {
    it(`restricts with ${query}`, async () => {
      const response = await app.request(`/hr-integrations?${query}`, { key });
      assert.deepEqual(idsOf(response), wanted());
      assert.equal(response.body.data.total, wanted().length);
    });
  }

  it('combines types with ids, order and pages', async () => {
    const query = `types=hr-integration&ids=${a},${b},${c}&sortField=createdAt&sortOrder=desc&perPage=1`;
    const response = await app.request(`/hr-integrations?${query}`, { key });
    assert.deepEqual(idsOf(response), [c]);
    assert.deepEqual([response.body.data.total, response.body.data.totalPages], [2, 2]);
  });

  it('refuses unknown types and sort fields', async () => {
    for (const value of ['hr', 'HR-INTEGRATION', 'hr-integration api-integration', '%00']) {
      assertInvalid(await app.request(`/hr-integrations?types=${value}`, { key }), { types: 'enum' });
    }
    assertInvalid(await app.request('/hr-integrations?sortField=name', { key }), { sortField: 'enum' });
  });
});
