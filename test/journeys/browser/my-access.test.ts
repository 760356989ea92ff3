import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { insertDomain, proveDomain } from '../../../src/features/accounts/sso/manage.ts';
import { createLetterCodes } from '../../../src/features/employee-access/letters.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { inspectPhone, readDevice, textsOf, useMyFixture } from '../../support/browser/my.ts';
import { noBrowser } from '../../support/browser.ts';
import { startIdentityProvider } from '../../support/identity-provider.ts';
import { prepare } from '../../support/prepare.ts';
import { rowsOf } from '../../support/rows.ts';
import { until } from '../../support/until.ts';

const de = textsOf('de');
const en = textsOf('en');

/**
 * Loads again what the page takes for its address. The browser's own command would load the address from which the page
 * has just taken the secret.
 */
const reload = (page: Page) =>
  Promise.all([page.waitForEvent('load'), page.evaluate('void setTimeout(() => location.reload())')]);

/** Covers how employees get in, and out. */
describe("getting into the employee's page", { skip: noBrowser }, () => {
  const { fixture, openPhone } = useMyFixture();
  const employees = { mail: 0, letter: 0, support: 0 };
  prepare(async () => {
    employees.mail = await fixture.addEmployee({ email: 'eva.mail@example.com', first_name: 'Eva' });
    employees.letter = await fixture.addEmployee({ email: 'otto.brief@example.com', first_name: 'Otto' });
    employees.support = await fixture.addEmployee({ email: 'sam.support@example.com', first_name: 'Sam' });
    return {};
  });
  const isHome = (page: Page, name: string, text = de) => page.getByText(text('hello', { name })).waitFor();

  it('says the same to known and unknown addresses, and mails the known one', async () => {
    const { page, see, press } = await openPhone('de');
    await page.goto(`${fixture.origin}/my`);
    await see(de('enterTitle'));
    await press(de('sendLink'));
    await page.getByText(de('emailInvalid')).waitFor();
    assert.equal(await page.evaluate('document.activeElement.type'), 'email');
    await inspectPhone(page, 'a wrong address');
    for (const address of ['nobody@example.com', 'eva.mail@example.com']) {
      await page.getByLabel(de('email')).fill(address);
      await press(de('sendLink'));
      await see(de('sentTitle'));
      await page.getByText(de('sentText', { email: address })).waitFor();
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
      if (address.startsWith('nobody')) await press(de('otherAddress'));
    }
    await inspectPhone(page, 'a link on its way');
    const link = await fixture.mailedLink('eva.mail@example.com', /http\S+\/my\/enter#[\w.~-]+/);

    // Another browser has not asked for it. It waits for a tap, and is refused.
    const other = await openPhone('en');
    await other.page.goto(link);
    await other.see(en('readyTitle'));
    assert.equal(new URL(other.page.url()).hash, '');
    await inspectPhone(other.page, 'a link that waits');
    await other.press(en('continue'));
    await other.see(en('linkGoneTitle'));
    await inspectPhone(other.page, 'a link that was refused');

    // Pasted, as beside an installed app whose links open elsewhere.
    await page.getByText(de('pasteQuestion')).click();
    await page.getByLabel(de('pasteLabel')).fill('https://example.com/');
    await press(de('openLink'));
    await page.getByText(de('pasteInvalid')).waitFor();
    await page.getByLabel(de('pasteLabel')).fill(link);
    await press(de('openLink'));
    await isHome(page, 'Eva');
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).hash, '/my');

    // Once.
    await page.goto(`${fixture.origin}/my/enter#${new URL(link).hash.slice(1)}`);
    await reload(page);
    await page.goto(link);
    await see(de('linkGoneTitle'));
    await page.goto(`${fixture.origin}/my`);
    await isHome(page, 'Eva');
    assert.equal(fixture.smtp.received.filter(({ to }) => to.includes('nobody@example.com')).length, 0);
  });

  it('takes the code of a letter, typed or scanned', async () => {
    const [letter] = await writeCompany(fixture.db, fixture.companyId, (tx) =>
      createLetterCodes(tx, fixture.companyId, [employees.letter], {
        actor: { type: 'operator', name: null },
        at: Temporal.Now.instant(),
      }),
    );
    assert(letter);
    const address = `${fixture.origin}/my/letter/${fixture.companyId}`;
    const { page, see, press } = await openPhone('de');
    await page.goto(address);
    await see(de('letterTitle'));
    await press(de('signIn'));
    assert.equal(await page.getByText(de('fieldMissing')).count(), 2);
    await inspectPhone(page, 'a letter');
    await page.getByLabel(de('letterHrId'), { exact: true }).fill(letter.hrId);
    await page.getByLabel(de('letterCode'), { exact: true }).fill('0000000000');
    await press(de('signIn'));
    await page.getByText(de('letterWrongHint')).waitFor();
    await inspectPhone(page, 'a wrong code');
    await page.goto(`${address}#${encodeURIComponent(letter.hrId)}.${letter.code}`);
    await until('the page has taken the secret out of its address', () => new URL(page.url()).hash === '');
    await reload(page);
    // Reloading leaves no secret behind; scanning again brings it.
    assert.equal(await page.getByLabel(de('letterCode'), { exact: true }).inputValue(), '');
    await page.goto(`about:blank`);
    await page.goto(`${address}#${encodeURIComponent(letter.hrId)}.${letter.code}`);
    assert.equal(await page.getByLabel(de('letterHrId'), { exact: true }).inputValue(), letter.hrId);
    assert.equal(new URL(page.url()).hash, '');
    await press(de('signIn'));
    await isHome(page, 'Otto');
  });

  it("lets in by the company's single sign-on, at a real identity provider", async () => {
    const { origin, companyId, db } = fixture;
    await fixture.addEmployee({ email: 'ina.sso@corp.example', first_name: 'Ina' });
    const provider = await startIdentityProvider(`${origin}/sso/callback/${companyId}`);
    try {
      await writeCompany(db, companyId, async (tx) => {
        await insertDomain(tx, companyId, 'corp.example');
        await proveDomain(tx, companyId, 'corp.example', {});
      });
      const { issuer, clientId, clientSecret } = provider;
      await fixture.asAdmin('/sso', {
        ...{ issuer, clientId, clientSecret, defaultRoles: [], groupsClaim: 'groups', groupRoles: [] },
        ...{ isEnforced: false, breakGlassUserId: null },
      });
      for (const [language, text] of [['de', de] as const, ['en', en] as const]) {
        const { page, see, press, record } = await openPhone(language);
        const begin = async (address: string) => {
          await page.goto(`${origin}/my`);
          await page.getByLabel(text('email')).fill(address);
          await press(text('useSso'));
        };
        await begin('somebody@example.com');
        await page.getByText(text('ssoNone')).waitFor();
        await inspectPhone(page, `no single sign-on, ${language}`);

        // Somebody of the company who is not in its roster, and one whose address the provider has not confirmed.
        for (const person of [
          { email: 'stranger@corp.example', email_verified: true },
          { email: 'ina.sso@corp.example', email_verified: false },
        ]) {
          provider.become({ sub: `${person.email} ${person.email_verified}`, ...person });
          await page.context().clearCookies();
          await begin('ina.sso@corp.example');
          await see(text('ssoFailedTitle'));
        }
        await inspectPhone(page, `a refused single sign-on, ${language}`);

        provider.become({ sub: 'ina', email: 'ina.sso@corp.example', email_verified: true });
        await page.context().clearCookies();
        await begin('ina.sso@corp.example');
        await isHome(page, 'Ina', text);
        assert.equal(new URL(page.url()).search, '');
        await page.goto(`${origin}/`);
        await page.waitForURL(/sign-in/);
        record.expectRequestsTo(issuer);
      }
    } finally {
      await provider.stop();
    }
  });

  it('lists devices, ends one, and signs out everywhere', async () => {
    const here = await openPhone('en');
    const there = await openPhone('en');
    for (const { page, press } of [here, there]) {
      await page.goto(await fixture.linkFor(employees.support));
      await press(en('continue'));
      await isHome(page, 'Sam', en);
    }
    await here.page.goto(`${fixture.origin}/my/data`);
    await here.page.getByText(en('sessionThis'), { exact: true }).waitFor();
    await here.page
      .getByRole('listitem')
      .getByRole('button', { name: /^Sign out .+/ })
      .first()
      .click();
    await here.page.getByText(en('sessionEnded')).waitFor();
    await there.page.reload();
    await there.page.getByText(en('enterEnded')).waitFor();

    const tab = await here.context.newPage();
    await tab.goto(`${fixture.origin}/my`);
    await isHome(tab, 'Sam', en);
    await here.press(en('signOutEverywhere'));
    await inspectPhone(here.page, 'signing out everywhere');
    await here.page
      .getByRole('dialog')
      .getByRole('button', { name: en('signOutEverywhere') })
      .click();
    await here.see(en('enterTitle'));
    // The other tab forgets it, too.
    await tab.getByRole('heading', { level: 1, name: en('enterTitle') }).waitFor();
    await until('the device is empty', async () => (await readDevice(tab)).extractable === undefined);
    assert.deepEqual(await rowsOf(fixture.db, 'employee_sessions', { employee_id: employees.support }), []);
  });

  it('ends the session after signing out without a network', async () => {
    const { page, press, see, context, record } = await openPhone('en');
    await page.goto(await fixture.linkFor(employees.support));
    await press(en('continue'));
    await isHome(page, 'Sam', en);
    await page.goto(`${fixture.origin}/my/data`);
    await page.getByText(en('sessionThis'), { exact: true }).waitFor();
    await context.setOffline(true);
    await press(en('signOut'));
    await see(en('enterTitle'));
    assert.equal((await readDevice(page)).extractable, undefined);
    await context.setOffline(false);
    await until('the session has ended', async () => {
      const rows = await rowsOf(fixture.db, 'employee_sessions', { employee_id: employees.support });
      return rows.length === 0;
    });
    record.expectErrors('ERR_INTERNET_DISCONNECTED');
    await reload(page);
    await see(en('enterTitle'));
  });
});
