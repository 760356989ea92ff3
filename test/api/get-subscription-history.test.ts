import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { makeCompany, makeEmployee } from '../support/factories.ts';
import { anEntry, makePusher, type Pusher } from '../support/sync.ts';
import { isFoundByItsId } from './shared/every-record.ts';

describe('GET /employees/{id}/subscription-history', () => {
  let app: TestApp;
  let pusher: Pusher;
  let id: number;
  let foreignId: number;
  before(async () => {
    app = await startTestApp({ worker: 'without documents' });
    pusher = await makePusher(app);
    await pusher.sync('first', [anEntry(1, { autoSyncEmployee: true }), anEntry(2)]);
    await pusher.sync('second', [anEntry(1, { autoSyncEmployee: false }), anEntry(2)]);
    ({ id } = await pusher.employee('E1'));
    foreignId = await makeEmployee(app.db, await makeCompany(app.db));
  });
  after(() => app.close());

  isFoundByItsId(() => ({
    app,
    key: pusher.key,
    id,
    foreignId,
    pathOf: (any) => `/employees/${any}/subscription-history`,
  }));

  it('returns the changes with their causes, oldest first', async () => {
    const { status, body } = await pusher.get(`/employees/${id}/subscription-history`);
    assert.equal(status, 200);
    const changes = body.data.map(({ cause, from, to, syncId, actor }: Record<string, string>) => [
      cause,
      `${from} → ${to}`,
      syncId,
      actor,
    ]);
    assert.deepEqual(changes, [
      ['subscribe', 'no-subscription → scheduled', 'first', 'key'],
      ['opt-out', 'scheduled → cancelled', 'second', 'key'],
    ]);
    assert.match(body.data[1].detail, /\.$/);
    assert.equal(body.data[0].hrIntegrationId, pusher.integrationId);
  });

  it('is empty for an employee who was never subscribed', async () => {
    const never = await makeEmployee(app.db, pusher.companyId);
    assert.deepEqual((await pusher.get(`/employees/${never}/subscription-history`)).body, { data: [] });
  });
});
