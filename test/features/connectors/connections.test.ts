import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Integration } from '../../../src/features/companies/companies.ts';
import { personio } from '../../../src/features/connectors/providers/personio.ts';
import { connectIntegration } from '../../../src/features/connectors/pull/connect.ts';
import { requestPull } from '../../../src/features/connectors/pull/schedule.ts';
import { findPull } from '../../../src/features/connectors/pull/store.ts';
import { insertHrIntegration, updateHrIntegration } from '../../../src/features/integrations/change-integration.ts';
import { endPushAccess } from '../../../src/features/integrations/push-access.ts';
import { readEncryption } from '../../../src/platform/crypto/open-encryption.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { testClock, useApp } from '../../support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../../support/factories.ts';
import { startFakeWith } from '../../support/fake-hr/personio.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, signIn, usePortal } from '../../support/portal.ts';
import { before, useResource } from '../../support/prepare.ts';
import { rowsOf, updateRows } from '../../support/rows.ts';
import { entries, usePusher } from '../../support/sync.ts';
import { until } from '../../support/until.ts';

const app = useApp({ worker: 'without documents' });
const right = { provider: 'personio', credentials: { clientId: 'papi-client', clientSecret: 'papi-secret' } };
const wrong = { provider: 'personio', credentials: { clientId: 'papi-client', clientSecret: 'planted-secret' } };

