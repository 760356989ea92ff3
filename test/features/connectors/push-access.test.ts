import assert from 'node:assert/strict';
import { it } from 'node:test';
import { endPushAccess } from '../../../src/features/integrations/push-access.ts';
import { testClock, useApp } from '../../support/app.ts';
import { makeIntegration, makeKey } from '../../support/factories.ts';
import { usePortal } from '../../support/portal.ts';
import { before } from '../../support/prepare.ts';
import { rowsOf, updateRows } from '../../support/rows.ts';
import { entries, usePusher } from '../../support/sync.ts';

const app = useApp({ worker: 'without documents' });
const pusher = usePusher(app);
const client = usePortal(app, pusher);
let uploaded: number;

const csv = (count: number) =>
  ['hrId,firstName,lastName,email']
    .concat(Array.from({ length: count }, (_, index) => `u-${index},Ute,Meier,ute${index}@example.com`))
    .join('\n');
const upload = (id: number, count = 1) =>
  client.post(`/integrations/${id}/sync`, csv(count), { 'content-type': 'text/csv' });
const statusOf = async (id: number) => (await client.get(`/integrations/${id}`)).body.data.status;
const listReasons = async () => {
  const events = await rowsOf(
    app.db,
    'events',
    { company_id: pusher.companyId, type: 'hr-integration-status-changed' },
    ['payload'],
  );
  return events.map(({ payload }) => {
    const { id, status, reason } = payload as { id: number; status: string; reason: string };
    return [id, status, reason];
  });
};
const revoke = async (username: string) =>
  assert.equal((await client.post(`/keys/${username}/revoke`, {})).status, 204);

before(async () => {
  uploaded = await makeIntegration(app.db, pusher.companyId);
  await pusher.sync('by-key', entries(2));
  assert.equal((await upload(uploaded)).status, 202);
});

it('is invalid once the last key that may push is revoked, and active again with a new one', async () => {
  const other = await makeKey(app.db, pusher.companyId, ['view-employees']);
  await revoke(pusher.key.username);
  assert.equal(await statusOf(pusher.integrationId), 'invalid', 'the other key may not push');
  assert.equal(await statusOf(uploaded), 'active', 'fed by upload');
  const permissions = ['view-employees', 'add-employees', 'update-employees', 'remove-employees'];
  const changed = await client.post(`/keys/${other.username}`, { name: 'Other', permissions });
  assert.equal(changed.status, 204);
  assert.equal(await statusOf(pusher.integrationId), 'active', 'now the other key may');
  const expiresAt = Temporal.Now.instant().add({ hours: 1 }).round('second').toString();
  const created = await client.post('/keys', { name: 'Short', permissions, expiresAt });
  assert.equal(created.status, 201);
  await revoke(other.username);
  assert.equal(await statusOf(pusher.integrationId), 'active', 'a key is left');
  await updateRows(
    app.db,
    'api_keys',
    { name: 'Short' },
    { expires_at: Temporal.Now.instant().subtract({ seconds: 1 }).toString() },
  );
  await updateRows(
    app.db,
    'hr_integrations',
    { id: pusher.integrationId },
    { push_ends_at: Temporal.Now.instant().subtract({ seconds: 1 }).toString() },
  );
  await endPushAccess(app.serviceDb, testClock);
  assert.equal(await statusOf(pusher.integrationId), 'invalid', 'it has expired');
  assert.equal((await client.post('/keys', { name: 'Next', permissions, expiresAt: null })).status, 201);
  assert.equal(await statusOf(pusher.integrationId), 'active');
  assert.deepEqual(await listReasons(), [
    [pusher.integrationId, 'invalid', 'no-valid-key'],
    [pusher.integrationId, 'active', 'key-created'],
    [pusher.integrationId, 'invalid', 'no-valid-key'],
    [pusher.integrationId, 'active', 'key-created'],
  ]);
});

it('takes an upload while no key may push, and is active from then on', async () => {
  const { body } = await client.get('/keys');
  for (const { username, state } of body.data) if (state === 'active') await revoke(username);
  assert.equal(await statusOf(pusher.integrationId), 'invalid');
  assert.equal((await upload(pusher.integrationId, 2)).status, 202);
  assert.equal(await statusOf(pusher.integrationId), 'active');
  assert.deepEqual((await listReasons()).at(-1), [pusher.integrationId, 'active', 'roster-uploaded']);
  await endPushAccess(app.serviceDb, testClock);
  assert.equal(await statusOf(pusher.integrationId), 'active');
});

it('leaves an integration switched off that was switched off', async () => {
  await client.post(`/integrations/${uploaded}/status`, { status: 'inactive' });
  await makeKey(app.db, pusher.companyId, ['view-employees']);
  const created = await client.post('/keys', { name: 'Last', permissions: ['view-employees'], expiresAt: null });
  assert.equal(created.status, 201);
  assert.equal(await statusOf(uploaded), 'inactive');
});
