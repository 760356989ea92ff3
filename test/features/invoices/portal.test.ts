import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testClock, useApp } from '../../support/app.ts';
import { makeCompany } from '../../support/factories.ts';
import { makeInvoice, setBuyer, setSeller } from '../../support/invoicing.ts';
import { pluck } from '../../support/pluck.ts';
import { makeUser, signIn } from '../../support/portal.ts';

describe('the invoices in the portal', () => {
  const app = useApp();

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
