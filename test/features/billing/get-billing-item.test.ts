import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { NewBillingItem } from '../../../src/features/billing/insert.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { isFoundByItsId } from '../../support/api/every-record.ts';
import { expectedFee, expectedTicketCharge, linkTo } from '../../support/api/expected.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import {
  aServiceCharge,
  aTicketCharge,
  makeBillingItems,
  makeCompany,
  makeEmployee,
  makeIntegration,
  makeKey,
} from '../../support/factories.ts';

describe('GET /billing/items/{id}', () => {
  const app = useApp();
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
