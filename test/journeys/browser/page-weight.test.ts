import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Demo, openDemo, signInQuietly } from '../../support/browser/demo.ts';
import { findScreens } from '../../support/browser/screens.ts';
import { settled } from '../../support/browser/visit.ts';
import { launchBrowser, noBrowser } from '../../support/browser.ts';
import { createTestDatabase } from '../../support/database.ts';

interface Weight {
  path: string;
  requests: number;
  bytes: number;
  scriptBytes: number;
}

/** Limits what a browser without a cache loads for a page. A page that exceeds them must load something later, or leave it out. */
describe('what a page loads', { skip: noBrowser }, () => {
  const stops = new AsyncDisposableStack();
  let demo: Demo;
  let browser: Browser;
  before(async () => {
    const { url, drop } = await createTestDatabase();
    stops.defer(drop);
    demo = stops.use(await openDemo({ DATABASE_URL: url }));
    browser = await launchBrowser();
    stops.defer(() => browser.close());
  });
  after(() => stops.disposeAsync());

  /** Opens a page in a new browser profile and counts everything that comes over the network, compressed as it comes. */
  async function weigh(path: string, isSignedIn: boolean): Promise<Weight> {
    const context = await browser.newContext({ locale: 'de-DE' });
    if (isSignedIn) await signInQuietly(context, demo.origin, demo.login);
    const page = await context.newPage();
    const network = await context.newCDPSession(page);
    const weight: Weight = { path, requests: 0, bytes: 0, scriptBytes: 0 };
    // What is asked for again later, such as a state that changes, does not belong to opening the page.
    const addresses = new Set<string>();
    const opening = new Map<string, string>();
    network.on('Network.responseReceived', ({ requestId, type, response }) => {
      if (!addresses.has(response.url)) opening.set(requestId, type);
      weight.requests = addresses.add(response.url).size;
    });
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const type = opening.get(requestId);
      if (type !== undefined) weight.bytes += encodedDataLength;
      if (type === 'Script') weight.scriptBytes += encodedDataLength;
    });
    await network.send('Network.enable');
    await page.goto(`${demo.origin}${path}`, { waitUntil: 'networkidle' });
    await settled(page);
    await context.close();
    assert(weight.requests > 3 && weight.bytes > 50_000, `${path}: ${JSON.stringify(weight)}`);
    return weight;
  }

  it('is at most 25 requests and 300 kB, whichever page comes first', async () => {
    const context = await browser.newContext();
    await signInQuietly(context, demo.origin, demo.login);
    const screens = await findScreens(context.request, demo.origin);
    await context.close();
    const paths = new Set(screens.map(({ path }) => path.split('?')[0] ?? ''));
    assert(paths.size > 25);
    const weights: Weight[] = [];
    for (const path of paths) weights.push(await weigh(path, true));
    const tooHeavy = weights.filter(({ requests, bytes }) => requests > 25 || bytes > 300_000);
    assert.deepEqual(tooHeavy, []);
  });

  it('is at most 120 kB of script for the sign-in page', async () => {
    const { scriptBytes } = await weigh('/sign-in', false);
    assert(scriptBytes > 50_000 && scriptBytes <= 120_000, `${scriptBytes} bytes`);
  });
});
