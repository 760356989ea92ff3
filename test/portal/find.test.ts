import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { removeUser } from '../../src/features/accounts/users/store.ts';
import { readEncryption } from '../../src/platform/crypto/open-encryption.ts';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import { writeCompany } from '../../src/platform/db/write.ts';
import { useApp } from '../support/app.ts';
import { anEmployee, makeCompany, makeEmployees, makeIntegration, makeKey } from '../support/factories.ts';
import { pluck } from '../support/pluck.ts';
import { makeUser, type PortalClient, signIn, type TestUser } from '../support/portal.ts';
import { insertRows, rowOf } from '../support/rows.ts';

const app = useApp();

describe('Finding in the portal', () => {
  let company: CompanyId;
  let client: PortalClient;
  let ids: number[];

  before(async () => {
    company = await makeCompany(app.db);
    client = await signIn(app, await makeUser(app, company));
    const active = { subscription_status: 'active', start_on: '2026-02-01', next_ticket_on: '2026-12-01' } as const;
    ids = await makeEmployees(app.db, company, [
      anEmployee({ first_name: 'Zoë', last_name: 'Öztürk', email: 'zoe@example.com' }),
      anEmployee({ first_name: 'Anna', last_name: 'Zander', email: 'zander@example.com', ...active }),
      anEmployee({ first_name: 'anna', last_name: 'ohm', email: 'ohm@example.com', ...active, start_on: '2026-01-01' }),
      anEmployee({ first_name: 'Ben', last_name: 'Ohm', email: 'ben@example.com' }),
    ]);
    const hr_integration_id = await makeIntegration(app.db, company);
    const link = { company_id: company, employee_id: ids[1] ?? 0, hr_integration_id, hr_id: 'HR-77' };
    await app.db.insertInto('hr_links').values(link).execute();
    const ticket = {
      company_id: company,
      employee_id: ids[2] ?? 0,
      month: '2026-11-01',
      ticket_id: 'DT-202611-000042',
    };
    const days = { valid_from: '2026-11-01', valid_until: '2026-11-30', wallet_token: 'x' };
    await insertRows(app.db, 'tickets', { ...ticket, ...days, plan_type: 'fully-subsidized-plan' });
    const sync = { company_id: company, hr_integration_id, sync_id: 'nightly-3', pushed_by: 'x' };
    await insertRows(app.db, 'syncs', { ...sync, state: 'succeeded' });
    await makeKey(app.db, company);
  });

  const list = async (query: string): Promise<number[]> => {
    const { status, body } = await client.get(`/employees?${query}`);
    assert.equal(status, 200);
    return body.data.data.map(({ id }: { id: number }) => ids.indexOf(id));
  };
  const find = async (text: string) => (await client.get(`/find?text=${encodeURIComponent(text)}`)).body.data;

  it('an employee by HR id, ticket number, name or address', async () => {
    assert.deepEqual(await list('search=HR-77'), [1]);
    assert.deepEqual(await list('search=hr-77'), [1]);
    assert.deepEqual(await list('search=dt-202611-000042'), [2]);
    assert.deepEqual(await list('search=oeztuerk'), [0]);
    assert.deepEqual(await list('search=ben@example.com'), [3]);
    assert.deepEqual(await list('search=HR-7'), []);
  });

  it('employees in the order of their names, statuses, starts and next tickets', async () => {
    assert.deepEqual(await list('sortField=name'), [2, 3, 0, 1]);
    assert.deepEqual(await list('sortField=name&sortOrder=desc'), [1, 0, 3, 2]);
    assert.deepEqual(await list('sortField=status'), [1, 2, 0, 3]);
    assert.deepEqual((await list('sortField=start')).slice(0, 2), [2, 1]);
    assert.deepEqual((await list('sortField=nextTicket')).slice(0, 2), [1, 2]);
  });

  it('employees, syncs, keys and invoices at once', async () => {
    const { employees, keys, syncs, invoices } = await find('anna');
    assert.deepEqual(pluck(employees, 'name', 'email'), [
      ['Anna Zander', 'zander@example.com'],
      ['anna ohm', 'ohm@example.com'],
    ]);
    assert.deepEqual([keys, syncs, invoices], [[], [], []]);
    assert.equal((await find('HR-77')).employees[0].name, 'Anna Zander');
    assert.equal((await find('NIGHTLY')).syncs[0].syncId, 'nightly-3');
    assert.equal((await find('test k')).keys[0].name, 'Test key');
    assert.deepEqual(await find('  '), { employees: [], syncs: [], keys: [], invoices: [] });
  });

  it('nothing of another company', async () => {
    const stranger = await signIn(app, await makeUser(app, await makeCompany(app.db)));
    for (const text of ['HR-77', 'DT-202611-000042', 'anna', 'nightly-3', 'Test key']) {
      const { body } = await stranger.get(`/find?text=${text}`);
      assert.deepEqual(body.data, { employees: [], syncs: [], keys: [], invoices: [] });
    }
  });
});

describe('saved views', () => {
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

describe("the portal's language", () => {
  it('is kept with the account and used on the next device', async () => {
    const company = await makeCompany(app.db);
    const user = await makeUser(app, company, 'viewer');
    const here = await signIn(app, user);
    assert.equal((await here.get('/me')).body.data.user.language, null);
    assert.equal((await here.post('/me/language', { language: 'de' })).status, 204);
    const elsewhere = await signIn(app, user);
    assert.equal((await elsewhere.get('/me')).body.data.user.language, 'de');
    const other = await signIn(app, await makeUser(app, company, 'viewer'));
    assert.equal((await other.get('/me')).body.data.user.language, null);
  });

  it('is German or English, and a refusal names its message', async () => {
    const client = await signIn(app, await makeUser(app, await makeCompany(app.db), 'viewer'));
    const { status, body } = await client.post('/me/language', { language: 'fr' });
    assert.deepEqual(
      [status, body.code, body.errors[0].message],
      [400, 'invalid-body', { key: 'value-one-of', values: { values: 'de, en' } }],
    );
  });
});
