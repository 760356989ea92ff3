import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CompanyId } from '../../src/db/company-scope.ts';
import { permissions } from '../../src/domain/enums.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { makeCompany, makeKey } from '../support/factories.ts';
import { makeUser, type PortalClient, signIn, type TestUser } from '../support/portal.ts';
import { until } from '../support/until.ts';

describe('API keys in the portal', () => {
  let app: TestApp;
  let company: CompanyId;
  let user: TestUser;
  let client: PortalClient;

  before(async () => {
    app = await startTestApp();
    company = await makeCompany(app.db);
    user = await makeUser(app, company, 'developer', { name: 'Dora' });
    client = await signIn(app, user);
  });
  after(() => app.close());

  const create = (fields: object = {}) =>
    client.post('/keys', { name: 'Payroll', permissions: ['view-billing'], expiresAt: null, ...fields });
  const find = async (username: string) =>
    (await client.get('/keys')).body.data.find((key: { username: string }) => key.username === username);
  const works = async (key: { username: string; password: string }) =>
    (await app.request('/me', { key })).status === 200;

  it('are created with a password that is shown once', async () => {
    const { status, body } = await create({ name: ' Payroll export ', expiresAt: '2099-01-01T00:00:00Z' });
    assert.equal(status, 201);
    const key = body.data;
    assert.deepEqual(Object.keys(key).sort(), ['password', 'username']);
    const me = await app.request('/me', { key });
    assert.deepEqual([me.body.data.keyName, me.body.data.permissions], ['Payroll export', ['view-billing']]);
    await until('the use is noted', async () => (await find(key.username)).lastUsedAt !== null);
    const listed = await find(key.username);
    assert.deepEqual(listed, {
      username: key.username,
      name: 'Payroll export',
      permissions: ['view-billing'],
      createdAt: listed.createdAt,
      lastUsedAt: listed.lastUsedAt,
      expiresAt: '2099-01-01T00:00:00Z',
      revokedAt: null,
      previousValidUntil: null,
      state: 'active',
    });
    assert(!(await client.get('/keys')).bytes.includes(key.password));
    const { actor_type, actor, detail } = await app.db
      .selectFrom('audit_log')
      .selectAll()
      .where('company_id', '=', company)
      .where('target', '=', key.username)
      .executeTakeFirstOrThrow();
    assert.deepEqual([actor_type, actor], ['user', user.id]);
    assert.deepEqual(detail, { name: 'Payroll export', permissions: ['view-billing'] });
  });

  it('are refused with every error of the request', async () => {
    const errorsOf = async (fields: object) => {
      const { status, body } = await create(fields);
      assert.deepEqual([status, body.code], [400, 'invalid-body']);
      return body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
    };
    assert.deepEqual(await errorsOf({ name: '', permissions: [], expiresAt: 'tomorrow' }), [
      '/name format',
      '/permissions minItems',
      '/expiresAt format',
    ]);
    assert.deepEqual(await errorsOf({ permissions: ['view-billing', 'rule-the-world'] }), ['/permissions/1 enum']);
    assert.deepEqual(await errorsOf({ expiresAt: '2020-01-01T00:00:00Z' }), ['/expiresAt future']);
    assert.deepEqual(await errorsOf({ expiresAt: '2099-01-01T25:00:00Z' }), ['/expiresAt format']);
    assert.deepEqual(await errorsOf({ name: 'with \u0000' }), ['/name format']);
  });

  it('rotate with or without an overlap', async () => {
    const key = (await create()).body.data;
    const rotate = (overlapHours: number) => client.post(`/keys/${key.username}/rotate`, { overlapHours });
    const second = (await rotate(2)).body.data;
    assert.equal(second.username, key.username);
    assert.deepEqual([await works(key), await works(second)], [true, true]);
    const hours = Temporal.Now.instant()
      .until((await find(key.username)).previousValidUntil)
      .total('hours');
    assert(hours > 1.9 && hours <= 2, `${hours}`);
    const third = (await rotate(0)).body.data;
    assert.equal(await works(third), true);
    // Valid credentials are trusted for half a second.
    await until('the old password is refused', async () => !(await works(second)));
    assert.equal((await find(key.username)).previousValidUntil, null);
    assert.equal((await rotate(24 * 31)).status, 400);
  });

  it('change their name and permissions at once, with an entry of the activity', async () => {
    const key = (await create()).body.data;
    assert.equal(await works(key), true);
    const change = (body: object) => client.post(`/keys/${key.username}`, body);
    assert.equal((await change({ name: ' Roster ', permissions: ['view-employees'] })).status, 204);
    await until('the permission counts', async () => (await app.request('/employees', { key })).status === 200);
    const { name, permissions: granted } = await find(key.username);
    assert.deepEqual([name, granted], ['Roster', ['view-employees']]);
    const entry = (await client.get('/activity?action=key.update')).body.data.data[0];
    assert.deepEqual(entry.detail, {
      name: 'Roster',
      previousName: 'Payroll',
      permissions: ['view-employees'],
      previousPermissions: ['view-billing'],
    });
    assert.equal((await client.get(`/keys/${key.username}`)).body.data.createdBy, 'Dora');
    assert.equal((await change({ name: '', permissions: [] })).status, 400);
    await client.post(`/keys/${key.username}/revoke`);
    assert.equal((await change({ name: 'Roster', permissions: ['view-employees'] })).status, 404);
  });

  it('stop working within a second of being revoked, and can be revoked once', async () => {
    const key = (await create()).body.data;
    assert.equal(await works(key), true);
    assert.equal((await client.post(`/keys/${key.username}/revoke`)).status, 204);
    await until('the key is refused', async () => !(await works(key)));
    const listed = await find(key.username);
    assert.equal(listed.state, 'revoked');
    assert.match(listed.revokedAt, /Z$/);
    assert.equal((await client.post(`/keys/${key.username}/revoke`)).status, 404);
    assert.equal((await client.post(`/keys/${key.username}/rotate`, { overlapHours: 1 })).status, 404);
  });

  it('show that they have expired', async () => {
    const past = Temporal.Now.instant().subtract({ hours: 1 });
    const { username } = await makeKey(app.db, company, permissions, past);
    assert.equal((await find(username)).state, 'expired');
  });

  it('of another company are neither shown nor changed, and get the same response as unknown keys', async () => {
    const foreign = await makeKey(app.db, await makeCompany(app.db));
    assert.equal(await find(foreign.username), undefined);
    const own = (await create()).body.data;
    const disguised = foreign.username.replace(/^tk_\d+/, `tk_${company}`);
    const withoutId = ({ body }: { body: object }) => ({ ...body, requestId: undefined });
    const unknown = await client.post(`/keys/tk_${company}_0123456789abcdef/revoke`);
    for (const username of [foreign.username, disguised, 'nonsense', `${own.username}0`]) {
      const response = await client.post(`/keys/${username}/revoke`);
      assert.equal(response.status, 404);
      assert.deepEqual(withoutId(response), withoutId(unknown));
    }
    assert.equal(await works(foreign), true);
  });
});