/** Covers one integration from its creation to its reconnection. Each test continues where the previous one ended. */
describe('connecting an HR system in the portal', () => {
  const fake = useResource(() => startFakeWith(3));
  const app = useApp(() => ({ worker: 'without documents', env: { PERSONIO_URL: fake.origin } }));
  let client: PortalClient;
  let companyId: Awaited<ReturnType<typeof makeCompany>>;
  let base: string;
  before(async () => {
    companyId = await makeCompany(app.db);
    client = await signIn(app, await makeUser(app, companyId, 'admin'));
    const { body } = await client.post('/integrations', { name: 'Personio', type: 'hr-integration' });
    base = `/integrations/${body.data.id}`;
  });

  const connection = async () => (await client.get(`${base}/connection`)).body.data;
  const integration = async () => (await client.get(base)).body.data;
  const pull = async (id: number) => (await client.get(`${base}/pulls/${id}`)).body.data;
  const pulled = async (id: number) => {
    await until('the pull has ended', async () => (await pull(id)).finishedAt !== null);
    return pull(id);
  };

  it('stores nothing that the HR system refuses, and names what is wrong with the form', async () => {
    assert.equal((await connection()).provider, null);
    const unnamed = await client.post(`${base}/connection`, { provider: 'personio', credentials: { clientid: 'x' } });
    assert.deepEqual([unnamed.status, unnamed.body.code], [400, 'invalid-body']);
    assert.match(JSON.stringify(unnamed.body.errors), /clientSecret/);
    assert.deepEqual(unnamed.body.errors[1].message, { key: 'credentials-missing', values: { name: 'clientId' } });
    const refused = await client.post(`${base}/connection`, wrong);
    assert.equal(refused.status, 200, refused.bytes.toString());
    assert.deepEqual([refused.body.data.isStored, refused.body.data.problems[0].code], [false, 'credentials-refused']);
    assert.equal(refused.body.data.problems[0].message.key, 'personio-refused');
    assert.equal((await connection()).provider, null);
    const early = await client.post(`${base}/pulls`, { kind: 'preview' });
    assert.deepEqual([early.status, early.body.code], [409, 'not-connectable']);
  });

  it('deletes a trial that has failed', async () => {
    const { body } = await client.post('/integrations', { name: 'Trial', type: 'hr-integration' });
    const trial = `/integrations/${body.data.id}`;
    assert.equal((await client.post(`${trial}/connection`, wrong)).body.data.isStored, false);
    assert.equal((await client.post(`${trial}/deletion`, { remaining: 'keep', confirm: 0 })).status, 204);
    assert.equal((await client.get(trial)).status, 404);
  });

  it('names every missing permission and attribute, and lists what there is to map', async () => {
    fake.account.withheld = ['hire_date'];
    fake.account.canReadAbsences = false;
    const { data } = (await client.post(`${base}/connection`, right)).body;
    assert.equal(data.isStored, true, 'the credentials are right');
    assert.deepEqual(pluck(data.problems, 'code', 'what'), [
      ['attribute-withheld', 'hire_date'],
      ['permission-missing', 'Absences: read'],
    ]);
    assert.deepEqual(data.problems[0].message, { key: 'personio-attribute', values: { name: 'hire_date' } });
    fake.account.withheld = [];
    fake.account.canReadAbsences = true;
    fake.account.absenceTypes = [{ id: 'parental', name: 'Elternzeit' }];
    const again = (await client.post(`${base}/connection/check`, { mapping: null })).body.data;
    assert.deepEqual([again.problems, again.absenceTypes], [[], [{ id: 'parental', name: 'Elternzeit' }]]);
    assert(
      again.fields.some(({ name, label }: { name: string; label: string }) => name === 'email' && label === 'Email'),
    );
    assert.equal((await integration()).initialConnectionStatus, 'incomplete');
    assert.equal((await connection()).nextPullAt, null, 'it does not pull before the set-up is finished');
  });

  it('checks and keeps the mapping, shows what it would do, and finishes', async () => {
    const { mapping } = await connection();
    const bad = { ...mapping, autoSyncEmployee: { attribute: 'status', yes: ['a'], no: ['A'] } };
    const refused = await client.post(`${base}/connection/rules`, { mapping: bad, finish: false });
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/mapping/autoSyncEmployee/no']);
    const parental = { ...mapping, absences: { types: ['parental'] } };
    const kept = await client.post(`${base}/connection/rules`, { mapping: parental, finish: false });
    assert.equal(kept.status, 204, kept.bytes.toString());
    const requested = await client.post(`${base}/pulls`, { kind: 'preview' });
    assert.equal(requested.status, 202);
    const preview = await pulled(requested.body.data.id);
    assert.deepEqual([preview.state, preview.people, preview.preview.counts.created], ['read', 3, 3]);
    const early = await client.post(`${base}/pulls`, { kind: 'manual' });
    assert.deepEqual([early.status, early.body.code], [409, 'sync-not-possible']);
    await client.post(`${base}/connection/rules`, { nightlyTime: '03:30', finish: true });
    const { nightlyTime, mappingVersion, nextPullAt } = await connection();
    assert.deepEqual([nightlyTime, mappingVersion], ['03:30', 2]);
    assert.match(nextPullAt, /T02:30:00/, 'half past three in Berlin');
    assert.equal((await integration()).initialConnectionStatus, 'final-sync-pending');
    // The same rules again are no new version.
    await client.post(`${base}/connection/rules`, { mapping: (await connection()).mapping, finish: true });
    assert.equal((await connection()).mappingVersion, 2);
  });

  it('pulls on request', async () => {
    const requested = await client.post(`${base}/pulls`, { kind: 'manual' });
    const { syncId } = await pulled(requested.body.data.id);
    await until('the first sync is applied', async () => (await integration()).initialConnectionStatus === 'completed');
    const { data } = (await client.get(`${base}/syncs/${encodeURIComponent(syncId)}`)).body;
    assert.deepEqual([data.state, data.counts.created], ['succeeded', 3]);
  });

  it('says in any language why a pull failed', async () => {
    fake.account.withheld = ['email'];
    const requested = await client.post(`${base}/pulls`, { kind: 'manual' });
    const failed = await pulled(requested.body.data.id);
    fake.account.withheld = [];
    const message = { key: 'connector-withheld', values: { system: 'Personio', names: '`email`' } };
    assert.deepEqual([failed.state, failed.message], ['failed', message]);
    assert.deepEqual((await connection()).failureMessage, message);
    const sync = async () => (await client.get(`${base}/syncs/${encodeURIComponent(failed.syncId)}`)).body.data;
    assert.deepEqual([(await sync()).message, (await sync()).reason], [message, failed.reason]);
  });

  it('names employees whose records cannot be used, each with what is wrong', async () => {
    const { people } = fake.account;
    fake.account.people = people.map((person, index) => (index === 0 ? { ...person, email: 'nobody' } : person));
    const requested = await client.post(`${base}/pulls`, { kind: 'preview' });
    const { reason, message } = await pulled(requested.body.data.id);
    fake.account.people = people;
    assert.match(reason, /^Records of Personio cannot be used \(employee 1: email must be an email address/);
    assert.equal(message.key, 'connector-unusable');
    assert.deepEqual(
      [message.values.problems[0].key, message.values.problems[0].values.field],
      ['unusable-employee', 'email'],
    );
  });

  it('reconnects an invalid integration, which keeps its employees, and keeps working credentials otherwise', async () => {
    const { id } = await integration();
    const other = await client.post(`${base}/connection`, {
      provider: 'hibob',
      credentials: { serviceUserId: 'x', token: 'y' },
    });
    assert.deepEqual([other.status, other.body.errors[0].pointer], [400, '/provider']);
    await app.db.transaction().execute((tx) => updateHrIntegration(tx, companyId, { id, status: 'invalid' }));
    assert.equal((await client.post(`${base}/connection`, wrong)).body.data.isStored, false);
    assert.equal((await integration()).status, 'invalid');
    assert.equal((await client.post(`${base}/connection`, right)).body.data.isStored, true);
    assert.deepEqual((await integration()).status, 'active');
    const { mappingVersion, nightlyTime } = await connection();
    assert.deepEqual([mappingVersion, nightlyTime], [2, '03:30']);
  });

  it('refuses integrations that rosters are pushed to', async () => {
    const { body } = await client.post('/integrations', { name: 'Push', type: 'api-integration' });
    const { status, body: refused } = await client.post(`/integrations/${body.data.id}/connection`, right);
    assert.deepEqual([status, refused.code], [409, 'not-connectable']);
  });

  it('returns and logs no secret, and the audit log has every step', async () => {
    const { rows } = await sql<{ action: string; detail: object }>`
      select action, detail from audit_log where company_id = ${companyId} and action like 'integration.%'
      order by id`.execute(app.db);
    const actions = rows.map(({ action }) => action);
    assert.deepEqual(
      actions.filter((action) => action === 'integration.connect' || action === 'integration.rules'),
      ['integration.connect', 'integration.rules', 'integration.rules', 'integration.connect'],
    );
    const responses = JSON.stringify([await connection(), await integration(), rows]);
    for (const text of [responses, app.logs.join('\n')]) assert.doesNotMatch(text, /papi-secret|planted-secret/);
  });
});

describe('a worker, with the demo of Personio', () => {
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

describe('the status of an integration without a key that may push', () => {
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
});
