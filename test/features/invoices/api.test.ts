import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeKey } from '../../support/factories.ts';
import { makeInvoice } from '../../support/invoicing.ts';
import { pluck } from '../../support/pluck.ts';

describe('invoices in the API', () => {
  const app = useApp();
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
      assert.match(String(headers.get('content-disposition')), new RegExp(`^attachment; filename="?TB-\\d+\\.${name}`));
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
