import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { chargeTypes } from '../../../src/domain/enums.ts';
import type { NewBillingItem } from '../../../src/features/billing/insert.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { refusesOtherMethods } from '../../support/api/every-list.ts';
import { isFoundByItsId } from '../../support/api/every-record.ts';
import { expectedFee, expectedTicketCharge, linkTo } from '../../support/api/expected.ts';
import { assertInvalid, assertProblem } from '../../support/api/problems.ts';
import { basic, type Credentials, startTestApp, useApp } from '../../support/app.ts';
import { connectAs } from '../../support/database.ts';
import {
  anEmployee,
  aServiceCharge,
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeEmployee,
  makeEmployees,
  makeIntegration,
  makeKey,
  someEmployees,
} from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { allStreamsEnd, streamsOf } from '../../support/streams.ts';
import { until } from '../../support/until.ts';

const app = useApp();

describe('GET /billing/items/{id}', () => {
  let companyId: CompanyId;
  let key: Credentials;
  let id: number;
  let foreignId: number;
  before(async () => {
    companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId, ['view-billing']);
    id = await bill(companyId, aTicketCharge(await makeEmployee(app.db, companyId)));
    const other = await makeCompany(app.db);
    foreignId = await bill(other, aTicketCharge(await makeEmployee(app.db, other)));
  });

  /** Creates the item and returns its id. */
  async function bill(company: CompanyId, item: NewBillingItem): Promise<number> {
    await makeBillingItems(app.db, company, [item]);
    const { last } = await app.db
      .selectFrom('billing_items')
      .select((eb) => eb.fn.max('id').as('last'))
      .where('company_id', '=', company)
      .executeTakeFirstOrThrow();
    return last;
  }
  const get = async (item: number) => (await app.request(`/billing/items/${item}`, { key })).body.data;

  isFoundByItsId(() => ({ app, key, id, foreignId, pathOf: (any) => `/billing/items/${any}` }));

  it('returns all fields of a ticket charge', async () => {
    const employee = await makeEmployee(app.db, companyId);
    const charge = await bill(
      companyId,
      aTicketCharge(employee, { first_name: 'Jörg', last_name: 'Groß', email: 'j@example.com', hr_id: null }),
    );
    const profile = { firstName: 'Jörg', lastName: 'Groß', email: 'j@example.com', hrId: null };
    const data = expectedTicketCharge(charge, employee, { profile });
    assert.deepEqual((await app.request(`/billing/items/${charge}`, { key })).body, { data });
  });

  it('returns the same record as the list and the export', async () => {
    const isThis = (item: { id: number }) => item.id === id;
    const list = (await app.request('/billing/items?perPage=100', { key })).body.data.data;
    const exported = (await app.request('/billing/items/2026-11-01/ticket-charge', { key })).body.data;
    assert.deepEqual(list.find(isThis), await get(id));
    assert.deepEqual(exported.find(isThis), await get(id));
  });

  it('returns the names as billed, even if they changed since', async () => {
    const employee = await makeEmployee(app.db, companyId);
    const charge = await bill(companyId, aTicketCharge(employee, { last_name: 'Alt', email: 'alt@example.com' }));
    await app.db.updateTable('employees').set({ last_name: 'Neu' }).where('id', '=', employee).execute();
    const { profile } = (await get(charge)).charge.employee;
    assert.deepEqual([profile.lastName, profile.email], ['Alt', 'alt@example.com']);
  });

  const ways: [name: string, leave: (employee: number, charge: number) => Promise<unknown>][] = [
    [
      'removed',
      (employee) =>
        sql`update employees set removed_at = '2026-11-10T00:00:00Z' where id = ${employee}`.execute(app.db),
    ],
    [
      'erased',
      async (employee, charge) => {
        // As erasing does: a cluster does not clear references to deleted rows by itself.
        await app.db.updateTable('billing_items').set({ employee_id: null }).where('id', '=', charge).execute();
        await app.db.deleteFrom('employees').where('id', '=', employee).execute();
      },
    ],
  ];
  for (const [name, leave] of ways) {
    it(`keeps only the HR id of an employee who was ${name} since`, async () => {
      const employee = await makeEmployee(app.db, companyId);
      const charge = await bill(companyId, aTicketCharge(employee, { hr_id: 'E-77' }));
      await leave(employee, charge);
      const item = await get(charge);
      const profile = { id: null, firstName: null, lastName: null, email: null, hrId: 'E-77' };
      assert.deepEqual(item.charge.employee, { profile, exists: false });
      assert.equal(item.charge.plan.type, 'fully-subsidized-plan');
      assert.deepEqual(item._links, { self: linkTo(`/billing/items/${charge}`) });
    });
  }

  for (const type of [
    'service-charge',
    'hr-integration-charge',
    'hr-payroll-integration-charge',
    'api-charge',
  ] as const) {
    it(`has neither employee nor plan for a ${type}`, async () => {
      const integration = type === 'hr-integration-charge' ? await makeIntegration(app.db, companyId) : null;
      const charge = await bill(companyId, aServiceCharge({ charge_type: type, hr_integration_id: integration }));
      const link = integration === null ? {} : { hrIntegration: linkTo(`/hr-integrations/${integration}`) };
      const expected = expectedFee(charge, {
        charge: { type, employee: null, plan: null },
        _links: { self: linkTo(`/billing/items/${charge}`), ...link },
      });
      assert.deepEqual(await get(charge), expected);
    });
  }

  it('returns a correction with negative amounts, the corrected item, its period and the reason', async () => {
    const employee = await makeEmployee(app.db, companyId);
    const wrong = await bill(companyId, aTicketCharge(employee));
    const correction = await bill(
      companyId,
      aTicketCharge(employee, {
        net_cents: -5593,
        tax_cents: -392,
        gross_cents: -5985,
        company_share_cents: -5985,
        period: '2026-12-01',
        corrects_id: wrong,
        corrects_period: '2026-11-01',
        reason: 'Billed by mistake',
      }),
    );
    const item = await get(correction);
    assert.deepEqual(
      [item.billing.period, item.corrects, item.reason],
      ['2026-12-01', { id: wrong, period: '2026-11-01' }, 'Billed by mistake'],
    );
    assert.deepEqual(item.billing.overall, { label: '-59,85\u00a0€', value: -5985 });
    assert.deepEqual(item.charge.plan.companyAmount, { label: '-59,85\u00a0€', value: -5985 });
  });

  it("formats money for the company's locale and currency", async () => {
    const abroad = await makeCompany(app.db);
    await app.db.updateTable('companies').set({ locale: 'en-GB', currency: 'GBP' }).where('id', '=', abroad).execute();
    const charge = await bill(abroad, aServiceCharge());
    const { data } = (await app.request(`/billing/items/${charge}`, { key: await makeKey(app.db, abroad) })).body;
    assert.deepEqual(data.billing.overall, { label: '£1.79', value: 179 });
  });
});

