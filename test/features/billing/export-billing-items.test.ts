import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { chargeTypes } from '../../../src/domain/enums.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { refusesOtherMethods } from '../../support/api/every-list.ts';
import { expectedTicketCharge } from '../../support/api/expected.ts';
import { assertInvalid, assertProblem } from '../../support/api/problems.ts';
import { basic, type Credentials, startTestApp, useApp } from '../../support/app.ts';
import { connectAs } from '../../support/database.ts';
import {
  anEmployee,
  aServiceCharge,
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeEmployees,
  makeKey,
  someEmployees,
} from '../../support/factories.ts';
import { pluck } from '../../support/pluck.ts';
import { allStreamsEnd, streamsOf } from '../../support/streams.ts';
import { until } from '../../support/until.ts';

describe('GET /billing/items/{period}/{chargeType}', () => {
  const app = useApp();
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
