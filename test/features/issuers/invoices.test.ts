import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { compareInvoice } from '../../../src/features/issuers/compare-invoice.ts';
import { maxInvoiceBytes } from '../../../src/features/issuers/contract.ts';
import { startFakeIssuer } from '../../../src/features/issuers/fake/fake-issuer.ts';
import { loadIssuerPage } from '../../../src/features/issuers/page.ts';
import { setIssuer } from '../../../src/features/issuers/settings.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { joinCompany, useFixture } from '../../support/daily-run.ts';
import { operatorContext, orderFrom, runOrders, subscribeEmployees } from '../../support/issuers.ts';
import { makeUser, signIn } from '../../support/portal.ts';

describe('invoices of an issuer', () => {
  const fixture = useFixture('2026-02-10', false, { WEBHOOK_ALLOW_PRIVATE: 'on' });
  const month = Temporal.PlainDate.from('2026-03-01');

  /** A company whose tickets of March are in force, at 59.85 € each. */
  async function begin(hasPrices = true) {
    fixture.clock.moveTo('2026-02-10');
    const company = await joinCompany(fixture);
    const { companyId } = company;
    const employeeIds = await subscribeEmployees(fixture, companyId, 3);
    const issuer = await startFakeIssuer();
    await orderFrom(fixture, companyId, issuer);
    const priceList = [
      { from: '2027-01-01', grossCents: 7_000 },
      { from: '2026-01-01', grossCents: 5_985 },
    ];
    if (hasPrices) await setIssuer(operatorContext(fixture, companyId), { issuer: 'http', priceList });
    await company.runTo('2026-02-15');
    await runOrders(fixture, companyId);
    await company.runTo('2026-03-02');
    return { ...company, issuer, employeeIds };
  }

  const compare = (companyId: CompanyId, content: string | Buffer) =>
    compareInvoice(operatorContext(fixture, companyId), { month, content: Buffer.from(content) });

  it('agree to the cent, or each line says how it differs', async () => {
    const { companyId, issuer } = await begin();
    await using _ = issuer;
    const invoice = issuer.writeInvoice('2026-03');
    const { differences, ...sums } = await compare(companyId, invoice);
    const whole = { month: '2026-03', lines: 3, billedCents: 17_955, expectedCents: 17_955, differenceCount: 0 };
    assert.deepEqual([sums, differences], [whole, []]);
    const [headings = '', first = '', second = '', third = ''] = invoice.split('\r\n');
    const changed = [
      ...['Rechnung 4711', headings, first, first, second.replace('59,85', '63,00')],
      ...[third.replace('2026-03', '2026-04'), 'ord-x;T-unknown;2026-03;59,85', ';;2026-03;10,00'],
      ...[`${first.split(';').slice(0, 3).join(';')};-59,85`, 'Summe;;;999,00'],
    ].join('\n');
    const found = await compare(companyId, changed);
    assert.deepEqual(
      found.differences.map(({ kind, row, billedCents, expectedCents }) => [kind, row, billedCents, expectedCents]),
      [
        ['unknown', 7, 5_985, 0],
        ['double', 4, 5_985, 0],
        ['price', 5, 6_300, 5_985],
        ['other-month', 6, 5_985, 0],
        ['other-charge', 8, 1_000, 0],
        ['credit', 9, -5_985, 0],
        ['not-billed', null, null, 5_985],
      ],
    );
    // The sums differ by as much as the lines.
    const total = (name: 'billedCents' | 'expectedCents') =>
      found.differences.reduce((sum, one) => sum + (one[name] ?? 0), 0);
    assert.equal(found.billedCents - found.expectedCents, total('billedCents') - total('expectedCents'));
  });

  it('are compared again as often as they come; the last comparison is kept, and shown with names', async () => {
    const { companyId, issuer } = await begin();
    await using _ = issuer;
    const invoice = issuer.writeInvoice('2026-03');
    const short = invoice.split('\r\n').slice(0, 3).join('\r\n');
    await Promise.all([compare(companyId, invoice), compare(companyId, invoice)]);
    await compare(companyId, short);
    const { invoices } = await loadIssuerPage(fixture.app.db, companyId);
    const [stored] = invoices;
    assert.equal(invoices.length, 1);
    assert.deepEqual([stored?.lines, stored?.differenceCount, stored?.differences[0]?.kind], [2, 1, 'not-billed']);
    assert.match(stored?.differences[0]?.name ?? '', /^Anna /);
    const { rows } = await sql<{ entries: number }>`select count(*)::int as entries from audit_log
      where company_id = ${companyId} and action = 'issuer.compare-invoice'`.execute(fixture.app.db);
    assert.equal(rows[0]?.entries, 3);
  });

  it('say what is wrong with a file, and with what it would be compared', async () => {
    const { companyId, issuer } = await begin();
    await using _ = issuer;
    const invoice = issuer.writeInvoice('2026-03');
    const cases: [content: string | Buffer, code: string, detail: RegExp][] = [
      ['', 'malformed-body', /empty/],
      ['%PDF-1.7', 'malformed-body', /PDF/],
      ['Name;Betrag\nAnna;59,85', 'malformed-body', /no column with order or ticket numbers/],
      [invoice.replace('59,85', 'free'), 'malformed-body', /Row 2: "free" is no amount/],
      [invoice.replace('2026-03', 'soon'), 'malformed-body', /Row 2: "soon" is no month/],
      [Buffer.alloc(maxInvoiceBytes + 1, 'x'), 'body-too-large', /larger than 8 MiB/],
      [`a;amount;order\n${';1;\n'.repeat(250_001)}`, 'malformed-body', /more than 250000 lines/],
    ];
    for (const [content, code, message] of cases) {
      await assert.rejects(compare(companyId, content), (error: Error & { code: string }) => {
        assert.equal(error.code, code, error.message);
        assert.match(error.message, message);
        return true;
      });
    }
    const { companyId: unpriced, issuer: other } = await begin(false);
    await using _other = other;
    await assert.rejects(compare(unpriced, invoice), /No price of the issuer is known for 2026-03/);
    const own = await joinCompany(fixture);
    await assert.rejects(compare(own.companyId, invoice), /nobody bills them/);
  });

  it('are uploaded in the portal, which says what is wrong with a file', async () => {
    const { companyId, issuer } = await begin();
    await using _ = issuer;
    const client = await signIn(fixture.app, await makeUser(fixture.app, companyId, 'payroll'));
    const upload = (content: string | Buffer) =>
      client.post('/issuer/invoices', { month: '2026-03', content: Buffer.from(content).toString('base64') });
    const listed = async () => (await client.get('/issuer')).body.data.invoices;
    const invoice = issuer.writeInvoice('2026-03');
    const good = await upload(invoice);
    assert.deepEqual([good.status, good.body.data.lines, good.body.data.differences], [200, 3, []]);
    const short = await upload(invoice.split('\r\n').slice(0, 3).join('\r\n'));
    assert.deepEqual([short.body.data.differenceCount, short.body.data.differences[0].kind], [1, 'not-billed']);
    assert.deepEqual(
      (await listed()).map(({ month: of, lines }: { month: string; lines: number }) => [of, lines]),
      [['2026-03', 2]],
    );
    const cases: [content: string | Buffer, status: number, code: string, detail: RegExp][] = [
      ['Name;Betrag\nAnna;59,85', 400, 'malformed-body', /no column with order or ticket numbers/],
      [Buffer.alloc(maxInvoiceBytes + 3_000, 'x'), 413, 'body-too-large', /larger|limit|at most/i],
      [`${invoice}ord-x;T-x;2026-03;much\r\n`, 400, 'malformed-body', /Row 5: "much" is no amount/],
    ];
    for (const [content, status, code, detail] of cases) {
      const { status: answered, body } = await upload(content);
      assert.deepEqual([answered, body.code], [status, code]);
      assert.match(body.detail, detail);
    }
    assert.equal((await listed())[0].lines, 2, 'a file that cannot be read changes nothing');
    const viewer = await signIn(fixture.app, await makeUser(fixture.app, companyId, 'viewer'));
    assert.equal((await viewer.post('/issuer/invoices', { month: '2026-03', content: 'YQ==' })).status, 403);
  });
});
