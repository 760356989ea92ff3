import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { planTypes, subscriptionStatuses } from '../../../src/domain/enums.ts';
import { refreshEmployeeCounts } from '../../../src/features/employees/counts.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { behavesLikeEveryList, idsOf, sortsBy, takesIdsInEverySpelling } from '../../support/api/every-list.ts';
import { expectedEmployee, onePage } from '../../support/api/expected.ts';
import { assertInvalid } from '../../support/api/problems.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import {
  anEmployee,
  makeCompany,
  makeEmployee,
  makeEmployees,
  makeIntegration,
  makeKey,
  someEmployees,
  useCompany,
} from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { insertRows } from '../../support/rows.ts';
import { makeTicket } from '../../support/wallets.ts';

const app = useApp();

async function startCompany(): Promise<{ companyId: CompanyId; key: Credentials }> {
  const companyId = await makeCompany(app.db);
  return { companyId, key: await makeKey(app.db, companyId, ['view-employees']) };
}

describe('GET /employees', () => {
  const company = useCompany(app, ['view-employees']);
  const { key } = company;
  let otherKey: Credentials;
  let ids: number[];
  before(async () => {
    otherKey = (await startCompany()).key;
    const { companyId: other } = await startCompany();
    await makeEmployees(app.db, other, someEmployees(3));
    ids = await makeEmployees(app.db, company.companyId, someEmployees(20));
    await makeEmployees(app.db, other, someEmployees(3));
    ids.push(...(await makeEmployees(app.db, company.companyId, someEmployees(5))));
  });
  const list = () => ({ app, key, path: '/employees', ids, otherKey });

  behavesLikeEveryList(list);
  takesIdsInEverySpelling(list);

  it('refuses an unknown sort field', async () => {
    assertInvalid(await app.request('/employees?sortField=email', { key }), { sortField: 'enum' });
    assertInvalid(await app.request('/employees?sortField=created_at', { key }), { sortField: 'enum' });
    assertInvalid(await app.request('/employees?sortField=id&sortField=id', { key }), { sortField: 'repeated' });
  });

  it('reports all invalid parameters together', async () => {
    const query = 'ids=x&emails=%00&subscriptionStatuses=asleep&planTypes=free&search=%00&sortField=name&page=-1';
    assertInvalid(await app.request(`/employees?${query}`, { key }), {
      ids: 'type',
      emails: 'pattern',
      subscriptionStatuses: 'enum',
      planTypes: 'enum',
      search: 'pattern',
      sortField: 'enum',
      page: 'minimum',
    });
  });
});

describe('GET /employees: the record', () => {
  it('returns all fields of an employee who has them all', async () => {
    const { companyId, key } = await startCompany();
    const id = await makeEmployee(app.db, companyId, {
      first_name: 'Anna',
      last_name: 'Müller',
      email: 'Anna.Mueller@example.com',
      date_of_birth: '1990-04-23',
      profile_image: 'https://images.example/anna.png',
      subscription_status: 'scheduled-cancellation',
      start_on: '2026-02-01',
      next_ticket_on: '2026-12-01',
      paused_on: '2026-05-01',
      cancelled_on: '2027-01-01',
      reactivated_on: '2026-07-01',
      plan_type: 'split-pay-plan',
      contract_status: 'accepted',
      contribution_cents: 2000,
    });
    const integrationId = await makeIntegration(app.db, companyId);
    await insertRows(app.db, 'hr_links', [
      { company_id: companyId, employee_id: id, hr_id: 'by-hand-7' },
      {
        company_id: companyId,
        employee_id: id,
        hr_integration_id: integrationId,
        hr_id: 'E-1001',
        last_sync_id: 'night-14',
        last_synced_at: '2026-11-14T03:00:04.987+01:00',
      },
    ]);
    await makeTicket(app.db, companyId, id, { ticket_id: 'T-202611-1', wallet_token: 'dG9rZW4' });

    const employee = expectedEmployee(id, {
      lastName: 'Müller',
      email: 'Anna.Mueller@example.com',
      dateOfBirth: '1990-04-23',
      profileImage: 'https://images.example/anna.png',
      subscription: {
        status: 'scheduled-cancellation',
        startAt: '2026-02-01',
        nextTicketAt: '2026-12-01',
        pausedAt: '2026-05-01',
        reactivatedAt: '2026-07-01',
        upcoming: { type: 'cancellation', at: '2027-01-01' },
      },
      plan: {
        type: 'split-pay-plan',
        contractSigningStatus: 'accepted',
        employeeContributionAmount: { label: '20,00\u00a0€', value: 2000 },
      },
      ticket: {
        ticketId: 'T-202611-1',
        ticketMonth: '2026-11',
        validFrom: '2026-11-01',
        validUntil: '2026-11-30',
        links: {
          apple: `http://localhost:3000/v1/wallet/apple/${companyId}.dG9rZW4`,
          google: `http://localhost:3000/v1/wallet/google/${companyId}.dG9rZW4`,
        },
      },
      hrIntergartionLinks: [
        { type: 'custom', hrId: 'by-hand-7', hrIntegrationId: null, lastSyncId: null, lastSynced: null },
        {
          type: 'hr-integration',
          hrId: 'E-1001',
          hrIntegrationId: integrationId,
          lastSyncId: 'night-14',
          lastSynced: '2026-11-14T02:00:04Z',
        },
      ],
    });
    assert.deepEqual((await app.request('/employees', { key })).body, onePage([employee]));
  });

  it('returns null for all fields that an employee does not have', async () => {
    const { companyId, key } = await startCompany();
    const id = await makeEmployee(app.db, companyId, { last_name: 'Neu', email: 'neu@example.com' });
    const employee = expectedEmployee(id, { lastName: 'Neu', email: 'neu@example.com' });
    assert.deepEqual((await app.request('/employees', { key })).body.data.data, [employee]);
  });
});

