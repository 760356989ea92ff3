import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { basic } from '../support/app.ts';
import { noBrowser } from '../support/browser.ts';
import { lastAskedInVain, until } from '../support/until.ts';
import { nextMonth, openStage, type Stage } from './portal/fixture.ts';
import { assertUsableByAll, inspect } from './portal/inspect.ts';
import { type Hands, handsOn } from './portal/page-actions.ts';
import { findEveryPage } from './portal/pages.ts';
import { branchRoster, changedRoster, firstRoster } from './portal/rosters.ts';
import { settled, signIn } from './portal/visit.ts';
import type { Record } from './portal/watch.ts';

const monthName = nextMonth.toLocaleString('en-GB', { month: 'long', year: 'numeric' });
const longDate = (day: Temporal.PlainDate) => day.toLocaleString('en-GB', { dateStyle: 'long' });

/** Covers one company from its first key to its first ticket. Each test continues where the previous one ended. */
describe('the portal in a browser', { skip: noBrowser }, () => {
  let stage: Stage;
  let record: Record;
  let context: BrowserContext;
  let page: Page;
  let hands: Hands;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  const open = async () => {
    ({ context, record } = await stage.open());
    page = await context.newPage();
    hands = handsOn(page);
  };
  const see = (text: string | RegExp) => page.getByText(text).first().waitFor();

  describe('from signing in to signing out', () => {
    before(open);
    afterEach(() => record.assertClean());
    after(() => context?.close());

    it('asks who one is, and leads to where one wanted to go', async () => {
      await page.goto(`${stage.origin}/employees?search=otto`);
      await page.getByLabel('Email').fill(stage.people.admin.email);
      await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
      await hands.button('Sign in').click();
      await see('Email and password do not match.');
      await inspect(page, 'sign-in');
      await signIn(page, stage.origin, stage.people.admin, '/employees?search=otto');
      await page.getByRole('link', { name: 'Otto Ohne' }).waitFor();
      await see('1–1 of 1');
    });

    it('begins with less than 300 KB of script', async () => {
      const fresh = await context.newPage();
      const sizes: Promise<number>[] = [];
      fresh.on('requestfinished', (request) => {
        if (request.resourceType() !== 'script') return;
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
      });
      await fresh.goto(stage.origin, { waitUntil: 'networkidle' });
      await handsOn(fresh).heading('Overview').waitFor();
      await settled(fresh);
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      await fresh.close();
      assert.ok(bytes > 50_000 && bytes < 300_000, `${bytes} bytes of script`);
    });

    it('makes a key that works, until it is revoked', async () => {
      const { dialog, button } = hands;
      await hands.goTo('API keys');
      await button('New key').first().click();
      await dialog().getByLabel('Name').fill('Nightly push');
      await dialog().getByRole('button', { name: 'HR sync' }).click();
      await assertUsableByAll(page, 'the form of a new key');
      await dialog().getByRole('button', { name: 'Create key' }).click();
      await dialog('Copy the password now').waitFor();
      const username = await dialog().getByLabel('Username').inputValue();
      const password = await dialog().getByLabel('Password').inputValue();
      assert.ok((await dialog().locator('pre').innerText()).startsWith(`curl -u '${username}:${password}'`));
      await dialog().getByRole('button', { name: 'Done, I have copied it' }).click();
      const headers = { authorization: basic({ username, password }) };
      const call = async () => (await fetch(`${stage.origin}/v1/employees`, { headers })).status;
      assert.equal(await call(), 200);
      await page.reload();
      const row = page.getByRole('row', { name: /Nightly push/ });
      await row.getByText(/second|now/).waitFor();

      await button('Actions for Nightly push').click();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
      await dialog('Revoke “Nightly push”?').waitFor();
      await assertUsableByAll(page, 'the question before a key is revoked');
      await dialog().getByRole('button', { name: 'Revoke key' }).click();
      await see('“Nightly push” is revoked.');
      const revoked = Date.now();
      const lastAccepted = await lastAskedInVain('the key is refused', async () => (await call()) === 401);
      assert.ok(lastAccepted < revoked + 1_000, 'what is asked a second later is refused');
      await row.getByText('Revoked').waitFor();
    });

    it('makes an integration and says what to do with it', async () => {
      const { dialog } = hands;
      await hands.createIntegration('Headquarters');
      const id = await dialog().getByLabel('Integration id').inputValue();
      assert.ok((await dialog().locator('pre').innerText()).includes(`/v1/hr-integrations/${id}/sync`));
      await assertUsableByAll(page, 'the steps after a new integration');
      await dialog().getByRole('link', { name: 'Open the integration' }).click();
      await hands.heading('Headquarters').waitFor();
      await see('Ready: it waits for its first roster.');
    });

    it('shows what an uploaded roster would do, applies it and watches it to its end', async () => {
      await hands.previewRoster(firstRoster);
      assert.match(await hands.counts(), /Created 3/);
      await inspect(page, 'the preview of a roster');
      await hands.applyRoster('Succeeded');
      assert.match(await hands.counts(), /Created 3 Updated 0/);
    });

    it('tells what the next roster changed, from what to what, and why', async () => {
      await page.getByRole('link', { name: 'Headquarters' }).click();
      await hands.heading('Headquarters').waitFor();
      await hands.previewRoster(changedRoster);
      assert.match(await hands.counts(), /Updated 2 Unchanged 0 Offboarded 1/);
      await hands.applyRoster('Succeeded');
      const recordOf = (hrId: string) => page.getByRole('listitem').filter({ hasText: hrId });
      assert.match(await recordOf('E-1').innerText(), /Last name: .*Müller.*→.*Meyer.*The roster says something new/s);
      assert.match(await recordOf('E-2').innerText(), /Absent from the roster; no ticket is running/);
      await recordOf('E-1').getByRole('link', { name: 'Anna Meyer' }).click();
      await hands.heading('Anna Meyer').waitFor();
    });

    it('records that a contract is accepted, after showing the effect', async () => {
      const { dialog } = hands;
      await see('The contract is not decided');
      await hands.button('Actions').click();
      await assertUsableByAll(page, 'the menu of decisions');
      await page.getByRole('menuitem', { name: 'Contract accepted' }).click();
      await dialog()
        .getByText(`Next ticket afterwards: ${longDate(nextMonth)}`)
        .waitFor();
      await dialog().getByRole('button', { name: 'Record acceptance' }).click();
      await see('The contract of Anna Meyer is accepted.');
      await page.getByText('The contract is not decided').waitFor({ state: 'detached' });
    });

    it('holds removals back until somebody types how many they are', async () => {
      const { dialog } = hands;
      await hands.createIntegration('Branch');
      await dialog().getByRole('link', { name: 'Open the integration' }).click();
      await hands.heading('Branch').waitFor();
      await hands.previewRoster(branchRoster(120));
      await hands.applyRoster('Succeeded');
      await page.getByRole('link', { name: 'Branch', exact: true }).click();
      await hands.heading('Branch').waitFor();
      await hands.previewRoster(branchRoster(60));
      await see('60 people are missing, which looks like an accident');
      await hands.applyRoster('Partly failed');
      await hands.heading('60 removals are held back', 2).waitFor();

      await hands.button('Approve').click();
      const confirm = dialog().getByRole('button', { name: 'Offboard' });
      for (const [number, isRight] of [
        ['', false],
        ['120', false],
        ['60', true],
      ] as const) {
        await dialog().getByLabel('Type 60 to confirm').fill(number);
        assert.equal(await confirm.isEnabled(), isRight, `"${number}" is typed`);
      }
      await assertUsableByAll(page, 'the question before people are offboarded');
      await confirm.click();
      await see('60 people are being offboarded.');
      await see('Removals held back: Approved');
      await hands.goTo('Employees');
      await see('1–25 of 63');
    });

    it('travels to the second of next month', async () => {
      const second = longDate(nextMonth.add({ days: 1 }));
      await hands.goTo('Time travel');
      await page.getByLabel('Day', { exact: true }).click();
      await assertUsableByAll(page, 'the calendar');
      await hands.button(second).click();
      await hands.button(`Travel to ${second}`).click();
      await hands.dialog().getByText('The clock moves for this company:').waitFor();
      await assertUsableByAll(page, 'the question before a journey');
      await hands.dialog().getByRole('button', { name: 'Travel' }).click();
      await see(`It is ${second}`);
      await see(`Here it is ${second}.`);
    });

    it('shows the ticket that has come, and its letter as a real PDF', async () => {
      await hands.goTo('Employees');
      await page.getByLabel('Search').fill('anna');
      await see('1–1 of 1');
      await page.getByRole('link', { name: 'Anna Meyer' }).click();
      const ticket = page.getByRole('region', { name: 'Ticket this month' });
      await ticket.getByText(`DT-${nextMonth.toString().slice(0, 7).replace('-', '')}-`).waitFor();
      const { name, bytes } = await hands.download(() => page.getByRole('link', { name: /^Download: Ticket/ }).click());
      assert.match(name, /\.pdf$/);
      assert.match(bytes.toString('latin1'), /^%PDF-.*%%EOF\s*$/s);
    });

    it('ends a subscription, after showing the day on which it ends', async () => {
      const { dialog } = hands;
      const end = longDate(nextMonth.add({ months: 1 }));
      await hands.button('Actions').click();
      await page.getByRole('menuitem', { name: 'End subscription' }).click();
      await dialog().getByText(`Takes effect on ${end}`).waitFor();
      await dialog().getByText('No ticket is planned afterwards.').waitFor();
      await assertUsableByAll(page, 'the question before a subscription ends');
      await dialog().getByRole('button', { name: 'End subscription' }).click();
      await dialog().waitFor({ state: 'detached' });
      await see('No ticket is planned');
      await see(`Cancelled on request: ends on ${end}`);
    });

    it('warns of lines without an HR id, and gives the payroll file', async () => {
      const { dialog } = hands;
      await hands.goTo('Billing');
      await page.getByRole('link', { name: monthName }).click();
      await hands.heading(monthName).waitFor();
      await hands.button('Payroll file').click();
      await dialog('HR ids are missing').getByRole('link', { name: 'Otto Ohne' }).waitFor();
      await assertUsableByAll(page, 'the warning before the payroll file');
      const anyway = dialog().getByRole('button', { name: 'Download anyway' });
      const { name, bytes } = await hands.download(() => anyway.click());
      assert.equal(name, `payroll-${nextMonth.toString().slice(0, 7)}.csv`);
      const [head, otto, anna, ...others] = bytes.toString().replace('\uFEFF', '').trimEnd().split('\r\n');
      const amounts = 'companyShare,employeeShare,net,tax,gross';
      assert.equal(head, `hrId,firstName,lastName,${amounts},correctsItem,correctsPeriod,reason`);
      assert.match(otto ?? '', /^,Otto,Ohne,/);
      assert.match(anna ?? '', /^E-1,Anna,Meyer,/);
      assert.deepEqual(others, []);
      const cells = (anna ?? '').split(',').slice(3);
      const cents = cells.slice(0, 5).map((euros) => Math.round(Number(euros) * 100));
      const [company = 0, employee, net = 0, tax = 0, gross] = cents;
      assert.deepEqual([employee, company + 2000, net + tax], [2000, gross, gross]);
      assert.deepEqual(cells.slice(5), ['', '', ''], 'it corrects nothing');
    });

    it('tells in the activity who did all this', async () => {
      await hands.goTo('Activity');
      const rows = page.getByRole('row').filter({ hasText: 'Ada Admin' });
      for (const what of [
        'Cancelled the subscription of employee',
        'Approved 60 removals of the sync',
        'accepted the contract',
        'Created the HR integration “Headquarters”',
        'Revoked the API key “Nightly push”',
      ]) {
        await rows.filter({ hasText: what }).first().waitFor();
      }
    });

    it('signs out, and shows nothing any more', async () => {
      await hands.button('Account: Ada Admin').click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await hands.heading('Sign in').waitFor();
      await page.goto(`${stage.origin}/keys`);
      await hands.heading('Sign in').waitFor();
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
    const actions = async () => {
      const found: string[] = [];
      for (const path of ['/keys', '/integrations', '/integrations/1', '/employees/2', '/users']) {
        await page.goto(`${stage.origin}${path}`);
        await settled(page);
        const names = /^(New key|Actions.*|Create API integration|Switch off|Upload roster|Invite somebody)$/;
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

    it('offers a viewer nothing to change', async () => {
      await signIn(page, stage.origin, stage.people.viewer);
      assert.deepEqual(
        (await pages()).filter((name) => ['People', 'Time travel'].includes(name)),
        [],
      );
      assert.deepEqual(await actions(), []);
      await see('Not for your role');
    });

    it('offers a developer what is his, and no people', async () => {
      await signIn(page, stage.origin, stage.people.developer);
      assert.deepEqual(
        (await pages()).filter((name) => ['People', 'Time travel'].includes(name)),
        ['Time travel'],
      );
      assert.deepEqual(await actions(), ['New key', 'Create API integration', 'Switch off', 'Upload roster']);
      await see('Not for your role');
    });

    it('lets an admin invite somebody, who joins by the link and only reads', async () => {
      const { dialog } = hands;
      await signIn(page, stage.origin, stage.people.admin, '/users');
      await hands.button('Invite somebody').click();
      await dialog().getByLabel('Email').fill('ines@example.com');
      await dialog().getByRole('button', { name: 'Make the link' }).click();
      const link = await dialog('Send this link').getByLabel('Invitation link').inputValue();
      await context.clearCookies();
      await page.goto(link);
      await see('Nordwind GmbH invites you as Viewer.');
      await inspect(page, 'an invitation');
      await page.getByLabel('Your name').fill('Ines Neu');
      await page.getByRole('textbox', { name: 'Password' }).fill('a password of my own');
      await hands.button('Join').click();
      await hands.heading('Overview').waitFor();
      await hands.button('Account: Ines Neu').waitFor();
      assert.deepEqual(await actions(), []);
    });

    it('lets an admin change settings, as they are written where the company is', async () => {
      const cutOffDay = page.getByLabel('Cut-off day');
      const contribution = page.getByLabel('Employee contribution in euros');
      await signIn(page, stage.origin, stage.people.admin, '/settings');
      await cutOffDay.fill('');
      assert.equal(await hands.button('Save changes').isEnabled(), false, 'an empty field is no change');
      await cutOffDay.pressSequentially('15');
      await contribution.fill('21,50');
      await hands.button('Save changes').click();
      await see('The settings have been saved.');
      await page.reload();
      await settled(page);
      assert.deepEqual([await cutOffDay.inputValue(), await contribution.inputValue()], ['15', '21,50']);
      await page.goto(`${stage.origin}/activity?action=company.`);
      await see('Changed the setting “Cut-off day” from “10” to “15”');
      await see(/Changed the setting “Employee contribution” from “20,00\s€” to “21,50\s€”/);
    });

    it('lets an admin sign somebody out everywhere, and remove them with the keys that only they know', async () => {
      const { dialog } = hands;
      const choose = async (item: string) => {
        await page.goto(`${stage.origin}/users`);
        await hands.button('Actions for Leo Leaves').click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      await signIn(page, stage.origin, stage.people.admin, '/users');
      await hands.button('Invite somebody').click();
      await dialog().getByLabel('Email').fill('leo@example.com');
      await dialog().getByLabel('Developer').click();
      await dialog().getByRole('button', { name: 'Make the link' }).click();
      const link = await dialog('Send this link').getByLabel('Invitation link').inputValue();
      await context.clearCookies();
      await page.goto(link);
      await page.getByLabel('Your name').fill('Leo Leaves');
      await page.getByRole('textbox', { name: 'Password' }).fill('a password of my own');
      await hands.button('Join').click();
      await hands.heading('Overview').waitFor();
      await page.evaluate(() =>
        fetch('/portal/api/keys', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name: 'Key of Leo', permissions: ['view-billing'], expiresAt: null }),
        }),
      );
      await context.clearCookies();
      await signIn(page, stage.origin, stage.people.admin, '/users');
      await choose('End sessions');
      await dialog('End the sessions of Leo Leaves?').getByRole('button', { name: 'End sessions' }).click();
      await see('Leo Leaves is signed out everywhere.');
      await choose('Remove');
      const key = dialog('Remove Leo Leaves?').getByLabel('Key of Leo');
      await key.waitFor();
      assert(await key.isChecked());
      await key.uncheck();
      await key.check();
      await inspect(page, 'the removal of a user');
      await dialog().getByRole('button', { name: 'Remove person' }).click();
      await see('Leo Leaves is removed.');
      await page.goto(`${stage.origin}/activity`);
      for (const what of ['Revoked the API key “Key of Leo”', 'Ended one session of Leo Leaves']) await see(what);
    });
  });

  describe('on every page', () => {
    before(async () => {
      await open();
      await signIn(page, stage.origin, stage.people.admin);
    });
    after(() => context?.close());

    it('speaks German to whoever chooses it, from then on', async () => {
      await hands.button('Language: English').click();
      await page.getByRole('menuitem', { name: 'Deutsch' }).click();
      await hands.heading('Übersicht').waitFor();
      await page.getByRole('link', { name: 'Beschäftigte' }).first().waitFor();
      assert.equal(await page.locator('html').getAttribute('lang'), 'de');
      await page.reload();
      await hands.heading('Übersicht').waitFor();
      await inspect(page, 'the overview in German');
      await hands.button('Sprache: Deutsch').click();
      await page.getByRole('menuitem', { name: 'English' }).click();
      await hands.heading('Overview').waitFor();
      record.assertClean();
    });

    it('is dark for whoever chooses it, from then on', async () => {
      const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme');
      const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const light = await ground();
      assert.equal(await scheme(), 'light');
      await hands.button('Light or dark: As the system').click();
      await page.getByRole('menuitem', { name: 'Dark' }).click();
      await until('the page is dark', async () => (await scheme()) === 'dark');
      assert.notEqual(await ground(), light);
      await page.reload();
      await settled(page);
      assert.equal(await scheme(), 'dark');
      await hands.button('Light or dark: Dark').click();
      await page.getByRole('menuitem', { name: 'As the system' }).click();
      await until('the page is light', async () => (await scheme()) === 'light');
      record.assertClean();
    });

    it('can be used by keyboard: the first key leads past the navigation', async () => {
      await page.goto(stage.origin);
      await settled(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.equal(await page.evaluate('document.activeElement.id'), 'main');
    });

    it('keeps nobody out, fits on a phone, is quiet and asks no other host', async () => {
      const left = await findEveryPage(context.request, stage.origin);
      const lane = async () => {
        const own = await context.newPage();
        for (let path = left.pop(); path !== undefined; path = left.pop()) {
          await own.goto(`${stage.origin}${path}`);
          await inspect(own, path);
        }
        await own.close();
      };
      await Promise.all([lane(), lane()]);
      record.assertClean();
    });
  });
});
