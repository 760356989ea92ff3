import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { behavesLikeEveryList, idsOf } from '../../support/api/every-list.ts';
import { isFoundByItsId } from '../../support/api/every-record.ts';
import { assertInvalid } from '../../support/api/problems.ts';
import { type Credentials, useApp } from '../../support/app.ts';
import { makeCompany, makeKey, makePayrollExport } from '../../support/factories.ts';
import { before } from '../../support/prepare.ts';

const app = useApp();
let companyId: CompanyId;
let key: Credentials;
let otherKey: Credentials;
let ids: number[];
let foreignId: number;
before(async () => {
  companyId = await makeCompany(app.db);
  key = await makeKey(app.db, companyId, ['view-billing']);
  otherKey = await makeKey(app.db, await makeCompany(app.db), ['view-billing']);
  ids = [];
  for (let month = 1; month <= 12; month++) {
    const period = `2026-${String(((month * 5) % 12) + 1).padStart(2, '0')}-01`;
    ids.push(await makePayrollExport(app.db, companyId, { number: month, period }));
  }
  foreignId = await makePayrollExport(app.db, await makeCompany(app.db));
});

describe('GET /billing/payroll-exports', () => {
  behavesLikeEveryList(() => ({ app, key, path: '/billing/payroll-exports', ids, otherKey }));

  it('sorts and filters by period', async () => {
    const list = async (query: string) => (await app.request(`/billing/payroll-exports?${query}`, { key })).body.data;
    const periods = (await list('sortField=period&perPage=100')).data.map(({ period }: { period: string }) => period);
    assert.deepEqual(periods, periods.toSorted());
    assert.deepEqual(new Set(periods).size, 12);
    const one = await list('period=2026-06-01');
    assert.deepEqual([one.total, one.data[0].period, one.data[0].number], [1, '2026-06-01', 1]);
    const byTime = await app.request('/billing/payroll-exports?sortField=exportedAt&sortOrder=desc&perPage=3', { key });
    assert.deepEqual(idsOf(byTime), ids.toReversed().slice(0, 3));
    assertInvalid(await app.request('/billing/payroll-exports?period=2026-06-02', { key }), { period: 'format' });
  });
});

describe('GET /billing/payroll-exports/{id}', () => {
  isFoundByItsId(() => ({
    app,
    key,
    id: ids[0] ?? 0,
    foreignId,
    pathOf: (id) => `/billing/payroll-exports/${id}`,
  }));

  it('returns all fields', async () => {
    const content = Buffer.from('7;01/11/2026;;700;;;57,46;;;;\r\n');
    const id = await makePayrollExport(app.db, companyId, {
      ...{ number: 77, content, tax_free_cents: 5746, deduction_cents: 2000, exported_by: 'Petra Lohn' },
    });
    const self = `http://localhost:3000/v1/billing/payroll-exports/${id}`;
    const { body } = await app.request(`/billing/payroll-exports/${id}`, { key });
    assert.deepEqual(body.data, {
      id,
      number: 77,
      period: '2026-11-01',
      system: 'datev-lug',
      lines: 1,
      employees: 1,
      taxFree: { label: '57,46\u00a0€', value: 5746 },
      flatTax: { label: '0,00\u00a0€', value: 0 },
      deduction: { label: '20,00\u00a0€', value: 2000 },
      fileName: 'lug-2026-11-77.txt',
      sizeBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      exportedAt: body.data.exportedAt,
      exportedBy: 'Petra Lohn',
      voided: null,
      handedOver: null,
      resource: 'payroll-export',
      _links: {
        self: { href: self, type: 'application/json' },
        download: { href: `${self}/download`, type: 'text/plain' },
      },
    });
    await app.db.deleteFrom('payroll_files').where('company_id', '=', companyId).where('id', '=', id).execute();
  });
});

describe('GET /billing/payroll-exports/{id}/download', () => {
  isFoundByItsId(() => ({
    app,
    key,
    id: ids[0] ?? 0,
    foreignId,
    pathOf: (id) => `/billing/payroll-exports/${id}/download`,
  }));

  it('sends the file byte for byte, and 304 if the client has it', async () => {
    const path = `/billing/payroll-exports/${ids[0]}/download`;
    const { status, headers, bytes } = await app.request(path, { key });
    assert.equal(status, 200);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    assert.equal(headers.get('etag'), `"${sha256}"`);
    assert.equal((await app.request(`/billing/payroll-exports/${ids[0]}`, { key })).body.data.sha256, sha256);
    assert.equal(headers.get('content-length'), String(bytes.length));
    assert.equal(headers.get('content-type'), 'text/plain; charset=windows-1252');
    assert.equal(headers.get('content-disposition'), 'attachment; filename=lug-2026-06-1.txt');
    const again = await app.request(path, { key, headers: { 'if-none-match': `"${sha256}"` } });
    assert.deepEqual([again.status, again.bytes.length], [304, 0]);
  });
});
