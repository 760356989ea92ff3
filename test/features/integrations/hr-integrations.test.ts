import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { integrationStatuses, onboardingStatuses, syncOutcomes } from '../../../src/domain/enums.ts';
import { insertHrIntegration, updateHrIntegration } from '../../../src/features/integrations/change-integration.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { behavesLikeEveryList, idsOf, sortsBy, takesIdsInEverySpelling } from '../../support/api/every-list.ts';
import { isFoundByItsId } from '../../support/api/every-record.ts';
import { expectedIntegration, onePage } from '../../support/api/expected.ts';
import { assertInvalid } from '../../support/api/problems.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeIntegration, makeKey, useCompany } from '../../support/factories.ts';
import { updateRows } from '../../support/rows.ts';

const app = useApp();

describe('GET /hr-integrations/{id}', () => {
  let companyId: CompanyId;
  let key: Credentials;
  let id: number;
  let foreignId: number;
  before(async () => {
    companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId, ['view-hr-integrations']);
    id = await makeIntegration(app.db, companyId, 'Personio');
    foreignId = await makeIntegration(app.db, await makeCompany(app.db));
  });

  const get = async (integration: number) => (await app.request(`/hr-integrations/${integration}`, { key })).body.data;

  isFoundByItsId(() => ({ app, key, id, foreignId, pathOf: (any) => `/hr-integrations/${any}` }));

  it('returns all fields of the integration', async () => {
    const { status, body } = await app.request(`/hr-integrations/${id}`, { key });
    assert.equal(status, 200);
    assert.deepEqual(body, { data: expectedIntegration(id, { name: 'Personio' }) });
  });

  it('returns the same record as the list', async () => {
    const listed = (await app.request('/hr-integrations', { key })).body.data.data;
    assert.deepEqual(listed[0], await get(id));
  });

  for (const outcome of syncOutcomes) {
    it(`returns a last sync that ${outcome}`, async () => {
      const integration = await makeIntegration(app.db, companyId);
      const hasCompleted = outcome === 'succeeded' || outcome === 'partially-failed';
      await updateRows(
        app.db,
        'hr_integrations',
        { id: integration },
        {
          last_sync_id: 'sync-1',
          last_sync_status: outcome,
          last_synced_at: hasCompleted ? '2026-11-14T02:00:04.999999Z' : null,
        },
      );
      const { lastSyncId, lastSynced, lastSyncStatus } = await get(integration);
      assert.deepEqual(
        { lastSyncId, lastSynced, lastSyncStatus },
        { lastSyncId: 'sync-1', lastSynced: hasCompleted ? '2026-11-14T02:00:04Z' : null, lastSyncStatus: outcome },
      );
    });
  }

  it('shows a new integration with a third-party system as not set up', async () => {
    const integration = await app.db
      .transaction()
      .execute((tx) => insertHrIntegration(tx, companyId, { name: 'Workday', type: 'hr-integration' }));
    const { type, status, initialConnectionStatus, canTriggerSync } = await get(integration);
    assert.deepEqual(
      { type, status, initialConnectionStatus, canTriggerSync },
      {
        type: 'hr-integration',
        status: 'active',
        initialConnectionStatus: 'incomplete',
        canTriggerSync: false,
      },
    );
  });

  for (const status of integrationStatuses) {
    for (const onboarding of onboardingStatuses) {
      const isPossible = status === 'active' && onboarding !== 'incomplete';
      it(`${isPossible ? 'can' : 'cannot'} trigger a sync while ${status} and ${onboarding}`, async () => {
        const change = { status, onboarding };
        assert(await app.db.transaction().execute((tx) => updateHrIntegration(tx, companyId, { id, ...change })));
        const shown = await get(id);
        assert.deepEqual(
          [shown.status, shown.initialConnectionStatus, shown.canTriggerSync],
          [status, onboarding, isPossible],
        );
      });
    }
  }
});

async function startCompany(): Promise<{ companyId: CompanyId; key: Credentials }> {
  const companyId = await makeCompany(app.db);
  return { companyId, key: await makeKey(app.db, companyId, ['view-hr-integrations']) };
}

describe('GET /hr-integrations', () => {
  const company = useCompany(app, ['view-hr-integrations']);
  const { key } = company;
  let otherKey: Credentials;
  const ids: number[] = [];
  before(async () => {
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
  const company = useCompany(app, ['view-hr-integrations']);
  const { key } = company;
  let ids: number[];
  before(async () => {
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
    ids = rows.map((row) => row.id);
  });
  sortsBy({ createdAt: [1, 3, 0, 2], updatedAt: [0, 3, 1, 2] }, () => ({ app, key, path: '/hr-integrations', ids }));

  for (const [query, wanted] of [
    ['types=hr-integration', [0, 2]],
    ['types=api-integration', [1, 3]],
    ['types=hr-integration&types=api-integration', [0, 1, 2, 3]],
    ['types[]=hr-integration', [0, 2]],
    ['types[0]=api-integration&types[1]=api-integration', [1, 3]],
    ['types=hr-integration,api-integration', [0, 1, 2, 3]],
    ['types=', [0, 1, 2, 3]],
    ['types=null', [0, 1, 2, 3]],
    ['types=,null,hr-integration', [0, 2]],
  ] as const) {
    it(`restricts with ${query}`, async () => {
      const response = await app.request(`/hr-integrations?${query}`, { key });
      assert.deepEqual(
        idsOf(response).map((id) => ids.indexOf(id)),
        wanted,
      );
      assert.equal(response.body.data.total, wanted.length);
    });
  }

  it('combines types with ids, order and pages', async () => {
    const query = `types=hr-integration&ids=${ids.slice(0, 3)}&sortField=createdAt&sortOrder=desc&perPage=1`;
    const response = await app.request(`/hr-integrations?${query}`, { key });
    assert.deepEqual(idsOf(response), [ids[2]]);
    assert.deepEqual([response.body.data.total, response.body.data.totalPages], [2, 2]);
  });

  it('refuses unknown types and sort fields', async () => {
    for (const value of ['hr', 'HR-INTEGRATION', 'hr-integration api-integration', '%00']) {
      assertInvalid(await app.request(`/hr-integrations?types=${value}`, { key }), { types: 'enum' });
    }
    assertInvalid(await app.request('/hr-integrations?sortField=name', { key }), { sortField: 'enum' });
  });
});
