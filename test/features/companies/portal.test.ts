import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { findLogo } from '../../../src/features/companies/logo.ts';
import { composeDocument } from '../../../src/features/documents/pdf/compose.ts';
import { renderDocument } from '../../../src/features/documents/pdf/page.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import { useApp } from '../../support/app.ts';
import { aContent } from '../../support/document-contents.ts';
import { makeCompany } from '../../support/factories.ts';
import { makePng } from '../../support/png.ts';
import { makeUser, type PortalClient, signIn, type TestUser } from '../../support/portal.ts';
import { rowsOf } from '../../support/rows.ts';

describe("a company's settings", () => {
  const app = useApp();
  let company: CompanyId;
  let other: CompanyId;
  let admin: TestUser;
  let client: PortalClient;
  before(async () => {
    company = await makeCompany(app.db, 'Acme');
    other = await makeCompany(app.db, 'Other');
    admin = await makeUser(app, company);
    client = await signIn(app, admin);
  });

  const initial = {
    name: 'Acme',
    locale: 'de-DE',
    timeZone: 'Europe/Berlin',
    planType: 'fully-subsidized-plan',
    contributionCents: 0,
    cutOffDay: 10,
    guardMinimumLinked: 100,
    guardMaximumAbsentPercent: 20,
    retentionDays: 90,
    auditRetentionDays: 730,
    agreementParagraph: null,
    joining: 'roster',
    inviteAutomatically: false,
    payrollSystem: 'csv',
    personnelNumberRule: 'hr-id',
    payrollConsultant: null,
    payrollClient: null,
    wageTypeTaxFree: null,
    wageTypeFlatTax: null,
    wageTypeDeduction: null,
    taxTreatment: 'tax-free',
    benefitValuation: 100,
    legalName: null,
    street: null,
    postCode: null,
    city: null,
    country: null,
    vatId: null,
    invoiceEmail: null,
    buyerReference: null,
  };
  const entries = () =>
    rowsOf(app.db, 'audit_log', { company_id: company, action: 'company.change-setting' }, [
      'actor_type',
      'actor',
      'target',
      'detail',
    ]);

  it('can be read and changed by an admin, and the audit log has each old and new value', async () => {
    assert.deepEqual((await client.get('/settings')).body.data, initial);
    const changed = await client.post('/settings', {
      name: ' Acme AG ',
      locale: 'en-GB',
      cutOffDay: 15,
      retentionDays: 90,
    });
    assert.equal(changed.status, 200, changed.bytes.toString());
    const expected = { ...initial, name: 'Acme AG', locale: 'en-GB', cutOffDay: 15 };
    assert.deepEqual(changed.body.data, expected);
    assert.deepEqual((await client.get('/settings')).body.data, expected);
    const by = { actor_type: 'user', actor: admin.id };
    assert.deepEqual(await entries(), [
      { ...by, target: 'name', detail: { setting: 'name', from: 'Acme', to: 'Acme AG' } },
      { ...by, target: 'locale', detail: { setting: 'locale', from: 'de-DE', to: 'en-GB' } },
      { ...by, target: 'cutOffDay', detail: { setting: 'cutOffDay', from: 10, to: 15 } },
    ]);
    assert.equal((await client.get('/me')).body.data.company.locale, 'en-GB');
  });

  it('of payroll can be set and cleared', async () => {
    const payroll = {
      payrollSystem: 'datev-lodas',
      payrollConsultant: 1234567,
      payrollClient: 12345,
      wageTypeTaxFree: 700,
      wageTypeFlatTax: 701,
      wageTypeDeduction: 9100,
      taxTreatment: 'flat-tax',
      benefitValuation: 96,
    };
    const before = (await client.get('/settings')).body.data;
    assert.deepEqual((await client.post('/settings', payroll)).body.data, { ...before, ...payroll });
    const cleared = await client.post('/settings', { wageTypeFlatTax: null });
    assert.deepEqual(cleared.body.data, { ...before, ...payroll, wageTypeFlatTax: null });
    const changed = (await entries()).slice(-9).map(({ detail }) => detail);
    const initially: Record<string, unknown> = initial;
    assert.deepEqual(changed, [
      ...Object.entries(payroll).map(([setting, to]) => ({ setting, from: initially[setting], to })),
      { setting: 'wageTypeFlatTax', from: 701, to: null },
    ]);
  });

  it('of invoices are stored without spaces, cleared by an empty field, and in the audit log', async () => {
    const address = { street: ' Hauptstr. 1 ', vatId: 'de 123456789', country: 'at', city: 'Wien' };
    const changed = await client.post('/settings', { ...address, buyerReference: '04011000-1234512345-06' });
    assert.equal(changed.status, 200, changed.bytes.toString());
    const { street, vatId, country, buyerReference } = changed.body.data;
    assert.deepEqual([street, vatId, country], ['Hauptstr. 1', 'DE123456789', 'AT']);
    assert.equal(buyerReference, '04011000-1234512345-06');
    const cleared = await client.post('/settings', {
      street: ' ',
      vatId: null,
      country: null,
      city: null,
      buyerReference: null,
    });
    assert.equal(cleared.body.data.street, null);
    assert.deepEqual((await entries()).at(-5)?.detail, { setting: 'street', from: 'Hauptstr. 1', to: null });
  });

  it('of other companies stay unchanged', async () => {
    const theirs = await signIn(app, await makeUser(app, other));
    assert.deepEqual((await theirs.get('/settings')).body.data, { ...initial, name: 'Other' });
  });

  for (const [pointer, value] of [
    ['/timeZone', 'UTC'],
    ['/planType', 'split-pay-plan'],
    ['/auditRetentionDays', 30],
    ['/locale', 'klingon'],
    ['/name', ' '],
    ['/cutOffDay', 0],
    ['/cutOffDay', 1.5],
    ['/guardMinimumLinked', 0],
    ['/guardMaximumAbsentPercent', 101],
    ['/retentionDays', -1],
    ['/contributionCents', '100'],
    ['/payrollSystem', 'sap'],
    ['/wageTypeTaxFree', 0],
    ['/benefitValuation', 95],
    ['/vatId', 'DE12'],
    ['/country', 'Germany'],
    ['/invoiceEmail', 'nobody'],
    ['/buyerReference', '04011000-1234512345-60'],
  ] as const) {
    it(`refuse ${pointer} ${JSON.stringify(value)}`, async () => {
      const before = (await client.get('/settings')).body.data;
      const count = (await entries()).length;
      const response = await client.post('/settings', { retentionDays: 30, [pointer.slice(1)]: value });
      assert.equal(response.status, 400);
      assert.equal(response.body.errors[0].pointer, pointer);
      assert.deepEqual((await client.get('/settings')).body.data, before);
      assert.equal((await entries()).length, count);
    });
  }

  it('include a logo, which must be a PNG that letters can show', async () => {
    assert.equal((await client.get('/settings/logo')).body.data.content, null);
    const save = (png: Buffer) => client.post('/settings/logo', { content: png.toString('base64') });
    const good = makePng();
    assert.equal((await save(good)).status, 200);
    assert.equal((await client.get('/settings/logo')).body.data.content, good.toString('base64'));
    assert.deepEqual(await findLogo(app.db, other), null);
    const [entry] = (await entries()).filter(({ target }) => target === 'logo');
    assert.match(JSON.stringify(entry?.detail), /"PNG [0-9a-f]{12}"/);
    const wrong = {
      'no picture': Buffer.from('%PDF-1.7'),
      'cut off': good.subarray(0, -20),
      'too wide': makePng({ width: 2_001, height: 1 }),
      'without pixels': makePng({ width: 0, height: 0 }),
      interlaced: makePng({ interlace: 1 }),
      'of 16 bits': makePng({ depth: 16 }),
      'without a palette': makePng({ colourType: 3 }),
      'with too few rows': makePng({ rows: Buffer.alloc(481) }),
      'larger than it says': makePng({ rows: Buffer.alloc(50_000_000) }),
      'with an unknown filter': makePng({ rows: Buffer.alloc(40 * 481, 7) }),
    };
    for (const [name, png] of Object.entries(wrong)) {
      const { status, body } = await save(png);
      assert.equal(status, 415, name);
      assert.match(body.detail, /^The file is not a PNG picture that letters can show\. Save it as PNG/, name);
    }
    assert.equal((await client.get('/settings/logo')).body.data.content, good.toString('base64'));
    assert.equal((await client.post('/settings/logo', { content: null })).status, 200);
    assert.equal(await findLogo(app.db, company), null);
  });

  it('put the logo on letters', async () => {
    const content = aContent('subscription-confirmation');
    const render = (logo: Uint8Array | null) => renderDocument(composeDocument({ ...content, logo }));
    const [plain, withLogo] = [await render(null), await render(new Uint8Array(makePng()))];
    assert.doesNotMatch(plain.toString('latin1'), /\/Subtype \/Image/);
    assert.match(withLogo.toString('latin1'), /\/Subtype \/Image/);
  });
});
