import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { CompanyId } from '../../src/platform/db/company-scope.ts';
import { useApp } from '../support/app.ts';
import { anEmployee, makeCompany, makeEmployees, makeIntegration, makeKey } from '../support/factories.ts';
import { pluck } from '../support/pluck.ts';
import { makeUser, type PortalClient, signIn } from '../support/portal.ts';
import { insertRows } from '../support/rows.ts';

describe('Finding in the portal', () => {
  const app = useApp();
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