describe('GET /billing/items/{period}/{chargeType}', () => {
  let companyId: CompanyId;
  let key: Credentials;
  let employees: number[];
  before(async () => {
    companyId = await makeCompany(app.db);
    key = await makeKey(app.db, companyId, ['view-billing']);
    employees = await makeEmployees(app.db, companyId, someEmployees(1203));
    await makeBillingItems(app.db, companyId, [
      ...employees.map((id) => aTicketCharge(id)),
      ...employees.slice(0, 2).map((id) => aTicketCharge(id, { period: '2026-10-01' })),
      ...chargeTypes.filter((type) => type !== 'ticket-charge').map((charge_type) => aServiceCharge({ charge_type })),
    ]);
    const other = await makeCompany(app.db);
    const [otherEmployee = 0] = await makeEmployees(app.db, other, [anEmployee()]);
    await makeBillingItems(app.db, other, [
      aTicketCharge(otherEmployee),
      aTicketCharge(otherEmployee, { period: '2026-09-01' }),
    ]);
  });

  const get = (path: string, query = '') => app.request(`/billing/items/${path}${query}`, { key });

  refusesOtherMethods(() => ({ app, key, path: '/billing/items/2026-11-01/ticket-charge', allow: 'GET' }));

  it('refuses HEAD, which would run the whole query in vain', async () => {
    const path = '/billing/items/2026-11-01/ticket-charge';
    const response = await app.request(path, { method: 'HEAD', key });
    assert.deepEqual([response.status, response.headers.get('allow'), response.bytes.length], [405, 'GET', 0]);
  });

  it('returns every item of the period and charge type, ordered by id', async () => {
    const response = await get('2026-11-01/ticket-charge');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
    assert.deepEqual(Object.keys(response.body), ['data']);
    const items: { id: number; charge: { employee: { profile: { id: number } } } }[] = response.body.data;
    assert.deepEqual(
      items.map((item) => item.charge.employee.profile.id),
      employees,
    );
    assert.deepEqual(
      pluck(items, 'id'),
      pluck(items, 'id').toSorted((a: number, b: number) => a - b),
    );
  });

  it('contains the corrections that were made in the month, unless they are left out', async () => {
    const corrected = await makeCompany(app.db);
    const key = await makeKey(app.db, corrected, ['view-billing']);
    const [employee = 0] = await makeEmployees(app.db, corrected, [anEmployee()]);
    await makeBillingItems(app.db, corrected, [aTicketCharge(employee, { period: '2026-10-01' })]);
    const path = (period: string, query = '') => app.request(`/billing/items/${period}/ticket-charge${query}`, { key });
    const [{ id }] = (await path('2026-10-01')).body.data;
    await makeBillingItems(app.db, corrected, [
      aTicketCharge(employee),
      aTicketCharge(employee, { corrects_id: id, corrects_period: '2026-10-01', reason: 'Issued by mistake.' }),
    ]);
    for (const [query, expected] of [
      ['', [null, id]],
      ['?corrections=include', [null, id]],
      ['?corrections=exclude', [null]],
      ['?corrections=only', [id]],
    ] as const) {
      const { data } = (await path('2026-11-01', query)).body;
      assert.deepEqual(
        data.map(({ corrects }: { corrects: { id: number } | null }) => corrects?.id ?? null),
        expected,
        query,
      );
    }
    assertInvalid(await path('2026-11-01', '?corrections=no'), { corrections: 'enum' });
  });

  it('returns all fields of an item', async () => {
    const { data } = (await get('2026-10-01/ticket-charge')).body;
    const [employee] = employees;
    assert.equal(data.length, 2);
    const profile = { firstName: 'Anna', lastName: 'Muster', email: 'anna@example.com', hrId: `E-${employee}` };
    assert.deepEqual(data[0], expectedTicketCharge(data[0].id, employee, { period: '2026-10-01', profile }));
    assert.deepEqual(data[0], (await get(String(data[0].id))).body.data);
  });

  for (const type of chargeTypes.filter((one) => one !== 'ticket-charge')) {
    it(`returns the one ${type} of the month`, async () => {
      const { data } = (await get(`2026-11-01/${type}`)).body;
      assert.deepEqual(pluck(data, 'charge'), [{ type, employee: null, plan: null }]);
    });
  }

  it('returns {"data":[]} if nothing was billed', async () => {
    for (const path of [
      '2026-10-01/api-charge',
      '2026-09-01/ticket-charge',
      '0001-01-01/api-charge',
      '9999-12-01/ticket-charge',
    ]) {
      const response = await get(path);
      assert.equal(response.status, 200);
      assert.equal(response.bytes.toString(), '{"data":[]}');
    }
  });

  it('hides personal data of removed employees', async () => {
    const other = await makeCompany(app.db);
    const [id = 0] = await makeEmployees(app.db, other, [anEmployee({ removed_at: '2026-11-10T00:00:00Z' })]);
    await makeBillingItems(app.db, other, [aTicketCharge(id, { hr_id: 'E-9' })]);
    const itsKey = await makeKey(app.db, other);
    const { data } = (await app.request('/billing/items/2026-11-01/ticket-charge', { key: itsKey })).body;
    assert.deepEqual(data[0].charge.employee, {
      profile: { id: null, firstName: null, lastName: null, email: null, hrId: 'E-9' },
      exists: false,
    });
    assert.deepEqual(Object.keys(data[0]._links), ['self']);
  });

  for (const [path, expected] of [
    ['2026-11-15/ticket-charge', { period: 'format' }],
    ['2026-11/ticket-charge', { period: 'format' }],
    ['2026-13-01/ticket-charge', { period: 'format' }],
    ['0000-01-01/ticket-charge', { period: 'format' }],
    ['2026-11-01%00/ticket-charge', { period: 'format' }],
    ['null/ticket-charge', { period: 'format' }],
    ['1/ticket-charge', { period: 'format' }],
    ['2026-11-01/ticket', { chargeType: 'enum' }],
    ['2026-11-01/TICKET-CHARGE', { chargeType: 'enum' }],
    ['2026-11-01/ticket-charge%00', { chargeType: 'enum' }],
    ['2026-11-01/null', { chargeType: 'enum' }],
    [`2026-11-01/${'x'.repeat(1000)}`, { chargeType: 'enum' }],
    ['yesterday/everything', { period: 'format', chargeType: 'enum' }],
  ] as [string, Record<string, string>][]) {
    it(`refuses ${path.slice(0, 40)}`, async () => {
      assertInvalid(await get(path), expected);
    });
  }

  for (const path of ['%ZZ/ticket-charge', '2026-11-01/%FF']) {
    it(`refuses ${path}, which is not percent-encoded UTF-8`, async () => {
      assertProblem(await get(path), 400, 'malformed-request');
    });
  }

  it('has no pages and refuses query parameters', async () => {
    const response = await get('2026-11-01/ticket-charge', '?page=2&perPage=-1&perPage=3&sortOrder=desc');
    assertInvalid(response, { page: 'unknown', perPage: 'unknown', sortOrder: 'unknown' });
  });
});

describe('An export whose client disconnects before the first item is found', () => {
  it('ends its query and releases its connection', async () => {
    const app = await startTestApp();
    const key = await makeKey(app.db, await makeCompany(app.db));
    const locker = await connectAs(app.databaseUrl);
    // Repeat more often than there are connections for streams, so that leaking one each time would show.
    for (let times = 0; times < 5; times++) {
      await locker.query('begin');
      await locker.query('lock table billing_items in access exclusive mode');
      const client = new AbortController();
      const request = fetch(`${app.url}/billing/items/2026-11-01/ticket-charge`, {
        headers: { authorization: basic(key) },
        signal: client.signal,
      });
      await until('the query waits', async () => (await streamsOf(app, `wait_event_type = 'Lock'`)).length === 1);
      client.abort();
      await assert.rejects(request, { name: 'AbortError' });
      await locker.query('rollback');
      await allStreamsEnd(app);
    }
    const response = await app.request('/billing/items/2026-11-01/ticket-charge', { key });
    assert.equal(response.bytes.toString(), '{"data":[]}');
    await locker.end();
    await app.close();
  });
});