describe('GET /employees: order', () => {
  const company = useCompany(app, ['view-employees']);
  let ids: number[];
  before(async () => {
    const early = '2026-01-01T00:00:00Z';
    const late = '2026-01-01T00:00:00.000001Z';
    const employees = [
      { created_at: late, updated_at: early },
      { created_at: early, updated_at: early },
      { created_at: late, updated_at: late },
      { created_at: early, updated_at: late },
    ].map(anEmployee);
    ids = await makeEmployees(app.db, company.companyId, employees);
  });

  const orders = { createdAt: [1, 3, 0, 2], updatedAt: [0, 1, 2, 3] };
  sortsBy(orders, () => ({ app, key: company.key, path: '/employees', ids }));
});

describe('GET /employees: subscriptionStatuses and planTypes', () => {
  const company = useCompany(app, ['view-employees']);
  const { key } = company;
  let rows: { id: number; status: string; plan: string }[];
  before(async () => {
    // The number of employees per pair depends on its position, so that totals do not match by accident.
    const pairs = subscriptionStatuses.flatMap((status, s) =>
      planTypes.flatMap((plan, p) => Array.from({ length: 1 + ((s * 3 + p) % 5) }, () => ({ status, plan }))),
    );
    const employees = pairs.map(({ status, plan }) =>
      anEmployee({
        subscription_status: status,
        plan_type: plan,
        contribution_cents: plan === 'split-pay-plan' ? 1500 : null,
        contract_status: plan === 'fully-subsidized-plan' ? null : 'pending',
      }),
    );
    const ids = await makeEmployees(app.db, company.companyId, employees);
    rows = pairs.map((pair, index) => ({ id: ids[index] ?? 0, ...pair }));
  });

  async function assertFinds(query: string, isWanted: (row: { status: string; plan: string }) => boolean) {
    const wanted = rows.filter(isWanted).map((row) => row.id);
    const response = await app.request(`/employees?${query}&perPage=100`, { key });
    assert.deepEqual(idsOf(response), wanted);
    assert.equal(response.body.data.total, wanted.length);
    return wanted.length;
  }

  for (const status of subscriptionStatuses) {
    it(`restricts to ${status}`, async () => {
      assert.notEqual(await assertFinds(`subscriptionStatuses=${status}`, (row) => row.status === status), 0);
    });
  }
  for (const plan of planTypes) {
    it(`restricts to ${plan}`, async () => {
      assert.notEqual(await assertFinds(`planTypes=${plan}`, (row) => row.plan === plan), 0);
    });
  }
  for (const status of subscriptionStatuses) {
    for (const plan of planTypes) {
      it(`restricts to ${status} with ${plan}`, async () => {
        const found = await assertFinds(
          `subscriptionStatuses=${status}&planTypes=${plan}`,
          (row) => row.status === status && row.plan === plan,
        );
        assert.notEqual(found, 0);
      });
    }
  }

  for (const query of [
    'subscriptionStatuses=active&subscriptionStatuses=paused&planTypes=deferred-plan&planTypes=split-pay-plan',
    'subscriptionStatuses[]=active&subscriptionStatuses[]=paused&planTypes[]=deferred-plan&planTypes[]=split-pay-plan',
    'subscriptionStatuses[0]=paused&subscriptionStatuses[1]=active&planTypes[1]=deferred-plan&planTypes[0]=split-pay-plan',
    'subscriptionStatuses=active,paused&planTypes=deferred-plan,split-pay-plan',
    'subscriptionStatuses=active,null,,paused,active&planTypes=%20deferred-plan%20,split-pay-plan',
  ]) {
    it(`combines several of both: ${query}`, async () => {
      await assertFinds(
        query,
        (row) => ['active', 'paused'].includes(row.status) && row.plan !== 'fully-subsidized-plan',
      );
    });
  }

  it('ignores empty and null values', async () => {
    assert.equal(await assertFinds('subscriptionStatuses=&planTypes=null', () => true), rows.length);
    assert.equal(await assertFinds('subscriptionStatuses[]=&planTypes=,', () => true), rows.length);
  });

  it('returns the correct total on a page that is too small for all records', async () => {
    const { data } = (await app.request('/employees?subscriptionStatuses=active&perPage=2&page=2', { key })).body;
    const total = rows.filter((row) => row.status === 'active').length;
    assert.deepEqual([data.total, data.totalPages, data.page], [total, Math.ceil(total / 2), 2]);
  });

  it('combines with search, ids and emails, and counts only the matches', async () => {
    const active = rows.filter((row) => row.status === 'active');
    const [one, two] = active;
    const other = rows.find((row) => row.status === 'paused');
    const query = `subscriptionStatuses=active&search=anna&ids=${one?.id},${two?.id},${other?.id}&perPage=1`;
    const response = await app.request(`/employees?${query}`, { key });
    assert.deepEqual(idsOf(response), [one?.id]);
    assert.equal(response.body.data.total, 2);
  });

  it('refuses values that are not a status or plan, however the array is written', async () => {
    for (const value of ['Active', 'active%20paused', 'asleep', '%00']) {
      const response = await app.request(`/employees?subscriptionStatuses=active,${value}&planTypes=${value}`, { key });
      assertInvalid(response, { subscriptionStatuses: 'enum', planTypes: 'enum' });
    }
  });
});

