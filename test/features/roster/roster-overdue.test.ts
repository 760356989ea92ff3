import assert from 'node:assert/strict';
import { it } from 'node:test';
import { reportOverdueRosters } from '../../../src/features/roster/overdue.ts';
import { testClock, useApp } from '../../support/app.ts';
import { usePortal } from '../../support/portal.ts';
import { before } from '../../support/prepare.ts';
import { insertRows } from '../../support/rows.ts';
import { entries, usePusher } from '../../support/sync.ts';

const app = useApp({ worker: 'without documents' });
const pusher = usePusher(app);
const client = usePortal(app, pusher);

before(async () => {
  const before = [1, 2, 3, 4, 5, 6].map((day) =>
    testClock
      .now()
      .subtract({ hours: 24 * day })
      .toString(),
  );
  await insertRows(
    app.db,
    'syncs',
    before.map((finished_at, index) => ({
      company_id: pusher.companyId,
      hr_integration_id: pusher.integrationId,
      ...{ sync_id: `before-${index}`, state: 'succeeded', pushed_by: 'key', finished_at },
    })),
  );
});

const reportAfter = (hours: number) =>
  reportOverdueRosters({
    db: app.serviceDb,
    notices: app.deps.notices,
    clock: { now: () => testClock.now().add({ hours }) },
  });
const listOverdue = async () =>
  (await client.get('/overview')).body.data.waiting.filter(({ kind }: { kind: string }) => kind === 'roster-overdue');
const listEvents = async () => (await pusher.get('/events?types=roster-overdue')).body.data.data;

it('reports a roster that misses its usual rhythm once, until the next one arrives', async () => {
  await pusher.sync('today', entries(2));
  assert.equal(await reportAfter(35), 0);
  assert.deepEqual(await listOverdue(), []);
  assert.equal(await reportAfter(37), 1);
  assert.equal(await reportAfter(38), 0, 'once');
  const dueAt = testClock.now().add({ hours: 36 }).toString();
  const [item] = await listOverdue();
  assert.deepEqual([item.integrationId, item.since], [pusher.integrationId, dueAt]);
  const [event, ...others] = await listEvents();
  assert.deepEqual(others, []);
  assert.deepEqual(event.payload, {
    hrIntegrationId: pusher.integrationId,
    lastSynced: testClock.now().toString(),
    dueAt,
  });
  await pusher.sync('late', entries(2));
  assert.deepEqual(await listOverdue(), []);
});

it('leaves out integrations that are switched off', async () => {
  await client.post(`/integrations/${pusher.integrationId}/status`, { status: 'inactive' });
  assert.equal(await reportAfter(100), 0);
  assert.deepEqual(await listOverdue(), []);
});
