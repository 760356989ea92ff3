import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { operator } from '../../../src/domain/actor.ts';
import { correctCharges } from '../../../src/features/corrections/correct.ts';
import { catchUp } from '../../../src/features/daily-run/run.ts';
import { issueInvoices } from '../../../src/features/invoices/issue.ts';
import type { InvoiceContent } from '../../../src/features/invoices/rules/invoice.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { joinCompany, type TestCompany, useFixture } from '../../support/daily-run.ts';
import { setBuyer, setSeller } from '../../support/invoicing.ts';
import { pluck } from '../../support/pluck.ts';
import { rowsOf } from '../../support/rows.ts';
import { makePulling } from '../../support/sync.ts';

const contentOf = (invoice: { content: unknown } | undefined) => invoice?.content as InvoiceContent | undefined;

const roster = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    hrId: `${index}`,
    firstName: 'Ada',
    lastName: `Lovelace ${index}`,
    email: `ada${index}@example.com`,
    autoSyncEmployee: true,
  }));

/** Three tickets, the service fee of three tickets, and the fee of three linked employees. */
const monthly = 3 * 5985 + 536 + 357;

describe('invoices', () => {
  const fixture = useFixture('2026-02-28', 'without documents');

  /** Returns a company that joined on that day, the last of a month: each day takes time. */
  const join = async (day: string, count = 3): Promise<TestCompany> => {
    const { app, clock } = fixture;
    clock.moveTo(day);
    const company = await joinCompany(fixture);
    await makePulling(app.db, company);
    await setBuyer(app.serviceDb, company.companyId, fixture.clock.now());
    await company.sync('first', roster(count));
    return company;
  };
  const invoicesOf = ({ companyId }: TestCompany) =>
    rowsOf(fixture.app.db, 'invoices', { company_id: companyId }, [
      'id',
      'kind',
      'period',
      'number',
      'net_cents',
      'tax_cents',
      'gross_cents',
      'content',
    ]);
  const summary = async (company: TestCompany) =>
    (await invoicesOf(company)).map(({ kind, period, gross_cents, number }) =>
      [kind, period, gross_cents, number === null ? 'draft' : 'issued'].join(' '),
    );

  it('wait for the data of the seller, then are issued for every month that was billed', async () => {
    const company = await join('2026-02-28');
    await company.runTo('2026-03-01');
    assert.deepEqual(await summary(company), []);
    await company.runTo('2026-04-01');
    await setSeller(fixture.app.serviceDb, fixture.clock.now());
    await company.runTo('2026-04-02');

    assert.deepEqual(await summary(company), [
      `invoice 2026-03-01 ${monthly} issued`,
      `invoice 2026-04-01 ${monthly} issued`,
    ]);
  });

  it('wait for the address of the buyer', async () => {
    const company = await join('2026-04-30');
    await setBuyer(fixture.app.serviceDb, company.companyId, fixture.clock.now(), { street: null });
    await company.runTo('2026-05-01');
    assert.deepEqual(await summary(company), []);
    await setBuyer(fixture.app.serviceDb, company.companyId, fixture.clock.now());
    await company.runTo('2026-05-02');
    assert.equal((await invoicesOf(company)).length, 1);
  });

  it('equal the sum of the items, once per period, however many runs there are at the same time', async () => {
    const company = await join('2026-05-31');
    fixture.clock.moveTo('2026-06-01');
    const { serviceDb, deps } = fixture.app;
    await Promise.all([1, 2, 3, 4].map(() => catchUp(serviceDb, deps, company.companyId)));
    await Promise.all([1, 2, 3, 4].map(() => issueInvoices(serviceDb, fixture.clock, company.companyId)));
    const [invoice, ...others] = await invoicesOf(company);
    assert.equal(others.length, 0);
    const items = await company.items('2026-06-01');
    const sum = (key: string) => items.reduce((total, { billing }) => total + billing[key].value, 0);
    assert.equal(invoice?.gross_cents, sum('overall'));
    // Three tickets of 59.85 are 167.80 net. Each of them is 55.93, which would make 167.79.
    assert.deepEqual([sum('total'), invoice?.net_cents], [3 * 5593 + 450 + 300, 16780 + 450 + 300]);
    const lines = contentOf(invoice)?.lines ?? [];
    assert.deepEqual(pluck(lines, 'chargeType', 'quantity', 'taxPercent').sort(), [
      ['hr-integration-charge', 3, 19],
      ['service-charge', 3, 19],
      ['ticket-charge', 3, 7],
    ]);
  });

  it('are credited in the following run, with the invoice of the corrected month', async () => {
    const company = await join('2026-06-30');
    await company.runTo('2026-07-01');
    const [item] = await company.items('2026-07-01');
    const { serviceDb, deps } = fixture.app;
    const { companyId } = company;
    const correction = { companyId, selection: { items: [item.id] }, reason: 'Left in June', actor: operator };
    await writeCompany(serviceDb, companyId, (tx) => correctCharges(tx, deps, correction));
    await company.runTo('2026-07-31');
    assert.equal((await invoicesOf(company)).length, 1);
    await company.runTo('2026-08-01');
    assert.deepEqual((await summary(company)).slice(1).sort(), [
      'credit-note 2026-08-01 5985 issued',
      `invoice 2026-08-01 ${monthly} issued`,
    ]);
    const note = (await invoicesOf(company)).find(({ kind }) => kind === 'credit-note');
    assert.deepEqual(contentOf(note)?.corrects, ['2026-07-01']);
    // The file outlives names, and what operators write.
    const { hrId } = item.charge.employee.profile;
    assert.ok(hrId);
    const charge = { chargeType: 'ticket-charge', month: '2026-07-01', hrId, grossCents: 5985, reason: null };
    assert.deepEqual(contentOf(note)?.corrected, { charges: [charge], total: 1 });
  });

  it('are credited in several notes without crediting more tax than was charged', async () => {
    const company = await join('2026-08-31');
    await company.runTo('2026-09-01');
    const { serviceDb, deps } = fixture.app;
    const items = await company.items('2026-09-01');
    const correct = (item: { id: number } | undefined) =>
      writeCompany(serviceDb, company.companyId, (tx) =>
        correctCharges(tx, deps, {
          companyId: company.companyId,
          selection: { items: [item?.id ?? 0] },
          reason: 'left',
          actor: operator,
        }),
      );
    await correct(items[0]);
    await company.runTo('2026-10-01');
    for (const item of items.slice(1)) await correct(item);
    await company.runTo('2026-11-01');
    const invoices = await invoicesOf(company);
    const [charged] = invoices;
    const notes = invoices.filter(({ kind }) => kind === 'credit-note');
    assert.equal(notes.length, 2);
    const reasons = notes.map((note) => contentOf(note)?.corrected?.charges.map(({ reason }) => reason));
    assert.deepEqual(reasons, [['left'], items.slice(1).map(() => 'left')]);
    for (const key of ['net_cents', 'tax_cents', 'gross_cents'] as const)
      assert.equal(
        notes.reduce((sum, note) => sum + note[key], 0),
        charged?.[key],
      );
  });

  const feesOf = async (company: TestCompany, period: string) =>
    (await company.items(period))
      .filter(({ charge }) => charge.type !== 'ticket-charge')
      .map(({ billing }) => [billing.total.value, billing.tax.value]);
  const taxesOf = (invoice: { content: unknown } | undefined) =>
    contentOf(invoice)?.taxes.map(({ taxCategory, taxPercent, taxCents }) => [taxCategory, taxPercent, taxCents]);

  it('charge no tax on fees to companies in other countries, and that of Germany on tickets', async () => {
    const company = await join('2026-11-30');
    const other = await join('2026-11-30');
    const { serviceDb } = fixture.app;
    const now = fixture.clock.now();
    await setBuyer(serviceDb, company.companyId, now, { country: 'AT', vatId: 'ATU12345678' });
    await setBuyer(serviceDb, other.companyId, now, { country: 'CH', vatId: null });
    await company.runTo('2026-12-01');
    await other.runTo('2026-12-01');
    assert.deepEqual(taxesOf((await invoicesOf(company))[0]), [
      ['reverse-charge', 0, 0],
      ['standard', 7, 1175],
    ]);
    assert.deepEqual(taxesOf((await invoicesOf(other))[0]), [
      ['not-taxable', 0, 0],
      ['standard', 7, 1175],
    ]);
    assert.deepEqual(await feesOf(company, '2026-12-01'), [
      [450, 0],
      [300, 0],
    ]);
  });

  it('wait for the VAT id of a company in the EU, which then changes the tax of fees that were billed', async () => {
    const company = await join('2026-12-31');
    const { serviceDb } = fixture.app;
    await setBuyer(serviceDb, company.companyId, fixture.clock.now(), { country: 'AT', vatId: null });
    await company.runTo('2027-01-01');
    assert.deepEqual(await summary(company), []);
    assert.deepEqual(await feesOf(company, '2027-01-01'), [
      [450, 86],
      [300, 57],
    ]);
    await setBuyer(serviceDb, company.companyId, fixture.clock.now(), { vatId: 'ATU12345678' });
    await company.runTo('2027-01-02');
    assert.deepEqual(await summary(company), [`invoice 2027-01-01 ${3 * 5985 + 750} issued`]);
    assert.deepEqual(await feesOf(company, '2027-01-01'), [
      [450, 0],
      [300, 0],
    ]);
  });

  it('of all companies have consecutive numbers, without a gap after an interrupted transaction', async () => {
    const companies = await Promise.all([1, 2, 3, 4, 5, 6].map(() => join('2026-09-30', 1)));
    fixture.clock.moveTo('2026-10-01');
    const { serviceDb, deps } = fixture.app;
    await Promise.all(companies.map(({ companyId }) => catchUp(serviceDb, deps, companyId)));
    const rows = await fixture.app.db.selectFrom('invoices').select('number').orderBy('number').execute();
    assert.deepEqual(
      pluck(rows, 'number'),
      rows.map((_, index) => index + 1),
    );
    const events = await rowsOf(
      fixture.app.db,
      'events',
      { type: 'invoice-issued', company_id: companies.map(({ companyId }) => companyId) },
      ['company_id'],
    );
    assert.equal(events.length, companies.length);
  });
});