describe('GET /employees: hrIds and hrIntegrationId', () => {
  const company = useCompany(app, ['view-employees']);
  let [personio, other]: number[] = [];
  let ids: number[];
  before(async () => {
    const { companyId } = company;
    [personio, other] = [await makeIntegration(app.db, companyId), await makeIntegration(app.db, companyId)];
    ids = await makeEmployees(app.db, companyId, someEmployees(5));
    const links: [index: number, integration: number | undefined, hrId: string][] = [
      [0, personio, 'E-1'],
      [1, personio, 'E-2'],
      [2, other, 'E-1'],
      [3, undefined, 'E-9'],
      [0, other, 'E-7'],
    ];
    const rows = links.map(([index, integration, hrId]) => ({
      company_id: companyId,
      employee_id: ids[index] ?? 0,
      hr_integration_id: integration ?? null,
      hr_id: hrId,
    }));
    await app.db.insertInto('hr_links').values(rows).execute();
  });
  async function find(query: string): Promise<number[]> {
    const { status, body } = await app.request(`/employees?${query}`, { key: company.key });
    assert.equal(status, 200, JSON.stringify(body));
    const found = body.data.data.map(({ id }: { id: number }) => ids.indexOf(id));
    assert.equal(body.data.total, found.length);
    return found;
  }

  it('finds employees by their exact id in any HR system, however the array is written', async () => {
    assert.deepEqual(await find('hrIds=E-1'), [0, 2]);
    assert.deepEqual(await find('hrIds=E-2&hrIds=E-9'), [1, 3]);
    assert.deepEqual(await find('hrIds[]=E-2&hrIds[1]=E-9,E-7'), [0, 1, 3]);
    assert.deepEqual(await find('hrIds=e-1&hrIds=E'), []);
    assert.deepEqual(await find('hrIds='), [0, 1, 2, 3, 4]);
  });

  it('filters by integration, and together with hrIds by the same link', async () => {
    assert.deepEqual(await find(`hrIntegrationId=${personio}`), [0, 1]);
    assert.deepEqual(await find(`hrIntegrationId=${personio}&hrIds=E-1`), [0]);
    assert.deepEqual(await find(`hrIntegrationId=${personio}&hrIds=E-7`), []);
    assert.deepEqual(await find(`hrIntegrationId=${other}&hrIds=E-1,E-7&search=anna`), [0, 2]);
    assert.deepEqual(await find('hrIntegrationId=999999999'), []);
  });

  it('pages through the matches with the full total', async () => {
    const { body } = await app.request('/employees?hrIds=E-1&perPage=1&page=2', { key: company.key });
    assert.deepEqual([body.data.total, body.data.totalPages, body.data.data[0].id], [2, 2, ids[2]]);
  });

  it('finds no employees of another company', async () => {
    const otherCompany = await startCompany();
    for (const query of ['hrIds=E-1', `hrIntegrationId=${personio}`]) {
      const { body } = await app.request(`/employees?${query}`, { key: otherCompany.key });
      assert.equal(body.data.total, 0, query);
    }
  });

  it('refuses ids that an HR system cannot have', async () => {
    const query = `hrIds=${'x'.repeat(256)}&hrIntegrationId=x`;
    assertInvalid(await app.request(`/employees?${query}`, { key: company.key }), {
      hrIds: 'maxLength',
      hrIntegrationId: 'type',
    });
  });
});

