import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { chargeTypes } from '../../../src/domain/enums.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { behavesLikeEveryList, idsOf, sortsBy } from '../../support/api/every-list.ts';
import { expectedFee, expectedTicketCharge, onePage } from '../../support/api/expected.ts';
import { assertInvalid } from '../../support/api/problems.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import {
  aServiceCharge,
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeEmployees,
  makeKey,
  someEmployees,
  useCompany,
} from '../../support/factories.ts';

const app = useApp();

async function startCompany(): Promise<{ companyId: CompanyId; key: Credentials }> {
  const companyId = await makeCompany(app.db);
  return { companyId, key: await makeKey(app.db, companyId, ['view-billing']) };
}

const employeesOf = (companyId: CompanyId, length: number) => makeEmployees(app.db, companyId, someEmployees(length));

const itemsOf = async (companyId: CompanyId) =>
  app.db
    .selectFrom('billing_items')
    .select(['id', 'charge_type as type', 'period'])
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();

describe('GET /billing/items', () => {
  const company = useCompany(app, ['view-billing']);
  const { key } = company;
  let otherKey: Credentials;
  let ids: number[];
  before(async () => {
    otherKey = (await startCompany()).key;
    const { companyId: other } = await startCompany();
    const charges = async (companyId: CompanyId, length: number) =>
      makeBillingItems(
        app.db,
        companyId,
        (await employeesOf(companyId, length)).map((id) => aTicketCharge(id)),
      );
    await charges(other, 3);
    await charges(company.companyId, 9);
    await charges(other, 3);
    await charges(company.companyId, 4);
    ids = (await itemsOf(company.companyId)).map((item) => item.id);
  });

  behavesLikeEveryList(() => ({ app, key, path: '/billing/items', ids, otherKey }));

  for (const [parameter, value, rule] of [
    ['sortField', 'period', 'enum'],
    ['sortField', 'createdAt', 'enum'],
    ['chargeType', 'ticket', 'enum'],
    ['chargeType', 'ticket-charge,api-charge', 'enum'],
    ['chargeType', '%00', 'enum'],
    ['corrections', 'none', 'enum'],
    ['period', '2026-11-15', 'format'],
    ['period', '2026-11', 'format'],
    ['period', '2026-13-01', 'format'],
    ['period', '2026-00-01', 'format'],
    ['period', '26-11-01', 'format'],
    ['period', '0000-01-01', 'format'],
    ['period', '12026-11-01', 'format'],
    ['period', '%2B002026-11-01', 'format'],
    ['period', '-000001-11-01', 'format'],
    ['period', '2026-11-01T00:00:00Z', 'format'],
    ['period', '2026-11-01%00', 'format'],
    ['period', '2026-11-01%0A', 'format'],
    ['period', 'november', 'format'],
    ['period', 'x'.repeat(5000), 'format'],
    ['period', '%ZZ', 'encoding'],
  ] as const) {
    it(`refuses ${parameter}=${value.slice(0, 30)}`, async () => {
      assertInvalid(await app.request(`/billing/items?${parameter}=${value}`, { key }), { [parameter]: rule });
    });
  }

  for (const query of [
    'sortField=id&sortField=id',
    'chargeType=api-charge&chargeType=ticket-charge',
    'period=2026-11-01&period=2026-11-01',
  ]) {
    it(`refuses ${query}`, async () => {
      const [parameter = ''] = query.split('=');
      assertInvalid(await app.request(`/billing/items?${query}`, { key }), { [parameter]: 'repeated' });
    });
  }

  it('reports all invalid parameters together', async () => {
    const query = 'page=-1&perPage=101&sortOrder=up&sortField=name&chargeType=fee&period=2026-11-02';
    assertInvalid(await app.request(`/billing/items?${query}`, { key }), {
      page: 'minimum',
      perPage: 'maximum',
      sortOrder: 'enum',
      sortField: 'enum',
      chargeType: 'enum',
      period: 'format',
    });
  });
});

