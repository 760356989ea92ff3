import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { assertFits, assertUsableByAll } from '../../support/browser/inspect.ts';
import { recordOf } from '../../support/browser/watch.ts';
import { launchBrowser, noBrowser } from '../../support/browser.ts';
import { freePort } from '../../support/process.ts';

describe('the documentation in a browser', { skip: noBrowser }, () => {
  let app: TestApp;
  let browser: Browser;
  let origin: string;
  before(async () => {
    const port = await freePort();
    origin = `http://localhost:${port}`;
    app = await startTestApp({ env: { PUBLIC_URL: origin }, port });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await app.close();
  });

  const open = async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
    return { page: await context.newPage(), record: recordOf(context, origin) };
  };

  it('has no barrier on any page, light and dark, and fits on a phone', async () => {
    const { page, record } = await open();
    await page.goto(`${origin}/docs/`);
    const links = await page.locator('nav.side a').all();
    const paths = await Promise.all(links.map((link) => link.getAttribute('href')));
    assert(paths.length > 25);
    const inGerman = ['/docs/', '/docs/payroll', '/docs/webhooks', '/docs/search?q=DATEV'].map(
      (path) => `${path}${path.includes('?') ? '&' : '?'}lang=de`,
    );
    for (const path of ['/docs/', '/docs/errors', ...paths, ...inGerman]) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.goto(`${origin}${path}`);
      await assertUsableByAll(page, `${path}, light`, { isStrict: true });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.setViewportSize({ width: 390, height: 844 });
      await assertUsableByAll(page, `${path}, dark, on a phone`, { isStrict: true });
      await assertFits(page, path ?? '');
    }
    record.assertClean();
    await page.context().close();
  });

  it('finds errors by search and says how many', async () => {
    const { page, record } = await open();
    await page.goto(`${origin}/docs/errors`);
    await page.getByLabel('Search errors').fill('roster body');
    await page
      .getByRole('status')
      .getByText(/^\d of \d+ entries$/)
      .waitFor();
    assert.equal(await page.locator('#invalid-credentials').isVisible(), false);
    await page.getByLabel('Search errors').fill('');
    await page.locator('#invalid-credentials').waitFor();
    record.assertClean();
    await page.context().close();
  });

  it('finds a section by a word, also without scripts, in the language that was chosen', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${origin}/docs/`);
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { level: 1, name: 'Hilfe' }).waitFor();
    await page.getByLabel('Anleitungen durchsuchen').fill('DATEV LODAS');
    await page.getByRole('button', { name: 'Suchen' }).click();
    await page.getByRole('link', { name: 'Lohnexport › DATEV LODAS' }).click();
    await page.waitForURL(`${origin}/docs/payroll#datev-lodas`);
    await page.getByRole('heading', { level: 1, name: 'Lohnexport' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Zurück zum Portal' }).getAttribute('href'), '/');
    await context.close();
  });

  it('leads back to the portal, and old addresses to the new pages', async () => {
    const { page } = await open();
    await page.goto(`${origin}/docs/#tag/events`);
    await page.waitForURL(`${origin}/docs/reference/events`);
    await page.getByRole('link', { name: 'Read the guide' }).click();
    await page.getByRole('heading', { level: 1, name: 'Follow what happens' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'Back to the portal' }).getAttribute('href'), '/');
    await page.context().close();
  });
});
