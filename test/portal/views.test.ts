import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { removeUser } from '../../src/features/accounts/users/store.ts';
import { readEncryption } from '../../src/platform/crypto/open-encryption.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import { useApp } from '../support/app.ts';
import { makeCompany } from '../support/factories.ts';
import { makeUser, type PortalClient, signIn, type TestUser } from '../support/portal.ts';
import { rowOf } from '../support/rows.ts';

describe('saved views', () => {
  const app = useApp();
  let company: CompanyId;
  let user: TestUser;
  let client: PortalClient;
  before(async () => {
    company = await makeCompany(app.db);
    user = await makeUser(app, company, 'viewer');
    client = await signIn(app, user);
  });

  const save = (name: string, fields: object = {}) =>
    client.post('/me/views', { list: 'employees', name, address: 'search=anna', hidden: ['plan'], ...fields });
  const remove = (name: string) => client.post('/me/views/remove', { list: 'employees', name });
  const names = async (by = client) =>
    (await by.get('/me/views')).body.data.map(({ name }: { name: string }) => name) as string[];

  it('are kept when several are saved and removed at the same time, as in two tabs', async () => {
    const all = Array.from({ length: 12 }, (_, index) => `View ${String(index).padStart(2, '0')}`);
    await save('Removed');
    const responses = await Promise.all([...all.map((name) => save(name)), remove('Removed'), remove('Removed')]);
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([204]));
    assert.deepEqual(await names(), all);
    const { body } = await client.get('/me/views?list=employees');
    assert.deepEqual(body.data[0], { name: 'View 00', address: 'search=anna', hidden: ['plan'] });
    for (const name of all) await remove(name);
    assert.deepEqual(await names(), []);
  });

  it('replace one of the same name, unless it is to be kept', async () => {
    const address = async () => (await client.get('/me/views')).body.data[0].address;
    await save('Mine', { address: 'search=one' });
    await save(' Mine ', { address: 'search=two' });
    assert.deepEqual([await names(), await address()], [['Mine'], 'search=two']);
    // A browser moves what it has stored to the account, also twice and from two tabs.
    await Promise.all([1, 2, 3].map(() => save('Mine', { address: 'search=three', keepExisting: true })));
    assert.equal(await address(), 'search=two');
    await Promise.all([1, 2].map(() => save('Moved', { keepExisting: true })));
    assert.deepEqual(await names(), ['Mine', 'Moved']);
    for (const name of await names()) await remove(name);
  });

  it('belong to one user in one company', async () => {
    await save('Mine');
    for (const other of [company, await makeCompany(app.db)]) {
      const colleague = await signIn(app, await makeUser(app, other));
      assert.deepEqual(await names(colleague), []);
      await colleague.post('/me/views/remove', { list: 'employees', name: 'Mine' });
    }
    assert.deepEqual(await names(), ['Mine']);
  });

  it('are limited, and odd names do no harm', async () => {
    for (const name of ['__proto__', 'constructor', "'; drop table", '日本']) {
      assert.equal((await save(name)).status, 204, name);
      assert.ok((await names()).includes(name), name);
    }
    assert.equal((await save('')).status, 400);
    assert.equal((await save('x'.repeat(61))).status, 400);
    const count = 100 - (await names()).length;
    await Promise.all(Array.from({ length: count }, (_, index) => save(`Filling ${index}`)));
    const refused = await save('One too many');
    assert.deepEqual([refused.status, refused.body.message.key], [400, 'too-many-views']);
    assert.equal((await names()).length, 100);
    assert.equal((await save('Filling 1')).status, 204);
  });

  it('are erased with their user', async () => {
    const encryption = await readEncryption(app.config);
    await writeCompany(app.db, company, (tx) => removeUser(tx, company, user, encryption));
    const row = await rowOf(app.db, 'portal_users', { id: user.id }, ['saved_views']);
    assert.equal(row.saved_views, null);
  });
});
