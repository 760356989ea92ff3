import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { fanOut } from '../../../src/features/webhooks/fan-out.ts';
import { disableEndpoint, enableEndpoint } from '../../../src/features/webhooks/set-state.ts';
import { type EndpointKey, getEndpointRow } from '../../../src/features/webhooks/store.ts';
import { createEncryption, nameSecretOf } from '../../../src/platform/crypto/encryption.ts';
import { useDatabase } from '../../support/database.ts';
import { makeCompany } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { useResource } from '../../support/prepare.ts';
import { rowOf, updateRows } from '../../support/rows.ts';
import { until } from '../../support/until.ts';
import {
  addEvents,
  companyContext,
  makeEndpoint,
  readDeliveries,
  startReceiver,
  startTestWebhooks,
} from '../../support/webhooks.ts';

describe('delivery of webhooks', () => {
  const failures: unknown[] = [];
  const database = useDatabase();
  useResource(() => startTestWebhooks(database.url, { failed: (error) => void failures.push(error) }));

  const hasStates = (key: EndpointKey, states: string[]) => async () =>
    (await readDeliveries(database.db, key)).map(({ state }) => state).join() === states.join();
  const readAttempts = ({ companyId, endpointId }: EndpointKey) =>
    database.db
      .selectFrom('webhook_attempts')
      .selectAll()
      .where('company_id', '=', companyId)
      .where('endpoint_id', '=', endpointId)
      .orderBy('sequence')
      .orderBy('attempt')
      .execute();
  /** Makes the next attempt of everything that waits due now. */
  const makeDue = ({ companyId, endpointId }: EndpointKey) =>
    updateRows(
      database.db,
      'webhook_deliveries',
      { company_id: companyId, endpoint_id: endpointId, state: 'pending' },
      { next_attempt_at: new Date().toISOString() },
    );

  it('pauses after a secret that cannot be decrypted, and delivers to others meanwhile', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    const receiver = await startReceiver();
    const key = await makeEndpoint(db, companyId, { url: receiver.url });
    const broken = await makeEndpoint(db, companyId, { url: receiver.url });
    const context = nameSecretOf('webhook_endpoints', companyId, broken.endpointId);
    const foreign = createEncryption('another secret of at least thirty-two characters').encrypt(
      broken.secret,
      context,
    );
    await updateRows(
      db,
      'webhook_endpoints',
      { company_id: companyId, id: broken.endpointId },
      { encrypted_secret: foreign },
    );
    const before = failures.length;
    for (let count = 1; count <= 5; count++) {
      await addEvents(db, companyId, 1);
      await until('it is delivered', hasStates(key, Array(count).fill('succeeded')));
    }
    await until('the failure is reported', () => failures.length > before);
    const [failure, ...others] = failures.slice(before);
    assert.match(String(failure), /cannot be decrypted: SECRET has changed/);
    assert.deepEqual(others, []);
    await receiver.stop();
  });

  it('sends each event once, signed, to every endpoint that wants it', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    const receiver = await startReceiver(() => ({ status: 201, body: 'x'.repeat(5000) }));
    const key = await makeEndpoint(db, companyId, { url: receiver.url });
    const other = await makeEndpoint(db, companyId, { url: receiver.url, eventTypes: ['sync-finished'] });
    await addEvents(db, companyId, 3);
    await until('all are delivered', hasStates(key, ['succeeded', 'succeeded', 'succeeded']));
    assert.equal(receiver.received.length, 3);
    assert.deepEqual(await readDeliveries(db, other), []);
    const [first] = await readDeliveries(db, key);
    const delivery = receiver.received.find(({ id }) => id === first?.event_id);
    assert(delivery);
    new Webhook(key.secret).verify(delivery.body, delivery.headers as Record<string, string>);
    const { event, payload } = JSON.parse(delivery.body);
    assert.deepEqual(Object.keys(event), ['id', 'type', 'sequence', 'timestamp']);
    assert.deepEqual(event, {
      id: delivery.id,
      type: 'employee-created',
      sequence: 1,
      timestamp: '2026-11-15T11:00:00Z',
    });
    assert.deepEqual(payload, { id: 1, resource: 'employee', hrIntegrationId: null });
    const [attempt] = await readAttempts(key);
    assert.deepEqual(
      [attempt?.status, attempt?.attempt, attempt?.error, attempt?.response_body],
      [201, 1, null, 'x'.repeat(1024)],
    );
    await receiver.stop();
  });

  it('repeats a failed delivery with the same id until it succeeds', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    const answers = [500, { status: 302, headers: { location: 'http://127.0.0.1/' } }, 204];
    const receiver = await startReceiver((_request, index) => answers[index] ?? 200);
    const key = await makeEndpoint(db, companyId, { url: receiver.url });
    await addEvents(db, companyId, 1);
    for (const attempts of [1, 2, 3]) {
      await until('it is attempted', async () => (await readDeliveries(db, key))[0]?.attempts === attempts);
      const failing = (await getEndpointRow(db, key)).failingSince;
      assert.equal(failing === null, attempts === 3);
      await makeDue(key);
    }
    assert(await hasStates(key, ['succeeded'])());
    assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1);
    const log = await readAttempts(key);
    assert.deepEqual(pluck(log, 'attempt', 'status', 'error'), [
      [1, 500, 'HTTP_500'],
      [2, 302, 'HTTP_302'],
      [3, 204, null],
    ]);
    await receiver.stop();
  });

  it('waits as long as the receiver asks for', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    const receiver = await startReceiver(() => ({ status: 429, headers: { 'retry-after': '7200' } }));
    const key = await makeEndpoint(db, companyId, { url: receiver.url });
    await addEvents(db, companyId, 1);
    await until('it is attempted', async () => (await readDeliveries(db, key))[0]?.attempts === 1);
    const [delivery] = await readDeliveries(db, key);
    const minutes = (Date.parse(delivery?.next_attempt_at ?? '') - Date.now()) / 60_000;
    assert(minutes > 115 && minutes < 121, `${minutes} minutes`);
    await receiver.stop();
  });

  it('disables an endpoint that is gone, and resumes with what is kept when it is enabled', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    let status = 410;
    const receiver = await startReceiver(() => status);
    const key = await makeEndpoint(db, companyId, { url: receiver.url });
    await addEvents(db, companyId, 1);
    await until('it is disabled', async () => (await getEndpointRow(db, key)).disabledReason === 'gone');
    const entry = await rowOf(db, 'audit_log', { company_id: companyId, action: 'webhook.disable' });
    assert.deepEqual([entry.actor_type, entry.detail], ['service', { reason: 'gone' }]);
    await addEvents(db, companyId, 2);
    await fanOut(db, companyId);
    assert.equal((await readDeliveries(db, key)).length, 1, 'a disabled endpoint gets no deliveries');
    status = 200;
    await enableEndpoint(companyContext(db, companyId), { id: key.endpointId });
    await until('all are delivered', hasStates(key, ['succeeded', 'succeeded', 'succeeded']));
    assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 3);
    await receiver.stop();
  });

  it('disables an endpoint after five days of nothing but failures', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    const receiver = await startReceiver(() => 503);
    const key = await makeEndpoint(db, companyId, { url: receiver.url });
    await addEvents(db, companyId, 1);
    await until('it fails', async () => (await getEndpointRow(db, key)).failingSince !== null);
    assert.equal((await getEndpointRow(db, key)).state, 'enabled');
    const since = Temporal.Now.instant()
      .subtract({ hours: 5 * 24 })
      .toString();
    await db.updateTable('webhook_endpoints').set({ failing_since: since }).where('id', '=', key.endpointId).execute();
    await makeDue(key);
    await until('it is disabled', async () => (await getEndpointRow(db, key)).disabledReason === 'failing');
    await receiver.stop();
  });

  it('gives up after ten attempts', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    const receiver = await startReceiver(() => 500);
    const key = await makeEndpoint(db, companyId, { url: receiver.url });
    await addEvents(db, companyId, 1);
    await until('it is attempted', async () => (await readDeliveries(db, key))[0]?.attempts === 1);
    await db.updateTable('webhook_deliveries').set({ failures: 9 }).where('endpoint_id', '=', key.endpointId).execute();
    await makeDue(key);
    await until('it is given up', hasStates(key, ['failed']));
    await receiver.stop();
  });

  it('takes over what another worker has claimed and not finished', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    const receiver = await startReceiver();
    const key = await makeEndpoint(db, companyId, { url: receiver.url });
    await disableEndpoint(companyContext(db, companyId), { id: key.endpointId });
    await addEvents(db, companyId, 1);
    await db
      .insertInto('webhook_deliveries')
      .columns(['company_id', 'endpoint_id', 'sequence', 'event_id', 'event_type', 'next_attempt_at'])
      .expression((eb) =>
        eb
          .selectFrom('events')
          .select((s) => [
            'company_id',
            s.val(key.endpointId).as('endpoint'),
            'sequence',
            'id',
            'type',
            s.val(new Date(Date.now() + 500).toISOString()).as('at'),
          ])
          .where('company_id', '=', companyId),
      )
      .execute();
    await updateRows(db, 'webhook_endpoints', { id: key.endpointId }, { state: 'enabled', disabled_reason: null });
    await until('it is delivered when the lease has ended', hasStates(key, ['succeeded']));
    await receiver.stop();
  });

  it('fans out every event once, however many processes do it at the same time', async () => {
    const { db } = database;
    const companyId = await makeCompany(db);
    const receiver = await startReceiver();
    const key = await makeEndpoint(db, companyId, { url: receiver.url });
    const writers = Array.from({ length: 10 }, async () => {
      for (let count = 0; count < 10; count++) await addEvents(db, companyId, 7);
    });
    const others = [startTestWebhooks(database.url), startTestWebhooks(database.url)];
    await Promise.all(writers);
    await until('all are delivered', async () => {
      const deliveries = await readDeliveries(db, key);
      return deliveries.length === 700 && deliveries.every(({ state }) => state === 'succeeded');
    });
    for (const other of others) await other.stop();
    const sequences = (await readDeliveries(db, key)).map(({ sequence }) => sequence);
    assert.deepEqual(
      sequences,
      Array.from({ length: 700 }, (_, index) => index + 1),
    );
    assert.equal(receiver.received.length, 700, 'no event was sent twice');
    await receiver.stop();
  });
});
