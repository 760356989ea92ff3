import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { basic } from '../../support/app.ts';
import { nextMonth, openFixture } from '../../support/browser/fixture.ts';
import { assertUsableByAll, inspect } from '../../support/browser/inspect.ts';
import { type PageActions, pageActionsOn } from '../../support/browser/page-actions.ts';
import { branchRoster, changedRoster, firstRoster } from '../../support/browser/rosters.ts';
import { settled, signIn } from '../../support/browser/visit.ts';
import type { Record } from '../../support/browser/watch.ts';
import { noBrowser } from '../../support/browser.ts';
import { useResource } from '../../support/prepare.ts';
import { lastFailedCheck, until } from '../../support/until.ts';

const monthName = nextMonth.toLocaleString('en-GB', { month: 'long', year: 'numeric' });
const longDate = (day: Temporal.PlainDate) => day.toLocaleString('en-GB', { dateStyle: 'long' });

/** Covers one company from its first key to its first ticket. Each test continues where the previous one ended. */
describe('the portal in a browser', { skip: noBrowser }, () => {
  const fixture = useResource(openFixture);
  let record: Record;
  let context: BrowserContext;
  let page: Page;
  let actions: PageActions;

  const open = async () => {
    ({ context, record } = await fixture.open());
    page = await context.newPage();
    actions = pageActionsOn(page);
  };
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();

  describe('from signing in to signing out', () => {
    before(open);
    afterEach(() => record.assertClean());
    after(() => context?.close());

    it('asks visitors to sign in, then opens the page they requested', async () => {
      await page.goto(`${fixture.origin}/employees?search=otto`);
      await page.getByLabel('Email').fill(fixture.users.admin.email);
      await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
      await actions.button('Sign in').click();
      await see('Incorrect email or password.');
      await inspect(page, 'sign-in');
      await signIn(page, fixture.origin, fixture.users.admin, '/employees?search=otto');
      await page.getByRole('link', { name: 'Otto Ohne' }).waitFor();
      await see('1–1 of 1');
    });

    it('creates a key that works until it is revoked', async () => {
      const { dialog, button } = actions;
      await actions.goTo('API keys');
      await button('Create key').first().click();
      await dialog().getByLabel('Name').fill('Nightly push');
      await dialog().getByRole('button', { name: 'HR sync' }).click();
      await assertUsableByAll(page, 'the form of a new key');
      await dialog().getByRole('button', { name: 'Create key' }).click();
      await dialog('Copy the password now').waitFor();
      const username = await dialog().getByLabel('Username').inputValue();
      const password = await dialog().getByLabel('Password').inputValue();
      assert.ok((await dialog().locator('pre').innerText()).startsWith(`curl -u '${username}:${password}'`));
      await dialog().getByRole('button', { name: 'I have copied it' }).click();
      const headers = { authorization: basic({ username, password }) };
      const call = async () => (await fetch(`${fixture.origin}/v1/employees`, { headers })).status;
      assert.equal(await call(), 200);
      await page.reload();
      const row = page.getByRole('row', { name: /Nightly push/ });
      await row.getByText(/second|now/).waitFor();

      await button('Actions for Nightly push').click();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
      await dialog('Revoke “Nightly push”?').waitFor();
      await assertUsableByAll(page, 'the confirmation before a key is revoked');
      await dialog().getByRole('button', { name: 'Revoke key' }).click();
      await see('“Nightly push” has been revoked.');
      const revoked = Date.now();
      const lastAccepted = await lastFailedCheck('the key is refused', async () => (await call()) === 401);
      assert.ok(lastAccepted < revoked + 1_000, 'a request one second later is refused');
      await row.getByText('Revoked').waitFor();
    });

    it('creates an integration and shows the next steps', async () => {
      const { dialog } = actions;
      await actions.createIntegration('Headquarters');
      const id = await dialog().getByLabel('Integration ID').inputValue();
      assert.ok((await dialog().locator('pre').innerText()).includes(`/v1/hr-integrations/${id}/sync`));
      await assertUsableByAll(page, 'the steps after a new integration');
      await dialog().getByRole('link', { name: 'Open integration' }).click();
      await actions.heading('Headquarters').waitFor();
      await see('Ready for the first roster.');
    });

    it('previews an uploaded roster, applies it and shows its progress', async () => {
      await actions.previewRoster(firstRoster);
      assert.match(await actions.counts(), /Created 3/);
      // Two tickets of 59.85 with 1.50 each, and three links of 1.00, both with 19 % VAT.
      await see('2 subscriptions will start, +€123.27 per month');
      await see('2 of them start only after the employees have accepted the contract.');
      await inspect(page, 'the preview of a roster');
      await actions.applyRoster('Succeeded');
      await see('2 subscriptions started, +€123.27 per month');
      assert.match(await actions.counts(), /Created 3 Updated 0/);
    });

    it('shows what the next roster changed, with old and new values, and why', async () => {
      await page.getByRole('link', { name: 'Headquarters' }).click();
      await actions.heading('Headquarters').waitFor();
      await actions.previewRoster(changedRoster);
      assert.match(await actions.counts(), /Updated 2 Unchanged 0 Offboarded 1/);
      await see('1 subscription will start, 1 will end, same costs per month');
      await actions.applyRoster('Succeeded');
      await see('1 subscription started, 1 ended, same costs per month');
      const recordOf = (hrId: string) => page.getByRole('listitem').filter({ hasText: hrId });
      assert.match(await recordOf('E-1').innerText(), /Last name: .*Müller.*→.*Meyer.*Changed in the roster/s);
      assert.match(await recordOf('E-2').innerText(), /Missing from the roster\. Removed immediately/);
      await recordOf('E-1').getByRole('link', { name: 'Anna Meyer' }).click();
      await actions.heading('Anna Meyer').waitFor();
    });

    it('records that a contract is accepted, after showing the effect', async () => {
      const { dialog } = actions;
      await see(`Anna Meyer gets the ticket once the contract is signed, from ${longDate(nextMonth)} at the earliest.`);
      await actions.button('Actions').click();
      await assertUsableByAll(page, 'the menu of decisions');
      await page.getByRole('menuitem', { name: 'Record contract acceptance' }).click();
      await dialog()
        .getByText(`Next ticket after this change: ${longDate(nextMonth)}`)
        .waitFor();
      await dialog().getByText('1 subscription will start, +€61.64 per month').waitFor();
      await dialog().getByRole('button', { name: 'Record acceptance' }).click();
      await see('The acceptance by Anna Meyer has been recorded.');
      await see(`Anna Meyer gets the ticket from ${longDate(nextMonth)}.`);
    });

    it('requires the number of removals to approve them', async () => {
      const { dialog } = actions;
      await actions.createIntegration('Branch');
      await dialog().getByRole('link', { name: 'Open integration' }).click();
      await actions.heading('Branch').waitFor();
      await actions.previewRoster(branchRoster(120));
      await actions.applyRoster('Succeeded');
      await page.getByRole('link', { name: 'Branch', exact: true }).click();
      await actions.heading('Branch').waitFor();
      await actions.previewRoster(branchRoster(60));
      await see('60 employees are missing from the roster, which may be a mistake.');
      await actions.applyRoster('Waiting for approval');
      await actions.heading('60 removals require approval', 2).waitFor();

      await actions.button('Offboard …').click();
      const confirm = dialog().getByRole('button', { name: 'Offboard' });
      await dialog().getByText('No subscription will change, same costs per month').waitFor();
      for (const [number, isRight] of [
        ['', false],
        ['120', false],
        ['60', true],
      ] as const) {
        await dialog().getByLabel('Type 60 to confirm').fill(number);
        assert.equal(await confirm.isEnabled(), isRight, `"${number}" is typed`);
      }
      await assertUsableByAll(page, 'the confirmation before employees are offboarded');
      await confirm.click();
      await see('60 employees are being offboarded.');
      await see('Removals: Approved');
      await actions.goTo('Employees');
      await see('1–25 of 63');
    });

    it('advances the clock to the second of next month', async () => {
      const second = longDate(nextMonth.add({ days: 1 }));
      await actions.goTo('Time travel');
      await page.getByLabel('New date', { exact: true }).click();
      await assertUsableByAll(page, 'the calendar');
      await actions.button(second).click();
      await actions.button(`Advance to ${second}`).click();
      await actions.dialog().getByText('The clock advances for this company:').waitFor();
      await assertUsableByAll(page, 'the confirmation before the clock advances');
      await actions.dialog().getByRole('button', { name: 'Advance clock' }).click();
      await see(`The date is now ${second}`);
      await see(`Date: ${second}.`);
    });

    it('shows the new ticket and its confirmation as a PDF', async () => {
      await actions.goTo('Employees');
      await page.getByRole('searchbox', { name: 'Search' }).fill('anna');
      await see('1–1 of 1');
      await page.getByRole('link', { name: 'Anna Meyer' }).click();
      const ticket = page.getByRole('region', { name: 'Ticket this month' });
      await ticket.getByText(`DT-${nextMonth.toString().slice(0, 7).replace('-', '')}-`).waitFor();
      const { name, bytes } = await actions.download(() =>
        page.getByRole('link', { name: /^Download: Ticket/ }).click(),
      );
      assert.match(name, /\.pdf$/);
      assert.match(bytes.toString('latin1'), /^%PDF-.*%%EOF\s*$/s);
    });

    it('ends a subscription, after showing the day on which it ends', async () => {
      const { dialog } = actions;
      const end = longDate(nextMonth.add({ months: 1 }));
      await actions.button('Actions').click();
      await page.getByRole('menuitem', { name: 'End subscription' }).click();
      await dialog().getByText(`Takes effect on ${end}`).waitFor();
      await dialog().getByText('No ticket scheduled after this change.').waitFor();
      await assertUsableByAll(page, 'the confirmation before a subscription ends');
      await dialog().getByRole('button', { name: 'End subscription' }).click();
      await dialog().waitFor({ state: 'detached' });
      const lastDay = nextMonth.add({ months: 1 }).subtract({ days: 1 });
      const answer = page.getByRole('region', { name: 'At a glance' });
      await answer.getByText(`Anna Meyer has the ticket until ${longDate(lastDay)}.`).waitFor();
      const month = nextMonth.toLocaleString('en-GB', { month: 'long', year: 'numeric' });
      assert.match(
        (await answer.innerText()).replaceAll(/\s+/g, ' '),
        new RegExp(`Cancelled by the company\\. Next ticket none Last ticket ${month} Last deduction ${month}$`),
      );
      await see(`Cancelled by the company: ends after ${lastDay.toLocaleString('en-GB', { dateStyle: 'medium' })}`);
    });

    it('names who and what a payroll file lacks, then exports and downloads it', async () => {
      await actions.goTo('Payroll export');
      await see(`Next export for ${monthName}`);
      await see('One employee cannot be exported');
      await page.getByRole('link', { name: 'Otto Ohne' }).waitFor();
      await see('wage type of the tax-free benefit');
      assert.equal(await actions.button('Export and download').isDisabled(), true);
      await assertUsableByAll(page, 'payroll before its export');
      await page.getByRole('link', { name: 'Go to settings' }).click();
      await page.getByLabel('Wage type: tax-free benefit').fill('700');
      await page.getByLabel('Wage type: employee share').fill('9100');
      await actions.button('Save changes').click();
      await see('The settings have been saved.');
      await fixture.linkOtto('C-7');
      await actions.goTo('Payroll export');
      const { name, bytes } = await actions.download(() => actions.button('Export and download').click());
      assert.equal(name, `payroll-${nextMonth.toString().slice(0, 7)}-1.csv`);
      const [head, ...lines] = bytes.toString().replace('\uFEFF', '').trimEnd().split('\r\n');
      assert.equal(head, 'Zeitraum;Personalnummer;Lohnart;Bezeichnung;Betrag');
      assert.deepEqual(
        lines.map((line) => line.split(';').slice(1, 3).join(' ')),
        ['C-7 700', 'E-1 700', 'E-1 9100'],
      );
      await see('Everything from');
      await assertUsableByAll(page, 'payroll after its export');
      const again = await actions.download(() => page.getByRole('link', { name: 'Download export 1' }).click());
      assert.deepEqual(again.bytes, bytes);
    });

    it('lists in the activity who did all this', async () => {
      await actions.goTo('Activity');
      const rows = page.getByRole('row').filter({ hasText: 'Ada Admin' });
      for (const what of [
        'Ended the subscription of employee',
        'Approved 60 removals in sync',
        'accepted the contract',
        'Created HR integration “Headquarters”',
        'Revoked API key “Nightly push”',
      ]) {
        await rows.filter({ hasText: what }).first().waitFor();
      }
    });

    it('signs out and shows nothing any more', async () => {
      await actions.button('Account: Ada Admin').click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await actions.heading('Sign in').waitFor();
      await page.goto(`${fixture.origin}/keys`);
      await actions.heading('Sign in').waitFor();
      assert.equal(await page.getByText('Nightly push').count(), 0);
    });
  });

  describe('for every role', () => {
    before(open);
    afterEach(async () => {
      await context.clearCookies();
      record.assertClean();
    });
    after(() => context?.close());

    /** Returns the controls that the pages for changing something offer. */
    const offeredControls = async () => {
      const found: string[] = [];
      for (const path of ['/keys', '/integrations', '/integrations/1', '/employees/2', '/users']) {
        await page.goto(`${fixture.origin}${path}`);
        await settled(page);
        const names = /^(Create key|Actions.*|Add integration|More actions|Upload roster|Invite user)$/;
        const main = page.getByRole('main');
        for (const role of ['button', 'link'] as const) {
          for (const one of await main.getByRole(role, { name: names }).all()) {
            found.push((await one.getAttribute('aria-label')) ?? (await one.innerText()));
          }
        }
      }
      return found;
    };
    const pages = () => page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').allInnerTexts();

    const dailyWork = [
      'Overview',
      'Employees',
      'HR data',
      'Documents',
      'Tickets at the issuer',
      'Month end',
      'Costs',
      'Payroll export',
      'Invoices',
    ];

    it('offers a viewer nothing to change', async () => {
      await signIn(page, fixture.origin, fixture.users.viewer);
      assert.deepEqual(await pages(), [...dailyWork, 'Activity', 'Getting started']);
      assert.deepEqual(await offeredControls(), []);
      await see('No access');
    });

    it('offers a developer the technical pages, but not the users', async () => {
      await signIn(page, fixture.origin, fixture.users.developer);
      const technical = ['API keys', 'Requests', 'Webhooks', 'Events', 'API reference'];
      const others = ['Activity', 'Getting started', 'Mails not sent', 'Time travel'];
      assert.deepEqual(await pages(), [...dailyWork, ...technical, ...others]);
      assert.deepEqual(await offeredControls(), ['Create key', 'Add integration', 'More actions', 'Upload roster']);
      await see('No access');
    });

    it('lets an admin invite a user, who joins by the link and has read-only access', async () => {
      const { dialog } = actions;
      await signIn(page, fixture.origin, fixture.users.admin, '/users');
      await actions.button('Invite user').click();
      await dialog().getByLabel('Email').fill('ines@example.com');
      await dialog().getByRole('button', { name: 'Invite', exact: true }).click();
      const link = await dialog('Pass on this link').getByLabel('Invitation link').inputValue();
      await context.clearCookies();
      await page.goto(link);
      await see('Nordwind GmbH has invited you. Your access: Viewer.');
      await inspect(page, 'an invitation');
      await page.getByLabel('Your name').fill('Ines Neu');
      await page.getByRole('textbox', { name: 'Password' }).fill('a password of my own');
      await actions.button('Create account').click();
      await actions.heading('Overview').waitFor();
      await actions.button('Account: Ines Neu').waitFor();
      assert.deepEqual(await offeredControls(), []);
    });

    it('lets an admin change settings in the format of the reader', async () => {
      const cutOffDay = page.getByLabel('Cut-off day');
      const contribution = page.getByLabel('Employee share in euros');
      await signIn(page, fixture.origin, fixture.users.admin, '/settings');
      await cutOffDay.fill('');
      assert.equal(await actions.button('Save changes').isEnabled(), false, 'an empty field is no change');
      await cutOffDay.pressSequentially('15');
      await contribution.fill('');
      // The other decimal mark is understood, too.
      await contribution.pressSequentially('21,50');
      await actions.button('Save changes').click();
      await see('The settings have been saved.');
      await page.reload();
      await settled(page);
      assert.deepEqual([await cutOffDay.inputValue(), await contribution.inputValue()], ['15', '21.50']);
      await page.goto(`${fixture.origin}/activity?action=company.`);
      await see('Changed setting “Cut-off day” from “10” to “15”');
      await see('Changed setting “Employee share” from “€20.00” to “€21.50”');
    });

    it('lets an admin end the sessions of a user, and remove the user with the keys that only they know', async () => {
      const { dialog } = actions;
      const choose = async (item: string) => {
        await page.goto(`${fixture.origin}/users`);
        await actions.button('Actions for Leo Leaves').click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      await signIn(page, fixture.origin, fixture.users.admin, '/users');
      await actions.button('Invite user').click();
      await dialog().getByLabel('Email').fill('leo@example.com');
      await dialog().getByLabel('Developer').click();
      await dialog().getByRole('button', { name: 'Invite', exact: true }).click();
      const link = await dialog('Pass on this link').getByLabel('Invitation link').inputValue();
      await context.clearCookies();
      await page.goto(link);
      await page.getByLabel('Your name').fill('Leo Leaves');
      await page.getByRole('textbox', { name: 'Password' }).fill('a password of my own');
      await actions.button('Create account').click();
      await actions.heading('Overview').waitFor();
      await page.evaluate(() =>
        fetch('/portal/api/keys', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'Key of Leo', permissions: ['view-billing'], expiresAt: null }),
        }),
      );
      await context.clearCookies();
      await signIn(page, fixture.origin, fixture.users.admin, '/users');
      await choose('End sessions');
      await dialog('End the sessions of Leo Leaves?').getByRole('button', { name: 'End sessions' }).click();
      await see('Leo Leaves has been signed out on all devices.');
      await choose('Remove');
      const key = dialog('Remove Leo Leaves?').getByLabel('Key of Leo');
      await key.waitFor();
      assert(await key.isChecked());
      await key.uncheck();
      await key.check();
      await inspect(page, 'the removal of a user');
      await dialog().getByRole('button', { name: 'Remove user' }).click();
      await see('Leo Leaves has been removed.');
      await page.goto(`${fixture.origin}/activity`);
      for (const what of ['Revoked API key “Key of Leo”', 'Ended one session of Leo Leaves']) await see(what);
    });
  });

  describe('on every page', () => {
    before(async () => {
      await open();
      await signIn(page, fixture.origin, fixture.users.admin);
    });
    after(() => context?.close());

    it('switches to German and remembers the choice', async () => {
      await actions.button('Language: English').click();
      await page.getByRole('menuitem', { name: 'Deutsch' }).click();
      await actions.heading('Übersicht').waitFor();
      await page.getByRole('link', { name: 'Beschäftigte' }).first().waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), 'de');
      await page.reload();
      await actions.heading('Übersicht').waitFor();
      await inspect(page, 'the overview in German');
      await actions.button('Sprache: Deutsch').click();
      await page.getByRole('menuitem', { name: 'English' }).click();
      await actions.heading('Overview').waitFor();
      record.assertClean();
    });

    it('switches to dark mode and remembers the choice', async () => {
      const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
      const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const light = await background();
      assert.equal(await scheme(), 'light');
      await actions.button('Appearance: System').click();
      await page.getByRole('menuitem', { name: 'Dark' }).click();
      await until('the page is dark', async () => (await scheme()) === 'dark');
      assert.notEqual(await background(), light);
      await page.reload();
      await settled(page);
      assert.equal(await scheme(), 'dark');
      await actions.button('Appearance: Dark').click();
      await page.getByRole('menuitem', { name: 'System' }).click();
      await until('the page is light', async () => (await scheme()) === 'light');
      record.assertClean();
    });

    it('can be used by keyboard: the first tab stop skips the navigation', async () => {
      await page.goto(fixture.origin);
      await settled(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate('document.activeElement.id'), 'main');
    });
  });
});