describe('GET /employees: emails', () => {
  const company = useCompany(app, ['view-employees']);
  const { key } = company;
  let anna: number;
  let comma: number;
  let plus: number;
  before(async () => {
    anna = await makeEmployee(app.db, company.companyId, { email: 'Anna@Example.com' });
    comma = await makeEmployee(app.db, company.companyId, { email: '"anna,bert"@example.com' });
    plus = await makeEmployee(app.db, company.companyId, { email: 'anna+bahn@example.com' });
  });
  const find = async (query: string) => idsOf(await app.request(`/employees?${query}`, { key }));

  it('filters by address, ignoring case', async () => {
    assert.deepEqual(await find('emails=aNNa@eXample.COM'), [anna]);
    assert.deepEqual(await find('emails=anna@example.com&emails=ANNA%2BBAHN@example.com'), [anna, plus]);
  });

  it('accepts repeated keys, brackets and indices', async () => {
    const both = [anna, plus];
    assert.deepEqual(await find('emails[]=anna@example.com&emails[]=anna%2bbahn@example.com'), both);
    assert.deepEqual(await find('emails[0]=anna@example.com&emails[1]=anna%2bbahn@example.com'), both);
  });

  it('does not split addresses at commas, which they may contain', async () => {
    assert.deepEqual(await find('emails=%22anna,bert%22@example.com'), [comma]);
    assert.deepEqual(await find('emails=%22anna%2Cbert%22%40example.com'), [comma]);
    assert.deepEqual(await find('emails=anna@example.com,anna%2Bbahn@example.com'), []);
  });

  it('compares whole addresses, with % and _ taken literally', async () => {
    for (const email of ['anna', '%25', 'anna_example.com', 'anna@example.com%25']) {
      assert.deepEqual(await find(`emails=${email}`), []);
    }
  });

  it('ignores empty and null values', async () => {
    for (const query of ['emails=', 'emails=null', 'emails[]=', 'emails=&emails=null']) {
      assert.deepEqual(await find(query), [anna, comma, plus]);
    }
  });

  it('refuses NUL and finds nothing for an address of any length', async () => {
    assertInvalid(await app.request('/employees?emails=anna%00@example.com', { key }), { emails: 'pattern' });
    assert.deepEqual(await find(`emails=${'a'.repeat(10_000)}@example.com`), []);
  });
});

