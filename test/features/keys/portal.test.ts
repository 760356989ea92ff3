import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type Permission, permissions } from '../../../src/domain/enums.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { answersHead, refusesOtherMethods } from '../../support/api/every-list.ts';
import { assertInvalid } from '../../support/api/problems.ts';
import { type Credentials, startTestApp, useApp } from '../../support/app.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, type PortalClient, signIn, type TestUser } from '../../support/portal.ts';
import { rowOf, rowsOf } from '../../support/rows.ts';
import { until } from '../../support/until.ts';

const app = useApp();

describe('GET /me', () => {
  let key: Credentials;
  before(async () => {
    key = await makeKey(app.db, await makeCompany(app.db, 'Straßenbahn „Süd“ GmbH'), [
      'view-billing',
      'view-employees',
    ]);
  });

  refusesOtherMethods(() => ({ app, key, path: '/me', allow: 'GET, HEAD' }));
  answersHead(() => ({ app, key, path: '/me' }));

  it('returns the key of the request', async () => {
    const { status, body } = await app.request('/me', { key });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      data: {
        username: key.username,
        keyName: 'Test key',
        permissions: ['view-employees', 'view-billing'],
        company: { id: Number(key.username.split('_')[1]), name: 'Straßenbahn „Süd“ GmbH' },
        environment: 'staging',
        resource: 'api-key',
        _links: { self: { href: 'http://localhost:3000/v1/me', type: 'application/json' } },
      },
    });
  });

  for (const granted of [[], ...permissions.map((permission) => [permission]), permissions] as Permission[][]) {
    it(`accepts a key with ${granted.join(', ') || 'no permission at all'}`, async () => {
      const one = await makeKey(app.db, await makeCompany(app.db), granted);
      assert.deepEqual((await app.request('/me', { key: one })).body.data.permissions, granted);
    });
  }

  it('returns each key its own record', async () => {
    const other = await makeKey(app.db, await makeCompany(app.db, 'Other GmbH'));
    const { data } = (await app.request('/me', { key: other })).body;
    assert.deepEqual([data.username, data.company.name], [other.username, 'Other GmbH']);
    assert.equal((await app.request('/me', { key })).body.data.username, key.username);
  });

  it('refuses query parameters, because it has none', async () => {
    assertInvalid(await app.request('/me?page=-1&search=%00', { key }), { page: 'unknown', search: 'unknown' });
  });

  it('builds links from the configured URL, never from the Host header', async () => {
    const response = await app.request('/me', { key, headers: { 'x-forwarded-host': 'evil.example' } });
    assert.deepEqual(response.body, (await app.request('/me', { key })).body);
    await using behindProxy = await startTestApp({ env: { PUBLIC_URL: 'https://transit.example/' } });
    const itsKey = await makeKey(behindProxy.db, await makeCompany(behindProxy.db));
    const { data } = (await behindProxy.request('/me', { key: itsKey })).body;
    assert.deepEqual(data._links, { self: { href: 'https://transit.example/v1/me', type: 'application/json' } });
  });
});

