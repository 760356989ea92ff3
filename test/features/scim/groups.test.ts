import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { groupSchema, messages } from '../../../src/features/scim/rules/names.ts';
import { useApp } from '../../support/app.ts';
import { aUser, connectProvider, type Provider, patchOf } from '../../support/scim.ts';
import { makePusher } from '../../support/sync.ts';

describe('SCIM groups and bulk requests', () => {
  const app = useApp();
  let idp: Provider;
  let foreign: Provider;
  const ids: string[] = [];
  before(async () => {
    idp = await connectProvider(await makePusher(app));
    foreign = await connectProvider(await makePusher(app));
    for (let number = 1; number <= 3; number++) ids.push(await idp.create(aUser(number)));
  });
  const values = (body: { members: { value: string }[] }) => body.members.map(({ value }) => value);
  const create = async (members: string[], displayName = 'Sales') => {
    const { status, body } = await idp.request('POST', '/Groups', {
      schemas: [groupSchema],
      displayName,
      members: members.map((value) => ({ value })),
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };

  it('are created, read, found, replaced and deleted', async () => {
    const group = await create([ids[0] ?? '']);
    assert.deepEqual(values(group), [ids[0]]);
    const user = await idp.request('GET', `/Users/${ids[0]}`);
    assert.equal(user.body.groups[0].value, group.id);
    const query = new URLSearchParams({ filter: 'displayName eq "sales"', excludedAttributes: 'members' });
    const found = await idp.request('GET', `/Groups?${query}`);
    assert.deepEqual([found.body.totalResults, found.body.Resources[0].members], [1, undefined]);
    const replaced = await idp.request('PUT', `/Groups/${group.id}`, {
      displayName: 'Support',
      members: [{ value: ids[1] }],
    });
    assert.deepEqual(
      [replaced.body.displayName, values(replaced.body), replaced.body.meta.version],
      ['Support', [ids[1]], 'W/"2"'],
    );
    assert.equal((await foreign.request('GET', `/Groups/${group.id}`)).status, 404);
    assert.equal((await foreign.request('DELETE', `/Groups/${group.id}`)).status, 404);
    assert.equal(
      (await foreign.request('POST', '/Groups', { displayName: 'A', members: [{ value: ids[0] }] })).status,
      400,
    );
    assert.equal((await idp.request('DELETE', `/Groups/${group.id}`)).status, 204);
    assert.equal((await idp.request('GET', `/Groups/${group.id}`)).status, 404);
  });

  it('change their members by PATCH, as Entra ID and Okta write it', async () => {
    const { id } = await create([], 'Members');
    const patch = async (...operations: object[]) => {
      const { status, body } = await idp.request('PATCH', `/Groups/${id}`, patchOf(...operations));
      assert.equal(status, 200, JSON.stringify(body));
      return values(body);
    };
    assert.deepEqual(await patch({ op: 'Add', path: 'members', value: [{ value: ids[0] }] }), [ids[0]]);
    assert.deepEqual(
      await patch({ op: 'add', path: 'members', value: [{ value: ids[0] }, { value: ids[1] }] }),
      ids.slice(0, 2),
    );
    assert.deepEqual(await patch({ op: 'remove', path: `members[value eq "${ids[0]}"]` }), [ids[1]]);
    assert.deepEqual(await patch({ op: 'Remove', path: 'members', value: [{ value: ids[1] }] }), []);
    assert.deepEqual(await patch({ op: 'replace', value: { id, displayName: 'Renamed' } }), []);
    assert.deepEqual(await patch({ op: 'replace', path: 'members', value: ids.map((value) => ({ value })) }), ids);
    assert.deepEqual(await patch({ op: 'remove', path: 'members' }), []);
  });

  it('are created together with their users by a bulk request', async () => {
    const { status, body } = await idp.request('POST', '/Bulk', {
      schemas: [messages.bulkRequest],
      failOnErrors: 2,
      Operations: [
        { method: 'POST', path: '/Users', bulkId: 'a', data: aUser(10) },
        {
          method: 'POST',
          path: '/Groups',
          bulkId: 'g',
          data: { displayName: 'Bulk', members: [{ value: 'bulkId:a' }] },
        },
        { method: 'PATCH', path: '/Users/bulkId:a', data: patchOf({ op: 'replace', path: 'active', value: 'False' }) },
        { method: 'POST', path: '/Users', bulkId: 'b', data: aUser(10) },
        { method: 'DELETE', path: '/Users/bulkId:a' },
        { method: 'GET', path: '/Users' },
        { method: 'POST', path: '/Users', data: aUser(11) },
      ],
    });
    assert.equal(status, 200);
    assert.deepEqual(body.schemas, [messages.bulkResponse]);
    assert.deepEqual(
      body.Operations.map((one: { status: string }) => one.status),
      ['201', '201', '200', '409', '204', '400'],
    );
    assert.equal(body.Operations[3].response.scimType, 'uniqueness');
    const many = Array.from({ length: 101 }, () => ({ method: 'DELETE', path: '/Users/1' }));
    assert.equal((await idp.request('POST', '/Bulk', { Operations: many })).status, 413);
  });
});
