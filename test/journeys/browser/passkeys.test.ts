import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { usePage } from '../../support/browser/fixture.ts';
import { assertUsableByAll, inspect } from '../../support/browser/inspect.ts';
import { settled, signIn } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { before } from '../../support/prepare.ts';

describe('passkeys in a browser', { skip: noBrowser }, () => {
  const { fixture, context, record, page, actions } = usePage();
  before(async () => {
    // Browsers know passkeys of names only, and only this name needs no certificate.
    assert.equal(new URL(fixture.origin).hostname, 'localhost');
    const debug = await context.newCDPSession(page);
    await debug.send('WebAuthn.enable');
    await debug.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  });

  const openNavigation = () => page.getByRole('navigation', { name: 'Main navigation' }).waitFor({ state: 'attached' });

  it('are added by name on the account page', async () => {
    await signIn(page, fixture.origin, fixture.users.admin, '/account');
    await actions.button('Add a passkey').click();
    await page.getByLabel('Name of the passkey').fill('Work laptop');
    await assertUsableByAll(page, 'the form for a passkey');
    await actions.button('Continue').click();
    await actions.button('Remove the passkey Work laptop').waitFor();
    await page.getByText('not used yet').waitFor();
    await inspect(page, 'the account with a passkey');
    // The same authenticator offers nothing that is not known already.
    await actions.button('Add a passkey').click();
    await page.getByLabel('Name of the passkey').fill('Again');
    await actions.button('Continue').click();
    await page.getByText('No passkey was added.').waitFor();
  });

  it('sign in without a password', async () => {
    await context.clearCookies();
    await page.goto(`${fixture.origin}/sign-in`);
    await settled(page);
    await assertUsableByAll(page, 'the sign-in page with passkeys');
    await actions.button('Use a passkey').click();
    await openNavigation();
  });

  it('complete the sign-in with a password', async () => {
    await context.clearCookies();
    await page.goto(`${fixture.origin}/sign-in`);
    await page.getByLabel('Email').fill(fixture.users.admin.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(fixture.users.admin.password);
    await actions.button('Sign in').click();
    await page.getByText('Your password is right. Now confirm with your passkey.').waitFor();
    await assertUsableByAll(page, 'the sign-in page that asks for a passkey');
    await actions.button('Use a passkey').click();
    await openNavigation();
  });

  it('confirm who the user is, and are removed', async () => {
    await page.goto(`${fixture.origin}/account`);
    await settled(page);
    const long = new Date(Date.now() - 60 * 60_000).toISOString();
    await fixture.db.updateTable('portal_sessions').set({ created_at: long }).execute();
    await actions.button('Remove the passkey Work laptop').click();
    await actions.dialog('Remove the passkey Work laptop').getByRole('button', { name: 'Remove' }).click();
    const dialog = actions.dialog('Confirm who you are');
    await dialog.waitFor();
    await assertUsableByAll(page, 'the request for a passkey');
    assert.equal(await dialog.getByLabel('Password').count(), 0);
    await dialog.getByRole('button', { name: 'Use a passkey' }).click();
    await actions.button('Remove the passkey Work laptop').waitFor({ state: 'detached' });
    record.expectRefusal(403);
  });

  it('stand beside an authenticator app, whose key is shown as a QR code', async () => {
    await actions.button('Add an authenticator app').click();
    await page.getByRole('img', { name: /^QR code for your authenticator app/ }).waitFor();
    const key = await page.getByLabel('Or enter this key in the app').inputValue();
    assert.match(key, /^[A-Z2-7]{32}$/);
    await inspect(page, 'the key of an authenticator app');
  });
});