describe('API keys in the portal', () => {
  let company: CompanyId;
  let user: TestUser;
  let client: PortalClient;

  before(async () => {
    company = await makeCompany(app.db);
    user = await makeUser(app, company, ['developer', 'payroll', 'hr'], { name: 'Dora' });
    client = await signIn(app, user);
  });

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
    assert.deepEqual(Object.keys(key).sort(), ['password', 'requestedPermissions', 'username']);
    const me = await app.request('/me', { key });
    assert.deepEqual([me.body.data.keyName, me.body.data.permissions], ['Payroll export', ['view-billing']]);
    await until('the use is noted', async () => (await find(key.username)).lastUsedAt !== null);
    const listed = await find(key.username);
    assert.deepEqual(listed, {
      username: key.username,
      name: 'Payroll export',
      permissions: ['view-billing'],
      requestedPermissions: null,
      createdAt: listed.createdAt,
      lastUsedAt: listed.lastUsedAt,
      expiresAt: '2099-01-01T00:00:00Z',
      revokedAt: null,
      previousValidUntil: null,
      state: 'active',
    });
    assert(!(await client.get('/keys')).bytes.includes(key.password));
    const { actor_type, actor, detail } = await rowOf(app.db, 'audit_log', {
      company_id: company,
      target: key.username,
    });
    assert.deepEqual([actor_type, actor], ['user', user.id]);
    assert.deepEqual(detail, { name: 'Payroll export', permissions: ['view-billing'] });
  });

  it('get no permission that the role of their creator lacks, until an admin approves it', async () => {
    const developer = await makeUser(app, company, 'developer');
    const theirs = await signIn(app, developer);
    const admin = await signIn(app, await makeUser(app, company, 'admin'));
    const wanted = ['view-employees', 'view-hr-integrations', 'view-billing'];
    const body = { name: 'Reads', permissions: wanted, expiresAt: null };
    const { status, body: made } = await theirs.post('/keys', body);
    assert.deepEqual([status, made.data.requestedPermissions], [201, wanted]);
    const key = made.data;
    const path = `/keys/${key.username}`;
    const allowed = async () => (await app.request('/me', { key })).body.data.permissions;
    assert.deepEqual(await allowed(), ['view-hr-integrations']);
    for (const file of ['/documents', '/invoices', '/employees']) {
      const response = await app.request(file, { key });
      assert([403, 404].includes(response.status), `${file}: ${response.status}`);
    }
    // Neither the developer nor anybody but an admin approves, and an admin only what they have seen.
    for (const client of [theirs, await signIn(app, await makeUser(app, company, ['hr', 'payroll']))]) {
      assert.equal((await client.post(`${path}/approve`, { permissions: wanted })).body.code, 'missing-role');
    }
    assert.equal((await admin.post(`${path}/approve`, { permissions: ['view-billing'] })).status, 404);
    assert.deepEqual((await find(key.username)).requestedPermissions, wanted);
    assert.equal((await admin.post(`${path}/approve`, { permissions: wanted })).status, 204);
    await until('the permissions are granted', async () => isDeepStrictEqual(await allowed(), wanted));
    assert.equal((await admin.post(`${path}/approve`, { permissions: wanted })).status, 404);
    // What it has, it keeps: a new name needs no approval, another permission does if the role lacks it.
    assert.equal((await theirs.post(path, { name: 'Renamed', permissions: wanted })).status, 204);
    assert.equal((await find(key.username)).requestedPermissions, null);
    assert.equal((await theirs.post(path, { name: 'Less', permissions: ['add-employees'] })).status, 204);
    assert.equal(
      (await theirs.post(path, { name: 'More', permissions: ['add-employees', 'view-billing'] })).status,
      204,
    );
    await until('the permission is removed', async () => isDeepStrictEqual(await allowed(), ['add-employees']));
    const more = { permissions: ['add-employees', 'view-billing'] };
    assert.equal((await admin.post(`${path}/reject`, more)).status, 204);
    const { requestedPermissions, state } = await find(key.username);
    assert.deepEqual([requestedPermissions, state, await allowed()], [null, 'active', ['add-employees']]);
    // A rejected key that may do nothing is revoked.
    const billing = { name: 'Billing', permissions: ['view-billing'], expiresAt: null };
    const other = (await theirs.post('/keys', billing)).body.data;
    assert.equal((await admin.post(`/keys/${other.username}/reject`, { permissions: ['view-billing'] })).status, 204);
    assert.equal((await find(other.username)).state, 'revoked');
    const actions = await rowsOf(
      app.db,
      'audit_log',
      { company_id: company, target: [key.username, other.username], action: ['key.approve', 'key.reject'] },
      ['action'],
    );
    assert.deepEqual(pluck(actions, 'action'), ['key.approve', 'key.reject', 'key.reject']);
  });

  it('show no new password to a user who could not have granted what they may do', async () => {
    const theirs = await signIn(app, await makeUser(app, company, 'developer'));
    const { username } = (await create()).body.data;
    const refused = await theirs.post(`/keys/${username}/rotate`, { overlapHours: 0 });
    assert.deepEqual([refused.status, refused.body.code], [403, 'missing-role']);
    const push = (await create({ permissions: ['add-employees'] })).body.data;
    assert.equal((await theirs.post(`/keys/${push.username}/rotate`, { overlapHours: 0 })).status, 200);
    // Nor one for a key that waits for more, which an admin may be about to approve.
    const another = await signIn(app, await makeUser(app, company, 'developer'));
    const body = { name: 'Waits', permissions: ['view-billing'], expiresAt: null };
    const waiting = (await another.post('/keys', body)).body.data;
    assert.equal((await theirs.post(`/keys/${waiting.username}/rotate`, { overlapHours: 0 })).status, 403);
    assert.equal((await another.post(`/keys/${waiting.username}/rotate`, { overlapHours: 0 })).status, 200);
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
