import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { openFixture } from '../../support/browser/fixture.ts';
import { settled, signIn } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';
import { useResource } from '../../support/prepare.ts';

/** Covers what German readers see, and that their language follows them. */
describe('the language of the portal in a browser', { skip: noBrowser }, () => {
  const fixture = useResource(openFixture);

  it('is that of the page when a field is not valid, not that of the browser', async () => {
    const { context } = await fixture.open({ locale: 'de-DE' });
    const page = await context.newPage();
    await page.goto(`${fixture.origin}/sign-in`);
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByText('Füllen Sie dieses Feld aus.').first().waitFor();
    const email = page.getByLabel('E-Mail');
    assert.equal(await email.getAttribute('aria-invalid'), 'true');
    await email.fill('nobody');
    await page.getByRole('button', { name: 'Anmelden' }).click();
    await page.getByText('Geben Sie eine E-Mail-Adresse ein, etwa name@example.com.').waitFor();
    await context.close();
  });

  it('is kept with the account, and exports are written in it', async () => {
    const here = await fixture.open();
    const page = await here.context.newPage();
    await signIn(page, fixture.origin, fixture.users.admin);
    await page.getByRole('button', { name: 'Language: English' }).click();
    const kept = page.waitForResponse((response) => response.url().endsWith('/me/language'));
    await page.getByRole('menuitem', { name: 'Deutsch' }).click();
    assert.equal((await kept).status(), 204);
    await here.context.close();

    const elsewhere = await fixture.open();
    const other = await elsewhere.context.newPage();
    await other.goto(`${fixture.origin}/sign-in`);
    await other.getByLabel('Email').fill(fixture.users.admin.email);
    await other.getByRole('textbox', { name: 'Password' }).fill(fixture.users.admin.password);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('navigation', { name: 'Hauptnavigation' }).waitFor({ state: 'attached' });
    await other.goto(`${fixture.origin}/employees`);
    await settled(other);
    const saving = other.waitForEvent('download');
    await other.getByRole('button', { name: 'Exportieren (CSV)' }).click();
    const file = await readFile(await (await saving).path(), 'utf8');
    assert.match(file, /^\uFEFFNummer;HR-ID;Vorname;Nachname;/);
    assert.match(file, /;Otto;Ohne;otto\.ohne@example\.com;Geplant;/);
    await elsewhere.context.close();
  });
});
