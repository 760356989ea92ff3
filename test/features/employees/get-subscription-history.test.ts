import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isFoundByItsId } from '../../support/api/every-record.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany, makeEmployee } from '../../support/factories.ts';
import { anEntry, usePusher } from '../../support/sync.ts';

describe('GET /employees/{id}/subscription-history', () => {
  const app = useApp({ worker: 'without documents' });
  const pusher = usePusher(app);
  let id: number;
  let foreignId: number;
  before(async () => {
    await pusher.sync('first', [anEntry(1, { autoSyncEmployee: true }), anEntry(2)]);
    await pusher.sync('second', [anEntry(1, { autoSyncEmployee: false }), anEntry(2)]);
    ({ id } = await pusher.employee('E1'));
    foreignId = await makeEmployee(app.db, await makeCompany(app.db));
  });

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
    const { data: entries, ...paging } = body.data;
    assert.deepEqual(paging, { page: 1, perPage: 10, totalPages: 1, total: 2 });
    const changes = entries.map(({ cause, from, to, syncId, actor }: Record<string, string>) => [
      cause,
      `${from} → ${to}`,
      syncId,
      actor,
    ]);
    assert.deepEqual(changes, [
      ['subscribe', 'no-subscription → scheduled', 'first', 'key'],
      ['opt-out', 'scheduled → cancelled', 'second', 'key'],
    ]);
    assert.match(entries[1].detail, /\.$/);
    assert.equal(entries[0].hrIntegrationId, pusher.integrationId);
  });

  it('pages in both directions, and every entry links to itself, its employee and its sync', async () => {
    const list = async (query: string) =>
      (await pusher.get(`/employees/${id}/subscription-history?${query}`)).body.data.data;
    const all = await list('');
    assert.deepEqual(await list('sortOrder=desc'), all.toReversed());
    assert.deepEqual(await list('sortOrder=desc&perPage=1&page=2'), [all[0]]);
    assert.deepEqual([await list('page=3'), await list('perPage=0')], [[], []]);
    for (const entry of all) {
      const { self, employee, sync } = entry._links;
      const path = ({ href }: { href: string }) => href.replace('http://localhost:3000/v1', '');
      assert.equal(entry.resource, 'subscription-history-entry');
      assert.deepEqual((await pusher.get(path(self))).body.data.data, [entry]);
      assert.equal((await pusher.get(path(employee))).body.data.id, id);
      assert.equal((await pusher.get(path(sync))).body.data.syncId, entry.syncId);
    }
  });

  it('is empty for an employee who was never subscribed', async () => {
    const never = await makeEmployee(app.db, pusher.companyId);
    assert.deepEqual((await pusher.get(`/employees/${never}/subscription-history`)).body.data, {
      ...{ data: [], page: 1, perPage: 10, totalPages: 0, total: 0 },
    });
  });
});
