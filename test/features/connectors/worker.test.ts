import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Integration } from '../../../src/features/companies/companies.ts';
import { personio } from '../../../src/features/connectors/providers/personio.ts';
import { connectIntegration } from '../../../src/features/connectors/pull/connect.ts';
import { requestPull } from '../../../src/features/connectors/pull/schedule.ts';
import { findPull } from '../../../src/features/connectors/pull/store.ts';
import { insertHrIntegration } from '../../../src/features/integrations/change-integration.ts';
import { readEncryption } from '../../../src/platform/crypto/open-encryption.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { testClock, useApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { until } from '../../support/until.ts';

describe('a worker, with the demo of Personio', () => {
  const app = useApp({ worker: 'without documents' });
  let target: Integration;

  const connect = async (isReady: boolean, clientSecret = 'demo') => {
    const encryption = await readEncryption(app.config);
    const credentials = { clientId: 'demo', clientSecret };
    await writeCompany(app.serviceDb, target.companyId, (tx) =>
      connectIntegration(
        tx,
        { target, encryption, now: testClock.now(), by: {} },
        { connector: personio, credentials, isReady },
      ),
    );
  };

  async function pull(kind: 'manual' | 'preview') {
    const now = testClock.now();
    const id = await writeCompany(app.serviceDb, target.companyId, (tx) =>
      requestPull(tx, app.deps.queue, target, { kind, requestedBy: 'Ada', now }),
    );
    const find = () => findPull(app.db, target, id ?? 0);
    await until('the pull has ended', async () => (await find())?.finished_at !== null);
    return find();
  }

  before(async () => {
    const companyId = await makeCompany(app.db);
    const hrIntegrationId = await writeCompany(app.serviceDb, companyId, (tx) =>
      insertHrIntegration(tx, companyId, { name: 'Personio (demo)', type: 'hr-integration' }),
    );
    target = { companyId, hrIntegrationId };
  });

  it('is refused with another secret by the demo, and does not ask Personio itself', async () => {
    await connect(false, 'replaced');
    assert.equal((await pull('preview'))?.state, 'authentication-failed');
  });

  it('shows what the first sync would do before the set-up is finished', async () => {
    await connect(false);
    const pulled = await pull('preview');
    const preview = pulled?.preview as { counts: { created: number }; records: unknown[] };
    assert.deepEqual([pulled?.state, preview.counts.created, preview.records.length], ['read', 45, 20]);
    const refused = await pull('manual');
    assert.deepEqual([refused?.state, refused?.reason], ['failed', 'The set-up is not finished. Finish it first.']);
    assert.equal((await app.db.selectFrom('employees').select('id').execute()).length, 0);
  });

  it('pulls and applies the roster on request', async () => {
    await connect(true);
    const pulled = await pull('manual');
    assert.deepEqual([pulled?.state, pulled?.pages_read, pulled?.people_read], ['read', 1, 48]);
    await until('the sync is applied', async () => {
      const rows = await app.db.selectFrom('hr_integrations').select('initial_connection_status as state').execute();
      return rows[0]?.state === 'completed';
    });
    assert.equal((await app.db.selectFrom('employees').select('id').execute()).length, 45);
    const line = app.logs
      .map((text) => JSON.parse(text))
      .find(({ msg, kind }) => msg === 'roster pulled' && kind === 'manual');
    assert.deepEqual([line.provider, line.people, line.syncId], ['personio', 48, pulled?.sync_id]);
  });
});
