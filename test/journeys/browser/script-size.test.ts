import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { BrowserContext, Page } from 'playwright-core';
import { type Fixture, openFixture } from '../../support/browser/fixture.ts';
import { settled, signIn } from '../../support/browser/visit.ts';
import { noBrowser } from '../../support/browser.ts';

/** Limits what a browser loads before it shows a page. A page that exceeds them must load something later, or leave it out. */
describe('the script that a page loads', { skip: noBrowser }, () => {
  let fixture: Fixture;
  let context: BrowserContext;
  before(async () => {
    fixture = await openFixture();
    ({ context } = await fixture.open());
  });
  after(async () => {
    await context?.close();
    await fixture?.close();
  });

  /** Opens a page and returns the bytes of its scripts, compressed with gzip as the limits are. */
  const measure = async (path: string, isShown: (page: Page) => Promise<unknown>) => {
    const page = await context.newPage();
    const scripts: Promise<number>[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return;
      scripts.push(response.body().then((body) => gzipSync(body).length));
    });
    await page.goto(`${fixture.origin}${path}`, { waitUntil: 'networkidle' });
    await isShown(page);
    const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0);
    await page.close();
    assert(bytes > 50_000, `${path}: ${bytes} bytes`);
    return bytes;
  };

  it('is at most 120 kB for the sign-in page', async () => {
    const bytes = await measure('/sign-in', settled);
    assert(bytes <= 120_000, `${bytes} bytes`);
  });

  it('is at most 260 kB for the overview', async () => {
    const page = await context.newPage();
    await signIn(page, fixture.origin, fixture.users.admin);
    await page.close();
    const bytes = await measure('/', settled);
    assert(bytes <= 260_000, `${bytes} bytes`);
  });
});
