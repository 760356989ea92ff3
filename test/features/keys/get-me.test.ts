import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Permission, permissions } from '../../../src/domain/enums.ts';
import { answersHead, refusesOtherMethods } from '../../support/api/every-list.ts';
import { assertInvalid } from '../../support/api/problems.ts';
import { type Credentials, startTestApp, useApp } from '../../support/app.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';

describe('GET /me', () => {
  const app = useApp();
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
