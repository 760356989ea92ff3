import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { updateHrIntegration } from '../../../src/features/integrations/change-integration.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { type FakePersonio, startFakeWith } from '../../support/fake-hr/personio.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { until } from '../../support/until.ts';

const right = { provider: 'personio', credentials: { clientId: 'papi-client', clientSecret: 'papi-secret' } };
const wrong = { provider: 'personio', credentials: { clientId: 'papi-client', clientSecret: 'planted-secret' } };

/** Covers one integration from its creation to its reconnection. Each test continues where the previous one ended. */
describe('connecting an HR system in the portal', () => {
  let app: TestApp;
  let fake: FakePersonio;
  let client: PortalClient;
  let companyId: Awaited<ReturnType<typeof makeCompany>>;
  let base: string;

  before(async () => {
    fake = await startFakeWith(3);
    app = await startTestApp({ worker: 'without documents', env: { PERSONIO_URL: fake.origin } });
    companyId = await makeCompany(app.db);
    client = await signIn(app, await makeUser(app, companyId, 'admin'));
    const { body } = await client.post('/integrations', { name: 'Personio', type: 'hr-integration' });
    base = `/integrations/${body.data.id}`;
  });
  after(async () => {
    await app.close();
    await fake.close();
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
