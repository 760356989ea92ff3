import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { isFoundByItsId } from '../../support/api/every-record.ts';
import { expectedEmployee } from '../../support/api/expected.ts';
import { assertProblem, withoutRequestId } from '../../support/api/problems.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeEmployee, makeIntegration, makeKey } from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { insertRows, updateRows } from '../../support/rows.ts';
import { anEntry, usePusher } from '../../support/sync.ts';
import { makeTicket } from '../../support/wallets.ts';

const app = useApp({ worker: 'without documents' });

describe('GET /employees/{id}', () => {
  let companyId: CompanyId;
  let key: Credentials;
  let id: number;
  let foreignId: number;
  before(async () => {
    companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId, ['view-employees']);
    id = await makeEmployee(app.db, companyId, {
      first_name: 'Jörg',
      last_name: 'O"Neil <b>',
      email: 'joerg@example.com',
      subscription_status: 'scheduled',
      start_on: '2026-12-01',
      next_ticket_on: '2026-12-01',
      plan_type: 'deferred-plan',
      contract_status: 'pending',
    });
    foreignId = await makeEmployee(app.db, await makeCompany(app.db));
  });

  isFoundByItsId(() => ({ app, key, id, foreignId, pathOf: (any) => `/employees/${any}` }));

  it('returns all fields of the employee', async () => {
    const integrationId = await makeIntegration(app.db, companyId);
    await insertRows(app.db, 'hr_links', [
      { company_id: companyId, employee_id: id, hr_integration_id: integrationId, hr_id: 'never-synced' },
    ]);
    const { status, body } = await app.request(`/employees/${id}`, { key });
    assert.equal(status, 200);
    const link = { type: 'hr-integration', hrId: 'never-synced', hrIntegrationId: integrationId };
    const data = expectedEmployee(id, {
      firstName: 'Jörg',
      lastName: 'O"Neil <b>',
      email: 'joerg@example.com',
      subscription: {
        status: 'scheduled',
        nextTicketAt: '2026-12-01',
        upcoming: { type: 'start', at: '2026-12-01' },
      },
      plan: { type: 'deferred-plan', contractSigningStatus: 'pending' },
      hrIntergartionLinks: [{ ...link, lastSyncId: null, lastSynced: null }],
    });
    assert.deepEqual(body, { data });
  });

  it('returns the same record as the list', async () => {
    const { body } = await app.request(`/employees/${id}`, { key });
    assert.deepEqual([body.data], (await app.request(`/employees?ids=${id}`, { key })).body.data.data);
  });

  it('returns the links in the order of their ids, wherever they are stored', async () => {
    const linked = await makeEmployee(app.db, companyId);
    const insert = (linkId: number, hrId: string) =>
      sql`insert into hr_links (company_id, id, employee_id, hr_id) overriding system value
        values (${companyId}, ${linkId}, ${linked}, ${hrId})`.execute(app.db);
    for (const linkId of [900_003, 900_001, 900_002]) await insert(linkId, `link-${linkId}`);
    const { body } = await app.request(`/employees/${linked}`, { key });
    assert.deepEqual(pluck(body.data.hrIntergartionLinks, 'hrId'), ['link-900001', 'link-900002', 'link-900003']);
  });

  it('returns only the ticket of this month', async () => {
    const owner = await makeEmployee(app.db, companyId);
    const october = { month: '2026-10-01', valid_from: '2026-10-01', valid_until: '2026-10-31' };
    await makeTicket(app.db, companyId, owner, { ...october, ticket_id: `old-${owner}` });
    await makeTicket(app.db, companyId, owner, { ticket_id: `current-${owner}`, wallet_token: 'current' });
    assert.deepEqual((await app.request(`/employees/${owner}`, { key })).body.data.ticket, {
      ticketId: `current-${owner}`,
      ticketMonth: '2026-11',
      validFrom: '2026-11-01',
      validUntil: '2026-11-30',
      links: {
        apple: `http://localhost:3000/v1/wallet/apple/${companyId}.current`,
        google: `http://localhost:3000/v1/wallet/google/${companyId}.current`,
      },
    });
  });

  it("formats money for the company's locale and currency", async () => {
    const abroad = await makeCompany(app.db);
    await app.db.updateTable('companies').set({ locale: 'en-US', currency: 'USD' }).where('id', '=', abroad).execute();
    const employee = await makeEmployee(app.db, abroad, { plan_type: 'split-pay-plan', contribution_cents: 123_456 });
    const { body } = await app.request(`/employees/${employee}`, { key: await makeKey(app.db, abroad) });
    assert.deepEqual(body.data.plan.employeeContributionAmount, { label: '$1,234.56', value: 123_456 });
  });

  it('returns a contribution of 0 as money, not as null', async () => {
    const employee = await makeEmployee(app.db, companyId, { plan_type: 'split-pay-plan', contribution_cents: 0 });
    const { body } = await app.request(`/employees/${employee}`, { key });
    assert.deepEqual(body.data.plan.employeeContributionAmount, { label: '0,00\u00a0€', value: 0 });
  });

  it('treats a removed employee exactly like an unknown one', async () => {
    const removed = await makeEmployee(app.db, companyId);
    await updateRows(app.db, 'employees', { id: removed }, { removed_at: '2026-11-10T00:00:00Z' });
    const response = await app.request(`/employees/${removed}`, { key });
    assertProblem(response, 404, 'not-found');
    assert.deepEqual(withoutRequestId(response), withoutRequestId(await app.request('/employees/999999999', { key })));
  });
});

