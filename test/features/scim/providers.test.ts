import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { enterpriseSchema, messages, transitSchema, userSchema } from '../../../src/features/scim/rules/names.ts';
import { useApp } from '../../support/app.ts';
import { aUser, connectProvider, type Provider } from '../../support/scim.ts';
import { makePusher } from '../../support/sync.ts';

/** Requests in the order and in the form in which the documentation of the providers describes them. */

describe('Entra ID', () => {
  const app = useApp();
  let idp: Provider;
  let id: string;
  before(async () => {
    idp = await connectProvider(await makePusher(app));
  });
  const json = { 'content-type': 'application/scim+json; charset=utf-8' };
  const patch = async (Operations: object[]) => {
    const { status, body } = await idp.request(
      'PATCH',
      `/Users/${id}`,
      { schemas: [messages.patch], Operations },
      json,
    );
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };

  it('tests the connection with a user who does not exist', async () => {
    const { status, body } = await idp.request('GET', '/Users?filter=userName+eq+%22AAA-2ab7-4f53%22');
    assert.equal(status, 200);
    assert.deepEqual(body, {
      schemas: [messages.list],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    });
  });

  it('looks the user up by externalId and creates them', async () => {
    const query = new URLSearchParams({ filter: 'externalId eq "58342554-38d6-4ec8-948c-50044d0a33fd"' });
    assert.equal((await idp.request('GET', `/Users?${query}`)).body.totalResults, 0);
    const { status, body } = await idp.request(
      'POST',
      '/Users',
      {
        schemas: [userSchema, enterpriseSchema],
        externalId: '58342554-38d6-4ec8-948c-50044d0a33fd',
        userName: 'Test_User_feed3ace@testuser.example.com',
        active: true,
        displayName: 'lennay',
        emails: [{ type: 'work', primary: true, value: 'testing@bob.example.com' }],
        meta: { resourceType: 'User' },
        name: { formatted: 'Adrian Bob', familyName: 'Bob', givenName: 'Adrian' },
        addresses: [{ type: 'work', country: 'DE' }],
        title: 'Manager',
        [enterpriseSchema]: { employeeNumber: '4711', department: 'Sales', manager: 'x' },
        roles: [],
      },
      json,
    );
    assert.equal(status, 201, JSON.stringify(body));
    id = body.id;
    assert.equal((await idp.request('GET', `/Users?${query}`)).body.Resources[0].id, id);
  });

  it('changes attributes by path, with capital operations and values as text', async () => {
    const body = await patch([
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updated@example.com' },
      { op: 'Replace', path: 'name.familyName', value: 'Neumann' },
      { op: 'Add', path: `${enterpriseSchema}:employeeNumber`, value: '4712' },
      { op: 'Add', path: `${enterpriseSchema}:department`, value: 'IT' },
      { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '+49 30 1' },
      { op: 'Add', path: `${transitSchema}:startDate`, value: '2024-02-01T00:00:00Z' },
      { op: 'Add', path: `${transitSchema}:autoSyncEmployee`, value: 'True' },
    ]);
    assert.deepEqual(body.emails, [{ type: 'work', primary: true, value: 'updated@example.com' }]);
    assert.equal(body.name.familyName, 'Neumann');
    assert.deepEqual(body[enterpriseSchema], { employeeNumber: '4712' });
    assert.deepEqual(body[transitSchema], { startDate: '2024-02-01', autoSyncEmployee: true });
  });

  it('changes attributes without a path, with names that contain dots', async () => {
    const body = await patch([
      {
        op: 'replace',
        value: {
          displayName: 'Bjfe',
          'name.givenName': 'Kkom',
          [`${enterpriseSchema}:employeeNumber`]: '4713',
          'emails[type eq "work"].value': 'third@example.com',
          'addresses[type eq "work"].country': 'AT',
        },
      },
    ]);
    assert.deepEqual([body.name.givenName, body.displayName], ['Kkom', 'Bjfe']);
    assert.equal(body[enterpriseSchema].employeeNumber, '4713');
    assert.equal(body.emails[0].value, 'third@example.com');
  });

  it('adds what exists already, and addresses that are new', async () => {
    const body = await patch([
      { op: 'Add', path: 'emails[type eq "other"].value', value: 'home@example.com' },
      { op: 'Add', path: 'emails', value: [{ type: 'work', value: 'third@example.com' }] },
      { op: 'Add', path: 'userName', value: 'renamed@testuser.example.com' },
    ]);
    assert.deepEqual(
      body.emails.map(({ value }: { value: string }) => value),
      ['third@example.com', 'home@example.com'],
    );
    assert.equal(body.userName, 'renamed@testuser.example.com');
  });

  it('disables softly with a text, enables again, and deletes in the end', async () => {
    assert.equal((await patch([{ op: 'Replace', path: 'active', value: 'False' }])).active, false);
    const query = new URLSearchParams({ filter: 'userName eq "renamed@testuser.example.com"' });
    assert.equal((await idp.request('GET', `/Users?${query}`)).body.Resources[0].active, false);
    assert.equal((await patch([{ op: 'Replace', path: 'active', value: [{ value: 'True' }] }])).active, true);
    assert.equal((await patch([{ op: 'Replace', value: { active: false } }])).active, false);
    assert.equal((await idp.request('DELETE', `/Users/${id}`)).status, 204);
    assert.equal((await idp.request('GET', `/Users/${id}`)).status, 404);
  });
});

describe('Okta', () => {
  const app = useApp();
  let idp: Provider;
  let id: string;
  before(async () => {
    idp = await connectProvider(await makePusher(app));
  });

  it('checks the connection and looks the user up by userName', async () => {
    const first = await idp.request('GET', '/Users?startIndex=1&count=2');
    assert.deepEqual([first.status, first.body.totalResults], [200, 0]);
    const query = new URLSearchParams({
      filter: 'userName eq "test.user@okta.example.com"',
      startIndex: '1',
      count: '100',
    });
    assert.equal((await idp.request('GET', `/Users?${query}`)).body.totalResults, 0);
  });

  it('creates the user with more than is stored', async () => {
    const user = aUser(1, {
      userName: 'test.user@okta.example.com',
      locale: 'en-US',
      groups: [],
      password: '1mz050nq',
    });
    const { status, body } = await idp.request('POST', '/Users', user);
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body.password, undefined);
    id = body.id;
  });

  it('reads the user and replaces them with what it has read, changed', async () => {
    const { body: read } = await idp.request('GET', `/Users/${id}`);
    const changed = { ...read, name: { ...read.name, familyName: 'Changed' }, groups: [{ value: 'x' }] };
    const { status, body } = await idp.request('PUT', `/Users/${id}`, changed);
    assert.deepEqual([status, body.name.familyName, body.id], [200, 'Changed', id]);
  });

  it('deactivates by PATCH without a path, and activates by PUT', async () => {
    const off = await idp.patch(id, { op: 'replace', value: { active: false } });
    assert.deepEqual([off.status, off.body.active], [200, false]);
    const on = await idp.request('PUT', `/Users/${id}`, { ...off.body, active: true });
    assert.deepEqual([on.status, on.body.active], [200, true]);
  });
});
