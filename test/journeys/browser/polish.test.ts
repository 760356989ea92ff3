import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { basic } from '../../support/app.ts';
import { nextMonth, usePage } from '../../support/browser/fixture.ts';
import { assertUsableByAll } from '../../support/browser/inspect.ts';
import { settled, signIn } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { makeEmployee, makeKey } from '../../support/factories.ts';
import { until } from '../../support/until.ts';

const longDate = (day: Temporal.PlainDate) => day.toLocaleString('en-GB', { dateStyle: 'long' });

describe('moving around in the portal', { skip: noBrowser }, () => {
  const { fixture, context, record, page, actions } = usePage({ as: 'admin' });

  const focused = () =>
    page.evaluate<string>("document.activeElement?.tagName + ' ' + document.activeElement?.textContent");

  it('moves the focus to the heading of a page that was opened by a link, but not by a filter', async () => {
    await actions.goTo('Employees');
    // Screen readers announce the title of the page and the heading that has the focus.
    await until('the heading has the focus', async () => (await focused()) === 'H1 Employees');
    assert.match(await page.title(), /^Employees · /);
    const search = page.getByRole('main').getByLabel('Search').last();
    await search.fill('otto');
    await page.waitForURL(/search=otto/);
    assert.match(await focused(), /^INPUT/);
  });

  it('closes the menu on a phone with Esc', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await actions.button('Open navigation').click();
    const link = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Overview' });
    await link.waitFor();
    await page.keyboard.press('Escape');
    await actions.button('Open navigation').waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('leads from the sign-in page to the requested page when the visitor is signed in', async () => {
    await page.goto(`${fixture.origin}/sign-in?next=%2Femployees`);
    await actions.heading('Employees').waitFor();
  });

  it('keeps what was entered when the session ends, and continues after signing in in another tab', async () => {
    await page.goto(`${fixture.origin}/settings`);
    await settled(page);
    const share = page.getByLabel('Employee share in euros');
    await share.fill('22.50');
    await context.clearCookies();
    await actions.button('Save changes').click();
    const dialog = actions.dialog('Your session has ended');
    await dialog.waitFor();
    const href = await dialog.getByRole('link', { name: 'Sign in in a new tab' }).getAttribute('href');
    assert.equal(href, '/sign-in?next=%2Fsettings', 'leads back to this page');
    const other = await context.newPage();
    await signIn(other, fixture.origin, fixture.users.admin);
    await other.close();
    await page.bringToFront();
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await share.inputValue(), '22.50');
    await actions.button('Save changes').click();
    await page.getByText('The settings have been saved.').waitFor();
  });

  it('names wrong settings where they are saved, leads to them, and discards changes', async () => {
    await page.goto(`${fixture.origin}/settings`);
    await settled(page);
    const bar = page.getByRole('region', { name: 'Save changes' });
    await bar.getByText('Nothing changed.').waitFor();
    const vatId = page.getByLabel('VAT ID');
    await vatId.fill('DE12');
    await bar.getByText('One change is not saved yet.').waitFor();
    await actions.button('Save changes').click();
    await bar.getByRole('button', { name: 'VAT ID' }).click();
    record.expectRefusal(400);
    assert.equal(await page.locator(':focus').getAttribute('data-setting'), 'vatId');
    assert.equal(await vatId.getAttribute('aria-invalid'), 'true');
    await actions.button('Discard').click();
    await bar.getByText('Nothing changed.').waitFor();
    assert.equal(await vatId.inputValue(), '');
  });

  it('keeps what was typed into a number, says what is wrong with it, and saves nothing', async () => {
    await page.goto(`${fixture.origin}/settings`);
    await settled(page);
    const consultant = page.getByLabel('Tax adviser number');
    const save = actions.button('Save changes');
    for (const typed of ['12345678', '12a', '0123', '1.5']) {
      await consultant.fill(typed);
      await consultant.blur();
      assert.equal(await consultant.inputValue(), typed);
      await page.getByText('Enter a whole number from 1 to 9999999').waitFor();
      assert.equal(await save.isDisabled(), true);
    }
    await page.getByLabel('Employee share in euros').fill('2000,5');
    await page.getByText('Enter an amount from €0.00 to €1,000.00').waitFor();
    await page.getByLabel('Employee share in euros').fill('22,5');
    await consultant.fill('1234567');
    await save.click();
    await page.getByText('The settings have been saved.').waitFor();
    assert.equal(await consultant.inputValue(), '1234567');
  });

  it('says that an action failed, also one without a dialog of its own', async () => {
    await page.goto(`${fixture.origin}/employees`);
    await settled(page);
    await page.route('**/portal/api/auth/sign-out', (route) =>
      route.fulfill({ status: 500, json: { code: 'internal-error' } }),
    );
    await page.getByRole('button', { name: /^Account: / }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Something went wrong' }).waitFor();
    await page.unroute('**/portal/api/auth/sign-out');
    record.expectRefusal(500);
  });

  it('says that the browser is offline, and loads the page when the connection is back', async () => {
    await page.goto(fixture.origin);
    await settled(page);
    await context.setOffline(true);
    await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Time travel' }).click();
    await page.getByText('You are offline. The page reloads as soon as the connection is back.').waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await assertUsableByAll(page, `a page that could not be loaded, ${colorScheme}`);
    }
    await context.setOffline(false);
    await actions.heading('Time travel').waitFor();
    record.expectErrors('ERR_INTERNET_DISCONNECTED', 'Failed to fetch');
  });

  it('counts the steps of getting started', async () => {
    const { db, companyId, origin } = fixture;
    const open = async (done: number) => {
      await page.goto(`${origin}/getting-started`);
      await page.getByText(`${done} of 3 completed`).waitFor();
    };
    await open(0);
    await page.getByText('From the API key to the first roster sync in three steps.').waitFor();
    assert.equal(await page.getByRole('main').locator('ol > li').count(), 3);
    const key = await makeKey(db, companyId, ['view-employees']);
    await open(1);
    await fetch(`${origin}/v1/me`, { headers: { authorization: basic(key) } });
    await open(2);
  });

  describe('an employee with a ticket', () => {
    let path: string;
    before(async () => {
      const lastMonth = nextMonth.subtract({ months: 2 }).toString();
      const id = await makeEmployee(fixture.db, fixture.companyId, {
        subscription_status: 'active',
        start_on: lastMonth,
        next_ticket_on: nextMonth.toString(),
        due_on: nextMonth.toString(),
        auto_subscribe: true,
      });
      path = `/employees/${id}`;
    });

    /** Opens what a pause would do, and returns what it says about the next ticket. */
    const previewPause = async (cutOffDay: number) => {
      const response = await context.request.post(`${fixture.origin}/portal/api/settings`, {
        headers: { origin: fixture.origin },
        data: { cutOffDay },
      });
      assert.equal(response.ok(), true, await response.text());
      await page.goto(`${fixture.origin}${path}`);
      await actions.button('Actions').click();
      await page.getByRole('menuitem', { name: 'Pause' }).click();
      const effect = actions.dialog().getByRole('region', { name: 'Effect' });
      return effect.innerText();
    };

    it('gets none after a pause from next month on, and a last one before a later pause', async () => {
      const fromNextMonth = await previewPause(10);
      assert.match(fromNextMonth, new RegExp(`Takes effect on ${longDate(nextMonth)}`));
      assert.match(fromNextMonth, /No ticket scheduled after this change\./);
      const later = await previewPause(3);
      assert.match(later, new RegExp(`Takes effect on ${longDate(nextMonth.add({ months: 1 }))}`));
      assert.match(later, new RegExp(`Last ticket before this change: ${longDate(nextMonth)}`));
    });
  });

  it('shows the whole answer about an employee on the first screen of a phone, then money, agreement, documents, history', async () => {
    const { db, companyId, origin } = fixture;
    const id = await makeEmployee(db, companyId, {
      first_name: 'Alexandra-Christina',
      last_name: 'von Mustermann-Beispielhausen',
      subscription_status: 'scheduled',
      plan_type: 'split-pay-plan',
      contribution_cents: 2000,
      contract_status: 'pending',
      start_on: nextMonth.toString(),
      due_on: nextMonth.toString(),
      cancelled_on: nextMonth.add({ months: 9 }).toString(),
      cancel_causes: ['termination'],
      terminated_on: nextMonth.add({ months: 9 }).subtract({ days: 12 }).toString(),
      auto_subscribe: true,
    });
    const speak = (language: string) =>
      context.request.post(`${origin}/portal/api/me/language`, { headers: { origin }, data: { language } });
    await page.setViewportSize({ width: 390, height: 844 });
    await speak('de');
    await page.goto(`${origin}/employees/${id}`);
    await settled(page);
    const answer = page.getByRole('region', { name: 'Auf einen Blick' });
    await answer.getByRole('button', { name: 'Link zum Unterschreiben senden' }).waitFor();
    const box = await answer.boundingBox();
    assert.ok(box && box.y + box.height <= 844, JSON.stringify(box));
    await assertUsableByAll(page, 'the answer about an employee');
    const headings = await page.getByRole('main').getByRole('heading', { level: 2 }).allInnerTexts();
    assert.deepEqual(headings.slice(0, 4), ['Kosten', 'Vereinbarung', 'Dokumente', 'Verlauf']);
    await speak('en');
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});
