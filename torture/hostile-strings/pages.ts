import type { Page } from 'playwright-core';
import { type Login, settled, signIn } from '../../test/support/browser/visit.ts';
import { launchBrowser } from '../../test/support/browser.ts';

/** Elements that no page of ours contains. */
const foreign =
  'script:not([src]), iframe, object, embed, base, meta[http-equiv="refresh"], img[src="x"], svg[onload], math, [onerror], [onload], [onfocus], [onmouseover], [onclick], a[href^="javascript:" i]';

const look = `({
  isHarmed: '__pwned' in window,
  elements: [...document.querySelectorAll(${JSON.stringify(foreign)})].map((element) => element.outerHTML.slice(0, 80)),
})`;

async function findInPage(page: Page, path: string): Promise<string[]> {
  const { isHarmed, elements } = await page.evaluate<{ isHarmed: boolean; elements: string[] }>(look);
  return [...(isHarmed ? [`${path}: a script ran`] : []), ...elements.map((element) => `${path}: ${element}`)];
}

/** Opens every address as a signed-in user. Returns what is on the pages that we did not put there. */
export async function findInPages(origin: string, login: Login, paths: string[]): Promise<string[]> {
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    context.setDefaultTimeout(30_000);
    const page = await context.newPage();
    const found: string[] = [];
    page.on('dialog', (dialog) => {
      found.push(`${page.url()}: a dialog`);
      dialog.dismiss().catch(() => {});
    });
    context.on('weberror', (error) => found.push(`${page.url()}: ${error.error().message}`));
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (/^https?:$/.test(url.protocol) && url.origin !== origin) found.push(`${page.url()} requests ${url.origin}`);
    });
    await signIn(page, origin, login);
    for (const path of paths) {
      await page.goto(`${origin}${path}`);
      // The pages know no address with a line break. The error page responds to it.
      const broken = page.getByRole('button', { name: 'Load the page again' }).waitFor();
      await Promise.any([settled(page), broken]).catch(() => found.push(`${path}: never became a page`));
      found.push(...(await findInPage(page, path)));
    }
    return found;
  } finally {
    await browser.close();
  }
}