describe('GET /billing/items: corrections', () => {
  it('includes them, leaves them out or returns nothing else, with the right total', async () => {
    const { companyId, key } = await startCompany();
    const employees = await employeesOf(companyId, 5);
    await makeBillingItems(app.db, companyId, [
      ...employees.map((id) => aTicketCharge(id, { period: '2026-10-01' })),
      ...employees.map((id) => aTicketCharge(id)),
      aServiceCharge(),
    ]);
    const charges = await itemsOf(companyId);
    const corrected = charges.filter(({ period, type }) => period === '2026-10-01' && type === 'ticket-charge');
    await makeBillingItems(
      app.db,
      companyId,
      corrected.slice(0, 2).map(({ id }, at) =>
        aTicketCharge(employees[at] ?? 0, {
          ...{ net_cents: -5593, tax_cents: -392, gross_cents: -5985, company_share_cents: -5985 },
          ...{ corrects_id: id, corrects_period: '2026-10-01', reason: 'Issued by mistake.' },
        }),
      ),
    );
    const all = (await itemsOf(companyId)).map(({ id }) => id);
    const [normal, corrections] = [all.slice(0, 11), all.slice(11)];
    const november = normal.slice(5, 10);
    for (const [query, expected] of [
      ['', all],
      ['corrections=', all],
      ['corrections=null', all],
      ['corrections=include', all],
      ['corrections=exclude', normal],
      ['corrections=only', corrections],
      ['corrections=only&chargeType=service-charge', []],
      ['corrections=only&period=2026-10-01', []],
      ['corrections=exclude&period=2026-11-01&chargeType=ticket-charge', november],
      ['corrections=only&period=2026-11-01&chargeType=ticket-charge', corrections],
      ['period=2026-11-01&chargeType=ticket-charge', [...november, ...corrections]],
      ['period=null', all],
    ] as const) {
      // Twice: the second response may come from memory.
      for (const _ of [1, 2]) {
        const listed = await app.request(`/billing/items?perPage=100&${query}`, { key });
        assert.deepEqual([idsOf(listed), listed.body.data.total], [expected, expected.length], query);
      }
      const second = await app.request(`/billing/items?perPage=2&page=2&${query}`, { key });
      assert.deepEqual([idsOf(second), second.body.data.total], [expected.slice(2, 4), expected.length], query);
    }
  });
});

describe('GET /billing/items: the record', () => {
  it('returns all fields of a ticket charge and of a fee', async () => {
    const { companyId, key } = await startCompany();
    const [employee = 0] = await employeesOf(companyId, 1);
    await makeBillingItems(app.db, companyId, [
      aTicketCharge(employee, {
        first_name: 'Anna',
        last_name: 'Müller',
        email: 'anna@example.com',
        hr_id: 'E-1001',
        plan_type: 'split-pay-plan',
        company_share_cents: 3985,
        employee_share_cents: 2000,
        billed_at: '2026-11-01T01:05:00.75+01:00',
      }),
      aServiceCharge({ net_cents: 123_456_789, tax_cents: 23_456_790, gross_cents: 146_913_579 }),
    ]);
    const [ticket, fee] = await itemsOf(companyId);
    const ticketCharge = expectedTicketCharge(ticket?.id, employee, {
      profile: { firstName: 'Anna', lastName: 'Müller', email: 'anna@example.com', hrId: 'E-1001' },
      plan: {
        type: 'split-pay-plan',
        companyAmount: { label: '39,85\u00a0€', value: 3985 },
        employeeAmount: { label: '20,00\u00a0€', value: 2000 },
      },
    });
    const serviceCharge = expectedFee(fee?.id, {
      billing: {
        period: '2026-11-01',
        total: { label: '1.234.567,89\u00a0€', value: 123_456_789 },
        tax: { label: '234.567,90\u00a0€', value: 23_456_790 },
        overall: { label: '1.469.135,79\u00a0€', value: 146_913_579 },
      },
    });
    assert.deepEqual((await app.request('/billing/items', { key })).body, onePage([ticketCharge, serviceCharge]));
  });
});