describe('GET /employees/{id}/subscription-history', () => {
  const pusher = usePusher(app);
  let id: number;
  let foreignId: number;
  before(async () => {
    await pusher.sync('first', [anEntry(1, { autoSyncEmployee: true }), anEntry(2)]);
    await pusher.sync('second', [anEntry(1, { autoSyncEmployee: false }), anEntry(2)]);
    ({ id } = await pusher.employee('E1'));
    foreignId = await makeEmployee(app.db, await makeCompany(app.db));
  });

  isFoundByItsId(() => ({
    app,
    key: pusher.key,
    id,
    foreignId,
    pathOf: (any) => `/employees/${any}/subscription-history`,
  }));

  it('returns the changes with their causes, oldest first', async () => {
    const { status, body } = await pusher.get(`/employees/${id}/subscription-history`);
    assert.equal(status, 200);
    const { data: entries, ...paging } = body.data;
    assert.deepEqual(paging, { page: 1, perPage: 10, totalPages: 1, total: 2 });
    const changes = entries.map(({ cause, from, to, syncId, actor }: Record<string, string>) => [
      cause,
      `${from} → ${to}`,
      syncId,
      actor,
    ]);
    assert.deepEqual(changes, [
      ['subscribe', 'no-subscription → scheduled', 'first', 'key'],
      ['opt-out', 'scheduled → cancelled', 'second', 'key'],
    ]);
    assert.match(entries[1].detail, /\.$/);
    assert.equal(entries[0].hrIntegrationId, pusher.integrationId);
  });

  it('pages in both directions, and every entry links to itself, its employee and its sync', async () => {
    const list = async (query: string) =>
      (await pusher.get(`/employees/${id}/subscription-history?${query}`)).body.data.data;
    const all = await list('');
    assert.deepEqual(await list('sortOrder=desc'), all.toReversed());
    assert.deepEqual(await list('sortOrder=desc&perPage=1&page=2'), [all[0]]);
    assert.deepEqual([await list('page=3'), await list('perPage=0')], [[], []]);
    for (const entry of all) {
      const { self, employee, sync } = entry._links;
      const path = ({ href }: { href: string }) => href.replace('http://localhost:3000/v1', '');
      assert.equal(entry.resource, 'subscription-history-entry');
      assert.deepEqual((await pusher.get(path(self))).body.data.data, [entry]);
      assert.equal((await pusher.get(path(employee))).body.data.id, id);
      assert.equal((await pusher.get(path(sync))).body.data.syncId, entry.syncId);
    }
  });

  it('is empty for an employee who was never subscribed', async () => {
    const never = await makeEmployee(app.db, pusher.companyId);
    assert.deepEqual((await pusher.get(`/employees/${never}/subscription-history`)).body.data, {
      ...{ data: [], page: 1, perPage: 10, totalPages: 0, total: 0 },
    });
  });
});
