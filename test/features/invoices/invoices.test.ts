import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it, test } from 'node:test';
import { extractText, getDocumentProxy } from 'unpdf';
import renderInvoice from '../../../src/features/invoices/files.ts';
import { asCompanyId, type CompanyId } from '../../../src/platform/db/company-scope.ts';
import { type Credentials, testClock, useApp } from '../../support/app.ts';
import { makeCompany, makeEmployee, makeKey } from '../../support/factories.ts';
import { anInvoice, makeInvoice, setBuyer, setSeller, testSeller } from '../../support/invoicing.ts';
import { createProcessedCompany, month, starting, withOperatorCli } from '../../support/operator-cli.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, signIn } from '../../support/portal.ts';

const app = useApp();

describe('invoices in the API', () => {
  let company: CompanyId;
  let key: Credentials;
  let id: number;
  before(async () => {
    company = await makeCompany(app.db);
    key = await makeKey(app.db, company, ['view-billing']);
    id = await makeInvoice(app.db, company, app.documents);
  });

  const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { key, headers });

  it('are listed with their lines, filtered by type and period', async () => {
    const { status, body } = await get('/billing/invoices');
    assert.equal(status, 200);
    const [invoice] = body.data.data;
    assert.equal(body.data.total, 1);
    assert.deepEqual(
      [invoice.id, invoice.type, invoice.period, invoice.issuedOn, invoice.dueOn, invoice.downloadable],
      [id, 'invoice', '2026-11-01', '2026-11-01', '2026-11-15', true],
    );
    assert.match(invoice.number, /^TB-\d{6,}$/);
    assert.deepEqual([invoice.total.value, invoice.tax.value, invoice.overall.value], [5593, 392, 5985]);
    assert.deepEqual(pluck(invoice.lines, 'type', 'quantity', 'taxPercent'), [['ticket-charge', 1, 7]]);
    assert.equal((await get('/billing/invoices?type=credit-note')).body.data.total, 0);
    assert.equal((await get('/billing/invoices?period=2026-11-01&sortField=number')).body.data.total, 1);
    assert.equal((await get('/billing/invoices?period=2026-10-01')).body.data.total, 0);
    assert.deepEqual((await get(`/billing/invoices/${id}`)).body.data, invoice);
  });

  it('are downloaded as PDF and as XRechnung, and not again if the client has them', async () => {
    for (const [query, type, name] of [
      ['', 'application/pdf', 'pdf'],
      ['?format=pdf', 'application/pdf', 'pdf'],
      ['?format=xrechnung', 'application/xml', 'xml'],
    ]) {
      const path = `/billing/invoices/${id}/download${query}`;
      const { status, headers } = await get(path);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), type);
      assert.match(
        String(headers.get('content-disposition')),
        new RegExp(`^attachment; filename="TB-\\d+ \\d{4}-\\d\\d\\.${name}`),
      );
      assert.equal((await get(path, { 'if-none-match': String(headers.get('etag')) })).status, 304);
    }
    assert.equal((await get(`/billing/invoices/${id}/download?format=docx`)).status, 400);
  });

  it('without files cannot be downloaded yet', async () => {
    const other = await makeCompany(app.db);
    const draft = await makeInvoice(app.db, other);
    const { status, body } = await app.request(`/billing/invoices/${draft}/download`, {
      key: await makeKey(app.db, other, ['view-billing']),
    });
    assert.deepEqual([status, body.code], [409, 'document-not-downloadable']);
  });
});

describe('the invoices in the portal', () => {
  it('say what is missing before the first can be issued', async () => {
    const company = await makeCompany(app.db);
    const client = await signIn(app, await makeUser(app, company, 'payroll'));
    const read = async () => (await client.get('/invoices')).body.data;
    assert.deepEqual(await read(), {
      invoices: [],
      years: [],
      latest: null,
      missing: ['seller', 'street', 'postCode', 'city'],
    });
    await setSeller(app.serviceDb, testClock.now());
    await setBuyer(app.serviceDb, company, testClock.now());
    assert.deepEqual((await read()).missing, []);
  });

  it('are listed with the totals of each year, and shown or saved', async () => {
    const company = await makeCompany(app.db);
    const id = await makeInvoice(app.db, company, app.documents);
    const client = await signIn(app, await makeUser(app, company, 'payroll'));
    const { invoices, years } = (await client.get('/invoices')).body.data;
    assert.deepEqual(pluck(invoices, 'id'), [id]);
    assert.deepEqual(pluck(years, 'year', 'gross', 'invoices'), [[2026, { label: '59,85\u00a0€', value: 5985 }, 1]]);
    const shown = await client.get(`/invoices/${id}/download?inline=true`);
    assert.match(String(shown.headers.get('content-disposition')), /^inline; /);
    const saved = await client.get(`/invoices/${id}/download?format=xrechnung`);
    assert.equal(saved.headers.get('content-type'), 'application/xml');
    assert.match(String(saved.headers.get('content-disposition')), /^attachment; /);
  });
});