describe('GET /billing/items: order', () => {
  const company = useCompany(app, ['view-billing']);
  const { key } = company;
  let ids: number[];
  before(async () => {
    const employees = await employeesOf(company.companyId, 4);
    const early = '2026-11-01T00:05:00Z';
    const late = '2026-11-01T00:05:00.000001Z';
    const charges = [
      { period: '2026-11-01', billed_at: early },
      { period: '2026-10-01', billed_at: late },
      { period: '2026-11-01', billed_at: late },
      { period: '2026-10-01', billed_at: early },
    ].map((fields, index) => aTicketCharge(employees[index] ?? 0, fields));
    await makeBillingItems(app.db, company.companyId, charges);
    ids = (await itemsOf(company.companyId)).map((item) => item.id);
  });

  sortsBy({ billingPeriod: [1, 3, 0, 2], billedAt: [0, 3, 1, 2] }, () => ({ app, key, path: '/billing/items', ids }));

  it('keeps the order with a filter', async () => {
    const query = 'sortField=billedAt&sortOrder=desc&period=2026-11-01';
    assert.deepEqual(idsOf(await app.request(`/billing/items?${query}`, { key })), [ids[2], ids[0]]);
  });
});

describe('GET /billing/items: chargeType and period', () => {
  const company = useCompany(app, ['view-billing']);
  const { key } = company;
  let items: { id: number; type: string; period: string }[];
  const periods = ['2026-09-01', '2026-10-01', '2026-11-01'];
  before(async () => {
    const employees = await employeesOf(company.companyId, 4);
    const charges = periods.flatMap((period, index) => [
      ...chargeTypes
        .filter((type) => type !== 'ticket-charge')
        .slice(index)
        .map((charge_type) => aServiceCharge({ charge_type, period })),
      ...employees.slice(index).map((id) => aTicketCharge(id, { period })),
    ]);
    await makeBillingItems(app.db, company.companyId, charges);
    items = await itemsOf(company.companyId);
  });

  async function assertFinds(query: string, isWanted: (item: { type: string; period: string }) => boolean) {
    const wanted = items.filter(isWanted).map((item) => item.id);
    const response = await app.request(`/billing/items?${query}&perPage=100`, { key });
    assert.deepEqual(idsOf(response), wanted);
    assert.equal(response.body.data.total, wanted.length);
    return wanted.length;
  }

  for (const type of chargeTypes) {
    it(`restricts to ${type}`, async () => {
      assert.notEqual(await assertFinds(`chargeType=${type}`, (item) => item.type === type), 0);
    });
  }
  for (const period of periods) {
    it(`restricts to ${period}`, async () => {
      assert.notEqual(await assertFinds(`period=${period}`, (item) => item.period === period), 0);
    });
  }
  for (const type of chargeTypes) {
    for (const period of periods) {
      it(`restricts to ${type} in ${period}`, async () => {
        await assertFinds(
          `chargeType=${type}&period=${period}`,
          (item) => item.type === type && item.period === period,
        );
      });
    }
  }

  it('ignores empty values, and null for a charge type', async () => {
    assert.equal(await assertFinds('chargeType=&period=', () => true), items.length);
    assert.equal(await assertFinds('chargeType=null', () => true), items.length);
  });

  it('finds nothing in a month without charges, however far away', async () => {
    for (const period of ['2026-12-01', '0001-01-01', '9999-12-01']) {
      assert.equal(await assertFinds(`period=${period}`, () => false), 0);
    }
  });

  it('returns the correct total on a page that is too small for all records', async () => {
    const { data } = (await app.request('/billing/items?period=2026-09-01&perPage=3&page=2', { key })).body;
    assert.deepEqual([data.data.length, data.total, data.totalPages, data.page], [3, 8, 3, 2]);
  });
});
