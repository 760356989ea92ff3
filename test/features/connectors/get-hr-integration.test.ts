import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { integrationStatuses, onboardingStatuses, syncOutcomes } from '../../../src/domain/enums.ts';
import { insertHrIntegration, updateHrIntegration } from '../../../src/features/integrations/change-integration.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { isFoundByItsId } from '../../support/api/every-record.ts';
import { expectedIntegration } from '../../support/api/expected.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../../support/factories.ts';
import { updateRows } from '../../support/rows.ts';

describe('GET /hr-integrations/{id}', () => {
  const app = useApp();
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
