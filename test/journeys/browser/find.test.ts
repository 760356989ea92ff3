import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { basic, type Credentials } from '../../support/app.ts';
import { usePage } from '../../support/browser/fixture.ts';
import { assertUsableByAll, inspect } from '../../support/browser/inspect.ts';
import { settled } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { anEmployee, makeEmployees, makeKey } from '../../support/factories.ts';
import { until } from '../../support/until.ts';

/** Each test continues where the previous one ended. */
describe('finding in a browser', { skip: noBrowser }, () => {
  let key: Credentials;
  const { fixture, page, actions } = usePage({
    as: 'admin',
    async first({ db, companyId, linkOtto }) {
      const names = Array.from({ length: 60 }, (_, index) => `Muster${String(index).padStart(2, '0')}`);
      const all = names.map((last_name) => anEmployee({ first_name: 'Berta', last_name }));
      await makeEmployees(db, companyId, all);
      await linkOtto('HR-4711');
      key = await makeKey(db, companyId, ['view-employees']);
    },
  });

  const search = () => page.getByRole('combobox', { name: 'Search the portal' });
  const call = (path: string) =>
    fetch(`${fixture.origin}/v1${path}`, { headers: { authorization: basic(key) } }).then(({ headers }) =>
      headers.get('x-request-id'),
    );

  /** Keeps the search from loading until the promise that it returns is resolved. */
  const delaySearch = async () => {
    const typed = Promise.withResolvers<void>();
    await page.unroute(/assets\/Palette/);
    await page.route(/assets\/Palette/, async (route) => {
      await typed.promise;
      await route.continue();
    });
    return typed;
  };

  it('opens an employee whose HR id was typed and entered before the search was loaded', async () => {
    const typed = await delaySearch();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('hr-4711');
    await page.keyboard.press('Enter');
    typed.resolve();
    await actions.heading('Otto Ohne').waitFor();
    await search().waitFor({ state: 'detached' });
  });

  it('opens an employee by their HR id, with the keyboard only, and loses no letter while it loads', async () => {
    await page.goto(`${fixture.origin}/`);
    await settled(page);
    const typed = await delaySearch();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('hr-');
    typed.resolve();
    await search().waitFor();
    await page.keyboard.type('4711');
    assert.equal(await search().inputValue(), 'hr-4711');
    const option = page.getByRole('option', { name: /Otto Ohne/ });
    await option.waitFor();
    assert.equal(await option.getAttribute('aria-selected'), 'true');
    await assertUsableByAll(page, 'the results of the palette');
    await page.keyboard.press('Enter');
    await actions.heading('Otto Ohne').waitFor();
  });

  it('opens what it finds for the whole text if Enter is pressed while it looks', async () => {
    await page.keyboard.press('Control+k');
    await search().fill('muster0');
    await page.getByRole('option', { name: /Berta Muster00/ }).waitFor();
    await page.keyboard.type('7');
    await page.keyboard.press('Enter');
    await actions.heading('Berta Muster07').waitFor();
    await page.goBack();
    await actions.heading('Otto Ohne').waitFor();
  });

  it('opens pages and keys, and says if it finds nothing', async () => {
    await page.keyboard.press('/');
    await search().fill('no such thing');
    await page.getByText('Nothing found for “no such thing”.').first().waitFor();
    await search().fill('test key');
    await page.getByRole('option', { name: /^Test key/ }).click();
    await actions.heading('Test key').waitFor();
    await actions.button('Search').click();
    await search().fill('activ');
    await page.getByRole('option', { name: 'Activity' }).click();
    await actions.heading('Activity').waitFor();
  });

  it('sorts employees, keeps the head of the table in view, and begins each page at its top', async () => {
    await actions.goTo('Employees');
    await page.getByRole('row').nth(1).getByText('Berta Muster00').waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'Sort by Name' }).getAttribute('aria-sort'), 'ascending');
    await actions.button('Sort by Name').click();
    await page.getByRole('row').nth(1).getByText('Otto Ohne').waitFor();
    const next = actions.button('Next page');
    await next.scrollIntoViewIfNeeded();
    const head = await page.getByRole('columnheader', { name: 'Plan' }).boundingBox();
    assert(head !== null && head.y >= 0 && head.y < 120, `the head is at ${head?.y}`);
    await next.click();
    await page.getByText('26–50 of 61').waitFor();
    await until('the page begins at its top', () => page.evaluate<boolean>('window.scrollY === 0'), 30_000);
    await inspect(page, 'the sorted employees');
  });

  it('saves a view with its filters and columns, and offers to clear the filters of an empty list', async () => {
    await actions.button('Columns').click();
    await page.getByRole('checkbox', { name: 'Plan' }).uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Search' }).fill('muster0');
    await page.getByText('1–10 of 10').waitFor();
    await actions.button('Saved views').click();
    await page.getByLabel('Name of this view').fill('Nulls');
    await assertUsableByAll(page, 'the form of a view');
    await actions.button('Save view').click();
    await page.getByRole('searchbox', { name: 'Search' }).fill('nobody at all');
    await actions.button('Clear filters').click();
    await page.getByText('1–25 of 61').waitFor();
    await page.goto(`${fixture.origin}/employees`);
    await actions.button('Saved views').click();
    await actions.button('Open view “Nulls”').click();
    await page.getByText('1–10 of 10').waitFor();
    assert.equal(await page.getByRole('columnheader', { name: 'Plan' }).count(), 0);
  });

  it('lists the requests of a key, with filters and a link to each', async () => {
    await call('/employees?search=berta');
    const refused = await call('/billing/items');
    await page.goto(`${fixture.origin}/requests?requestId=${refused}`);
    await settled(page);
    await page.getByText('GET /v1/billing/items').waitFor();
    await page.getByRole('link', { name: 'missing-permission' }).waitFor();
    await page.getByText('1 request shown').waitFor();
    await actions.button('Clear filters').first().click();
    await page.getByText('GET /v1/employees?search=…').waitFor();
    await inspect(page, 'the request log');
    await page.getByRole('link', { name: 'Test key' }).first().click();
    await actions.heading('Test key').waitFor();
    await page.getByText('2 requests, 1 refused (4xx), 0 failed (5xx)').waitFor();
    await inspect(page, 'the page of a key');
  });

  it('changes the name and the permissions of a key', async () => {
    const { dialog } = actions;
    await actions.button('Edit').click();
    await dialog().getByLabel('Name').fill('Payroll export');
    await dialog().getByLabel('Read billing').check();
    await assertUsableByAll(page, 'the form of a key');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await actions.heading('Payroll export').waitFor();
  });
});
