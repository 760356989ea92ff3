import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TOTP } from 'otpauth';
import { proveAddress } from '../../../src/features/accounts/prove-address.ts';
import { insertCompany } from '../../../src/features/companies/companies.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { usePage } from '../../support/browser/fixture.ts';
import { inspect } from '../../support/browser/inspect.ts';
import { settled, signIn } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { startDnsServer } from '../../support/dns-server.ts';
import { startIdentityProvider } from '../../support/identity-provider.ts';
import { makeUser } from '../../support/portal.ts';
import { prepare } from '../../support/prepare.ts';

/** Covers how users get in, and who may. Each test continues where the last one ended. */
describe('access in a browser', { skip: noBrowser }, () => {
  const dns = prepare(
    () => startDnsServer({}),
    ({ stop }) => stop(),
  );
  const { fixture, context, record, page, actions, see } = usePage({ env: () => ({ DNS_SERVERS: dns.address }) });
  let recoveryCode = '';

  it('adds an authenticator app, and shows recovery codes once', async () => {
    await signIn(page, fixture.origin, fixture.users.viewer, '/account');
    await actions.button('Add an authenticator app').click();
    const secret = page.getByLabel('Or enter this key in the app');
    await inspect(page, 'a new authenticator app');
    const code = page.getByLabel('Code that the app shows');
    await code.fill('000000');
    await actions.button('Confirm').click();
    await see('The code is wrong. Enter the one that the app shows now.');
    record.expectRefusal(422);
    await code.fill(new TOTP({ secret: await secret.inputValue() }).generate());
    await actions.button('Confirm').click();
    await see('Your recovery codes');
    const codes = await page.getByRole('status').locator('code').allInnerTexts();
    assert.equal(codes.length, 10);
    recoveryCode = codes[0] ?? '';
    await inspect(page, 'recovery codes');
    await page.reload();
    await settled(page);
    await see('10 recovery codes are left.');
    assert(!(await page.content()).includes(recoveryCode));
  });

  it('asks for the second factor, lists the sessions and ends another one', async () => {
    const other = await fixture.open();
    const theirs = await other.context.newPage();
    const { email, password } = fixture.users.viewer;
    await theirs.goto(`${fixture.origin}/account`);
    await theirs.getByLabel('Email').fill(email);
    await theirs.getByRole('textbox', { name: 'Password' }).fill(password);
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByLabel('Code of your authenticator app, or a recovery code').fill(recoveryCode);
    await inspect(theirs, 'the question for a code');
    await theirs.getByRole('button', { name: 'Sign in' }).click();
    await theirs.getByRole('heading', { name: 'Account', level: 1 }).waitFor();

    await page.reload();
    await settled(page);
    await see('9 recovery codes are left.');
    const ends = page.getByRole('button', { name: /^End the session of/ });
    assert.equal(await ends.count(), 1);
    await ends.click();
    await ends.waitFor({ state: 'detached' });
    await theirs.reload();
    await theirs.getByRole('button', { name: 'Sign in' }).waitFor();
    await other.context.close();
  });

  it('changes the roles of a user, who then sees more', async () => {
    await context.clearCookies();
    await signIn(page, fixture.origin, fixture.users.admin, '/users');
    await actions.button('Actions for Vera View').click();
    await page.getByRole('menuitem', { name: 'Change roles' }).click();
    const dialog = actions.dialog('Roles of Vera View');
    await dialog.getByLabel('Payroll').check();
    await inspect(page, 'the roles of a user');
    await dialog.getByRole('button', { name: 'Change roles' }).click();
    await see('Vera View now has these roles: Payroll, Viewer.');
    await actions.button('Actions for Vera View').click();
    await page.getByRole('menuitem', { name: 'Reset the second factor' }).click();
    await actions.dialog().getByRole('button', { name: 'Reset', exact: true }).click();
    await see('The second factor of Vera View was removed.');
  });

  it('proves a domain by its TXT record, and saves an identity provider', async () => {
    const provider = await startIdentityProvider(`${fixture.origin}/sso/callback/${fixture.companyId}`);
    try {
      await page.goto(`${fixture.origin}/sso`);
      await settled(page);
      await page.getByLabel('Domain', { exact: true }).fill('corp.example');
      await actions.button('Add domain').click();
      await see('Not proven');
      const text = await page.getByText(/^TXT record/).innerText();
      const [, name = '', value = ''] = /^TXT record (\S+) with the value (\S+)$/.exec(text) ?? [];
      await actions.button('Check now').click();
      await inspect(page, 'a domain that is not proven');
      dns.zone[name] = [[value]];
      await actions.button('Check now').click();
      await page.getByText('Proven', { exact: true }).waitFor();
      await page.getByLabel('Issuer').fill(provider.issuer);
      await page.getByLabel('Client ID').fill(provider.clientId);
      await page.getByLabel('Client secret').fill(provider.clientSecret);
      await page.getByLabel('Roles of groups').fill('people-team: hr');
      await actions.button('Save').click();
      await see('Single sign-on has been saved.');
      await page.reload();
      await settled(page);
      assert.equal(await page.getByLabel('Issuer').inputValue(), provider.issuer);
      assert.equal(await page.getByLabel('Client secret').inputValue(), '');
      assert(!(await page.content()).includes(provider.clientSecret));
    } finally {
      await provider.stop();
    }
  });

  it('switches to another company of the account', async () => {
    const { db, companyId, users } = fixture;
    const { email } = users.admin;
    const now = Temporal.Now.instant();
    const company = { name: 'Südwind GmbH', planType: 'split-pay-plan', contributionCents: 0 } as const;
    const otherId = await db.transaction().execute((tx) => insertCompany(tx, company, now));
    const { id } = await makeUser({ db }, otherId, 'admin', { email, name: 'Ada Admin' });
    const { id: ownId } = await db
      .selectFrom('portal_users')
      .select('id')
      .where('company_id', '=', companyId)
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await writeCompany(db, companyId, (tx) => proveAddress(tx, companyId, { id: ownId, email, by: {} }));
    await writeCompany(db, otherId, (tx) => proveAddress(tx, otherId, { id, email, by: {} }));
    await context.clearCookies();
    await signIn(page, fixture.origin, users.admin);
    const open = async (from: string, to: string) => {
      await actions.button(`Company: ${from}. Open another one`).click();
      await page.getByRole('menuitem', { name: to }).click();
      await actions.button(`Company: ${to}. Open another one`).waitFor();
    };
    const isFirst = await actions.button('Company: Nordwind GmbH. Open another one').isVisible();
    const [from, to] = isFirst ? ['Nordwind GmbH', 'Südwind GmbH'] : ['Südwind GmbH', 'Nordwind GmbH'];
    await open(from, to);
    await open(to, from);
    await actions.button(`Company: ${from}. Open another one`).click();
    await inspect(page, 'the companies of an account');
    await page.keyboard.press('Escape');
  });

  it('is accessible in German, and fits on a phone', async () => {
    await page.goto(fixture.origin);
    await settled(page);
    await actions.button('Language: English').click();
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    await actions.heading('Übersicht').waitFor();
    const pages = { '/users': 'Benutzer', '/sso': 'Anmeldung', '/account': 'Konto' };
    for (const [path, title] of Object.entries(pages)) {
      await page.goto(`${fixture.origin}${path}`);
      await actions.heading(title).waitFor();
      await inspect(page, `${path} in German`);
    }
  });
});
