import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Mapping, Template } from '../../../src/features/connectors/pull/contract.ts';
import { useApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { factorialCredentials, startFakeFactorial } from '../../support/fake-hr/rest.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { before, useResource } from '../../support/prepare.ts';
import { until } from '../../support/until.ts';

/** Covers one integration from its template to its first sync. Each test continues where the previous one ended. */
describe('connecting any REST API in the portal', () => {
  const fake = useResource(() => startFakeFactorial(5));
  const app = useApp({ worker: 'without documents', env: { WEBHOOK_ALLOW_PRIVATE: 'on' } });
  let client: PortalClient;
  let base: string;
  let mapping: Mapping;
  before(async () => {
    client = await signIn(app, await makeUser(app, await makeCompany(app.db), 'admin'));
    const { body } = await client.post('/integrations', { name: 'Factorial', type: 'hr-integration' });
    base = `/integrations/${body.data.id}`;
  });

  const connection = async () => (await client.get(`${base}/connection`)).body.data;
  const check = async (checked: Mapping | null) =>
    (await client.post(`${base}/connection/check`, { mapping: checked })).body.data;
  const save = (saved: Mapping, finish = false) => client.post(`${base}/connection/rules`, { mapping: saved, finish });
  const connect = (change: object) =>
    client.post(`${base}/connection`, {
      provider: 'http-json',
      credentials: { baseUrl: `${fake.origin}/api`, ...factorialCredentials, ...change },
      mapping,
    });
  const withRequests = (change: Partial<NonNullable<Mapping['requests']>['employees']>): Mapping => {
    const { requests } = mapping;
    assert(requests);
    return { ...mapping, requests: { ...requests, employees: { ...requests.employees, ...change } } };
  };

  it('begins with a template, and stores no credentials that are incomplete or refused', async () => {
    const { data: templates } = (await client.get('/connector-templates')).body;
    const template: Template = templates.find(({ name }: Template) => name === 'factorial');
    assert.equal(template.credentials.authentication, factorialCredentials.authentication);
    mapping = template.mapping;
    const incomplete = await connect({ headerName: '' });
    assert.deepEqual([incomplete.status, incomplete.body.errors[0].pointer], [400, '/credentials']);
    assert.equal(incomplete.body.errors[0].message.key, 'credentials-authentication');
    const refused = (await connect({ token: 'planted-secret' })).body.data;
    assert.deepEqual([refused.isStored, pluck(refused.problems, 'code')], [false, ['credentials-refused']]);
    assert.equal((await connection()).provider, null);
    const stored = (await connect({})).body.data;
    assert.deepEqual([stored.isStored, stored.problems], [true, []]);
    assert.deepEqual((await connection()).mapping, mapping);
  });

  it('shows the first page as the API returns it now, and the names in it', async () => {
    const first = async () => {
      const { fields, sample } = await check(null);
      return [pluck(fields, 'name'), JSON.parse(sample).data];
    };
    const { people } = fake.account;
    const names = ['id', 'first_name', 'last_name', 'email', 'terminated_on'];
    assert.deepEqual(await first(), [names, people]);
    fake.account.people = people.map((person) => ({ ...person, cost_centre: 'K-7' }));
    assert.deepEqual(await first(), [[...names, 'cost_centre'], fake.account.people]);
  });

  it('names the place of each expression that cannot be read, and keeps the mapping', async () => {
    const wrong = withRequests({ list: 'data[' });
    const refused = await save({
      ...wrong,
      fields: { ...mapping.fields, email: '$lowercase(email' },
      include: [{ attribute: 'cost_centre =', is: 'present' }],
    });
    assert.deepEqual([refused.status, refused.body.code], [400, 'invalid-body']);
    const { errors } = refused.body;
    assert.deepEqual(pluck(errors, 'pointer'), [
      '/mapping/requests/employees/list',
      '/mapping/fields/email',
      '/mapping/include/0/attribute',
    ]);
    assert.deepEqual(errors[1].message, {
      key: 'expression-syntax',
      values: { expression: '$lowercase(email', error: 'S0203' },
    });
    assert.match(errors[1].detail, /contains "\$lowercase\(email", which is no JSONata expression/);
    const { mapping: kept, mappingVersion } = await connection();
    assert.deepEqual([kept, mappingVersion], [mapping, 1]);
  });

  it('names what does not fit the first page, beside which it can be corrected', async () => {
    const problemsOf = async (checked: Mapping) => {
      const { problems, sample } = await check(checked);
      return [problems.map((one: { message: object }) => one.message), sample !== undefined];
    };
    const path = '/employees/employees?limit=100';
    assert.deepEqual(await problemsOf(withRequests({ list: 'people' })), [
      [{ key: 'rest-no-list', values: { path, expression: 'people' } }],
      true,
    ]);
    const { requests } = mapping;
    assert(requests?.absences);
    const otherAbsences = { ...requests, absences: { ...requests.absences, list: 'leaves' } };
    assert.deepEqual(await problemsOf({ ...mapping, requests: otherAbsences }), [
      [{ key: 'rest-no-list', values: { path: requests.absences.path, expression: 'leaves' } }],
      true,
    ]);
    const missing = { ...mapping, fields: { ...mapping.fields, email: 'contact.mail' } };
    assert.deepEqual(await problemsOf(missing), [[{ key: 'rest-attribute', values: { name: 'contact.mail' } }], true]);
    const failing = { ...mapping, fields: { ...mapping.fields, email: '$number(email)' } };
    const [messages] = await problemsOf(failing);
    assert.deepEqual(messages, [
      { key: 'expression-failed', values: { expression: '$number(email)', error: 'D3030' } },
    ]);
    const [elsewhere, hasSample] = await problemsOf(withRequests({ path: '/staff' }));
    assert.deepEqual(pluck(elsewhere, 'key'), ['rest-not-found']);
    assert.equal(hasSample, false);
  });

  it('saves the mapping, previews it, finishes and pulls', async () => {
    const saved = { ...mapping, fields: { ...mapping.fields, lastName: "last_name & ' (' & cost_centre & ')'" } };
    assert.equal((await save(saved)).status, 204);
    const pull = async (kind: string) => {
      const { id } = (await client.post(`${base}/pulls`, { kind })).body.data;
      const read = async () => (await client.get(`${base}/pulls/${id}`)).body.data;
      await until('the pull has ended', async () => (await read()).finishedAt !== null);
      return read();
    };
    const { state, people, preview } = await pull('preview');
    assert.deepEqual([state, people, preview.counts.created], ['read', 5, 5]);
    assert.equal((await save(saved, true)).status, 204);
    const { syncId } = await pull('manual');
    const integration = async () => (await client.get(base)).body.data;
    await until('the sync is applied', async () => (await integration()).initialConnectionStatus === 'completed');
    const sync = (await client.get(`${base}/syncs/${encodeURIComponent(syncId)}`)).body.data;
    assert.deepEqual([sync.state, sync.counts.created], ['succeeded', 5]);
    const [found] = (await client.get('/employees?search=Last1')).body.data.data;
    const { terminationDate } = (await client.get(`/employees/${found.id}`)).body.data;
    assert.deepEqual([found.firstName, found.lastName, terminationDate], ['First1', 'Last1 (K-7)', '2027-03-31']);
  });

  it('returns and logs no secret', async () => {
    const responses = JSON.stringify([await connection(), (await client.get('/activity')).body]);
    for (const text of [responses, app.logs.join('\n')]) assert.doesNotMatch(text, /rest-secret|planted-secret/);
  });
});