describe('GET /employees: the ticket', () => {
  let now = Temporal.Instant.from('2026-11-15T12:00:00Z');
  const clocked = useApp(() => ({ clock: { now: () => now } }));

  async function ticketsAt(time: string, key: Credentials): Promise<(string | null)[]> {
    now = Temporal.Instant.from(time);
    const { body } = await clocked.request('/employees', { key });
    return body.data.data.map(({ ticket }: { ticket: { ticketId: string } | null }) => ticket?.ticketId ?? null);
  }

  it("is the one valid today in the company's time zone", async () => {
    const companies = await Promise.all(
      ['Europe/Berlin', 'America/New_York'].map(async (timeZone) => {
        const companyId = await makeCompany(clocked.db);
        await clocked.db.updateTable('companies').set({ time_zone: timeZone }).where('id', '=', companyId).execute();
        const id = await makeEmployee(clocked.db, companyId);
        const months = ['2026-10-01', '2026-11-01', '2026-12-01'];
        for (const month of months) {
          const valid_until = Temporal.PlainDate.from(month).add({ months: 1 }).subtract({ days: 1 }).toString();
          const ticket = { month, ticket_id: month.slice(0, 7), valid_from: month, valid_until };
          await makeTicket(clocked.db, companyId, id, ticket);
        }
        return makeKey(clocked.db, companyId);
      }),
    );
    const [berlin, newYork] = companies as [Credentials, Credentials];
    // Midnight in Berlin is 23:00 UTC in winter. In New York it is 04:00 UTC during daylight saving time.
    assert.deepEqual(await ticketsAt('2026-10-31T22:59:59Z', berlin), ['2026-10']);
    assert.deepEqual(await ticketsAt('2026-10-31T23:00:00Z', berlin), ['2026-11']);
    assert.deepEqual(await ticketsAt('2026-11-01T03:59:59Z', newYork), ['2026-10']);
    assert.deepEqual(await ticketsAt('2026-11-01T04:00:00Z', newYork), ['2026-11']);
    assert.deepEqual(await ticketsAt('2026-11-30T22:59:59Z', berlin), ['2026-11']);
    assert.deepEqual(await ticketsAt('2026-09-30T12:00:00Z', berlin), [null]);
    assert.deepEqual(await ticketsAt('2027-01-01T12:00:00Z', berlin), [null]);
  });

  it('is not one that starts later or ended earlier in this month', async () => {
    const companyId = await makeCompany(clocked.db);
    const [first = 0, second = 0] = await makeEmployees(clocked.db, companyId, [anEmployee(), anEmployee()]);
    await makeTicket(clocked.db, companyId, first, { ticket_id: 'late', valid_from: '2026-11-16' });
    await makeTicket(clocked.db, companyId, second, { ticket_id: 'early', valid_until: '2026-11-14' });
    const key = await makeKey(clocked.db, companyId);
    assert.deepEqual(await ticketsAt('2026-11-15T12:00:00Z', key), [null, null]);
    assert.deepEqual(await ticketsAt('2026-11-16T12:00:00Z', key), ['late', null]);
    assert.deepEqual(await ticketsAt('2026-11-14T12:00:00Z', key), [null, 'early']);
  });
});

describe('GET /employees: removed employees', () => {
  const company = useCompany(app, ['view-employees']);
  const { key } = company;
  let kept: number;
  let removed: number;
  before(async () => {
    const fields = { subscription_status: 'cancelled', plan_type: 'deferred-plan' } as const;
    kept = await makeEmployee(app.db, company.companyId, { ...fields, email: 'kept@example.com' });
    removed = await makeEmployee(app.db, company.companyId, { ...fields, email: 'removed@example.com' });
    await app.db.transaction().execute(async (tx) => {
      await tx.updateTable('employees').set({ removed_at: '2026-11-10T00:00:00Z' }).where('id', '=', removed).execute();
      await refreshEmployeeCounts(tx, company.companyId);
    });
  });

  for (const query of [
    '',
    'subscriptionStatuses=cancelled',
    'planTypes=deferred-plan',
    'search=anna',
    'search=example.com',
    'emails=kept@example.com&emails=removed@example.com',
    'sortField=createdAt&sortOrder=desc',
  ]) {
    it(`are neither shown nor counted by ?${query}`, async () => {
      const { data } = (await app.request(`/employees?${query}`, { key })).body;
      assert.deepEqual(pluck(data.data, 'id'), [kept]);
      assert.deepEqual([data.total, data.totalPages], [1, 1]);
    });
  }

  for (const query of ['search=removed', 'emails=removed@example.com']) {
    it(`are not found by ?${query}`, async () => {
      const { data } = (await app.request(`/employees?${query}`, { key })).body;
      assert.deepEqual(data, { data: [], page: 1, perPage: 10, totalPages: 0, total: 0 });
    });
  }

  it('are not found by their id', async () => {
    const { data } = (await app.request(`/employees?ids=${removed}`, { key })).body;
    assert.deepEqual([data.data, data.total], [[], 0]);
  });
});