describe('the commands for invoices', () => {
  it('set seller and buyer, and list and save invoices without a worker', () =>
    withOperatorCli(async ({ db, env, succeed, fail }) => {
      const company = await createProcessedCompany(db, month.subtract({ days: 1 }));
      await makeEmployee(db, company, starting(month));
      const folder = env.DATA_DIR ?? '';
      const file = join(folder, 'seller.json');
      await writeFile(file, JSON.stringify({ ...testSeller, iban: 'DE00' }));
      assert.match(await fail(`operator set --seller ${file}`), /"iban" must be an IBAN with the right check digits/);
      await writeFile(file, JSON.stringify(testSeller));
      assert.deepEqual(await succeed(`operator set --seller ${file}`), { seller: testSeller });
      assert.deepEqual(await succeed('operator show'), { seller: testSeller });
      const address = `--street Hauptstr.1 --post-code 10115 --city Berlin --vat-id de987654321`;
      assert.equal((await succeed(`company set ${company} ${address}`)).changes.length, 4);
      assert.match(
        await fail(`company set ${company} --buyer-reference 04011000-1234512345-60`),
        /^--buyer-reference must be a Leitweg-ID with the right check digits/,
      );
      await succeed('lifecycle run');
      const invoices = await succeed(`invoice list --company ${company}`);
      assert.deepEqual(pluck(invoices, 'number', 'type', 'period'), [['TB-000001', 'invoice', month.toString()]]);
      const { id } = invoices[0];
      for (const [format, start] of [
        ['pdf', '%PDF-1.7'],
        ['xrechnung', '<?xml version="1.0" encoding="UTF-8"?>\n<Invoice '],
        ['cii', '<?xml version="1.0" encoding="UTF-8"?>\n<rsm:CrossIndustryInvoice '],
      ] as const) {
        const out = join(folder, format);
        const saved = await succeed(`invoice download ${id} --company ${company} --format ${format} --out ${out}`);
        const bytes = await readFile(out);
        assert.equal(saved.sizeBytes, bytes.length);
        assert.ok(bytes.toString('latin1').startsWith(start), format);
      }
      const unknown = `invoice download 999 --company ${company} --format pdf --out ${join(folder, 'x')}`;
      assert.match(await fail(unknown), /has no such invoice: check the id/);
    }));
});

const invoice = { ...anInvoice(asCompanyId(7)), number: 'TB-000017', preceding: [] };

test('the PDF has the markers of PDF/A-3b and of an e-invoice', async () => {
  const { pdf } = await renderInvoice(invoice);
  const bytes = Buffer.from(pdf).toString('latin1');
  for (const marker of [
    /^%PDF-1\.7/,
    /<pdfaid:part>3<\/pdfaid:part>\s*<pdfaid:conformance>B<\/pdfaid:conformance>/,
    /<pdfaSchema:namespaceURI>urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#<\/pdfaSchema:namespaceURI>/,
    /<fx:DocumentFileName>factur-x\.xml<\/fx:DocumentFileName>/,
    /<fx:ConformanceLevel>EN 16931<\/fx:ConformanceLevel>/,
    /\/S \/GTS_PDFA1/,
    /\/OutputIntents \[/,
    /\/AFRelationship \/Alternative/,
    /\/AF \[/,
    /\/EmbeddedFiles/,
    /\/Subtype \/text#2Fxml/,
    /\/ID \[/,
  ]) {
    assert.match(bytes, marker);
  }
  assert.doesNotMatch(bytes, /\/Encrypt|\/JavaScript|\/BaseFont \/Helvetica/);
});

test('the embedded file is the XML, and the page shows the amounts', async () => {
  const { pdf, cii } = await renderInvoice(invoice);
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const attachments = await document.getAttachments();
  assert.deepEqual([...(attachments?.keys() ?? [])], ['factur-x.xml']);
  const content = await document.getAttachmentContent('factur-x.xml');
  assert.equal(Buffer.from(content ?? []).toString(), Buffer.from(cii).toString());
  const { text, totalPages } = await extractText(document, { mergePages: true });
  assert.equal(totalPages, 1);
  for (const shown of ['Rechnung TB-000017', 'Müller & Söhne GmbH', '59,85 €', '15. November 2026', 'DE123456789']) {
    assert.ok(text.replaceAll(/\s+/g, ' ').includes(shown), `${shown} in ${text}`);
  }
});

test('the same invoice always results in the same bytes', async () => {
  const [one, other] = [await renderInvoice(invoice), await renderInvoice(invoice)];
  for (const format of ['pdf', 'xrechnung', 'cii'] as const) {
    assert.ok(Buffer.from(one[format]).equals(Buffer.from(other[format])), format);
  }
});

test('an English company gets an English invoice', async () => {
  const { pdf } = await renderInvoice({ ...invoice, locale: 'en-GB' });
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true });
  assert.match(text, /Invoice TB-000017[\s\S]*Amount due/);
});
