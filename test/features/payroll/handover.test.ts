import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import readSheet from 'read-excel-file/node';
import { extractText, getDocumentProxy } from 'unpdf';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { useApp } from '../../support/app.ts';
import { aTicketCharge, makeBillingItems, makeCompany, makeEmployee } from '../../support/factories.ts';
import { makeUser, type PortalClient, signIn } from '../../support/portal.ts';
import { before } from '../../support/prepare.ts';

const period = '2026-01-01';

const lodas = {
  payroll_system: 'datev-lodas',
  payroll_consultant: 1234567,
  payroll_client: 12345,
  wage_type_tax_free: 700,
  wage_type_deduction: 9100,
  legal_name: 'Muster GmbH',
} as const;

const auditsOf = async (client: PortalClient, action: string) => {
  const { body } = await client.get(`/activity?action=${action}`);
  return body.data.data.map((entry: { detail: object }) => entry.detail);
};

describe('payroll files', () => {
  const app = useApp();
  let companyId: CompanyId;
  let petra: PortalClient;
  let paul: PortalClient;
  let admin: PortalClient;
  let id: number;
  const exportMonth = async () => {
    const made = await petra.post(`/payroll/${period}`);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    return made.body.data.id as number;
  };
  before(async () => {
    companyId = await makeCompany(app.db);
    await app.db.updateTable('companies').set(lodas).where('id', '=', companyId).execute();
    petra = await signIn(app, await makeUser(app, companyId, 'payroll', { name: 'Petra Lohn' }));
    paul = await signIn(app, await makeUser(app, companyId, 'payroll', { name: 'Paul Lohn' }));
    admin = await signIn(app, await makeUser(app, companyId, 'admin'));
    const eva = await makeEmployee(app.db, companyId, { first_name: 'Eva', last_name: 'Zwei' });
    const mallory = await makeEmployee(app.db, companyId, { first_name: '1', last_name: '=SUM(A1)' });
    const gone = await makeEmployee(app.db, companyId, { last_name: 'Removed', removed_at: '2026-01-02T00:00:00Z' });
    const shares = { company_share_cents: 3985, employee_share_cents: 2000, plan_type: 'split-pay-plan' } as const;
    await makeBillingItems(app.db, companyId, [
      aTicketCharge(mallory, { period, hr_id: '10' }),
      aTicketCharge(eva, { period, hr_id: '9', ...shares }),
      aTicketCharge(gone, { period, hr_id: '11' }),
    ]);
    id = await exportMonth();
  });

  it('have a cover sheet with names and sums, as PDF', async () => {
    const { status, headers, bytes } = await petra.get(`/payroll/exports/${id}/cover-sheet?format=pdf`);
    assert.equal(status, 200);
    assert.match(headers.get('content-disposition') ?? '', /filename=begleitblatt-2026-01-1\.pdf/);
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    for (const part of ['Muster GmbH', 'Januar 2026', 'DATEV LODAS', 'lodas-2026-01-1.txt', 'Zwei, Eva']) {
      assert.ok(text.includes(part), `${part} is missing in ${text}`);
    }
    assert.match(text, /9\s+Zwei, Eva\s+39,85\s€\s+20,00\s€/);
    assert.match(text, /11\s+Nicht mehr gespeichert\s+59,85\s€\s+0,00\s€/);
    assert.match(text, /Summe\s+159,55\s€\s+20,00\s€/);
    assert.ok(!text.includes('Removed'));
  });

  it('have a cover sheet as workbook, in which no name is a formula', async () => {
    const { status, bytes } = await petra.get(`/payroll/exports/${id}/cover-sheet?format=xlsx`);
    assert.equal(status, 200);
    const [sheet] = await readSheet(bytes);
    assert.equal(sheet?.sheet, 'Januar 2026');
    const head = sheet?.data.findIndex(([first]) => first === 'Personalnr.') ?? -1;
    assert.deepEqual(sheet?.data.slice(head), [
      ['Personalnr.', 'Name', 'Steuerfrei', 'Eigenanteil'],
      ['9', 'Zwei, Eva', 39.85, 20],
      ['10', '=SUM(A1), 1', 59.85, 0],
      ['11', 'Nicht mehr gespeichert', 59.85, 0],
      ['Summe', null, 159.55, 20],
    ]);
    assert.deepEqual(await auditsOf(admin, 'payroll.cover-sheet'), [
      { number: 1, format: 'xlsx' },
      { number: 1, format: 'pdf' },
    ]);
  });

  it('show the cover sheet only to those who may export, of their own company', async () => {
    const otherCompany = await makeCompany(app.db);
    const other = await signIn(app, await makeUser(app, otherCompany, 'admin'));
    const hr = await signIn(app, await makeUser(app, companyId, 'hr'));
    for (const [client, status] of [[other, 404] as const, [hr, 403] as const]) {
      assert.equal((await client.get(`/payroll/exports/${id}/cover-sheet`)).status, status);
      assert.equal((await client.post(`/payroll/exports/${id}/handover`)).status, status);
      const withdrawn = await client.post(`/payroll/exports/${id}/handover/withdraw`, { reason: 'None' });
      assert.equal(withdrawn.status, status);
    }
  });

  it('are handed over once, by the first user, also at the same time', async () => {
    const responses = await Promise.all(
      [petra, paul, petra, paul].map((client) => client.post(`/payroll/exports/${id}/handover`)),
    );
    const records = responses.map(({ body }) => body.data.handedOver);
    assert.match(records[0].by, /^(Petra|Paul) Lohn$/);
    assert.deepEqual(records, Array(4).fill(records[0]));
    assert.deepEqual((await paul.post(`/payroll/exports/${id}/handover`)).body.data.handedOver, records[0]);
    assert.deepEqual(await auditsOf(admin, 'payroll.hand-over'), [{ number: 1, period }]);
    const { bytes } = await petra.get(`/payroll/exports/${id}/cover-sheet`);
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true });
    assert.ok(text.includes(`von ${records[0].by}`));
  });

  it('that were handed over are voided only after that is withdrawn, and then replaced', async () => {
    const reason = 'Wrong file';
    const refused = await admin.post(`/payroll/exports/${id}/void`, { reason });
    assert.deepEqual([refused.status, refused.body.code], [409, 'payroll-not-voidable']);
    const withdraw = () => petra.post(`/payroll/exports/${id}/handover/withdraw`, { reason });
    assert.equal((await withdraw()).body.data.handedOver, null);
    assert.equal((await withdraw()).body.data.handedOver, null);
    assert.deepEqual(await auditsOf(admin, 'payroll.withdraw-handover'), [{ number: 1, period, reason }]);
    assert.equal((await admin.post(`/payroll/exports/${id}/void`, { reason })).status, 200);
    for (const response of [
      await petra.post(`/payroll/exports/${id}/handover`),
      await petra.get(`/payroll/exports/${id}/cover-sheet`),
    ]) {
      assert.deepEqual([response.status, response.body.code], [409, 'payroll-export-voided']);
    }
    const replaced = await exportMonth();
    const { handedOver, number } = (await paul.post(`/payroll/exports/${replaced}/handover`)).body.data;
    assert.deepEqual([handedOver.by, number], ['Paul Lohn', 2]);
  });
});
