import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { type Demo, openDemo, signInQuietly } from '../test/support/browser/demo.ts';
import {
  addScreens,
  findScreens,
  myScreens,
  myScreensOutside,
  type Screen,
  screensOutside,
} from '../test/support/browser/screens.ts';
import { type Login, settled } from '../test/support/browser/visit.ts';
import { launchBrowser, noBrowser } from '../test/support/browser.ts';

/**
 * Takes screenshots of every page of the portal, and of the employee's page of the demo, into `screenshots/` for review: light and dark, desktop and phone. Uses
 * the demo in a separate folder by default. `--url U --email E --password P` uses a running service instead. `--only`
 * takes comma-separated prefixes of screen names. `--language de` shows the German pages. `--readme` only retakes the
 * two small screenshots of the README.
 */
const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    email: { type: 'string', default: '' },
    password: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    language: { type: 'string', default: 'en' },
    readme: { type: 'boolean', default: false },
  },
});

const target = join(import.meta.dirname, '../screenshots');
const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } } as const;
type Size = keyof typeof sizes;

/**
 * Makes the window as tall as the page. Keeps its size if a dialog is open, so that the dialog stays at its usual
 * place.
 */
async function showAll(page: Page): Promise<void> {
  const size = page.viewportSize();
  if (size === null || (await page.getByRole('dialog').count()) > 0) return;
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width: size.width, height });
}

async function take(page: Page, origin: string, screen: Screen, size: Size): Promise<void> {
  await page.setViewportSize(sizes[size]);
  await page.goto(`${origin}${screen.path}`);
  await settled(page);
  // Images load last.
  await page.waitForLoadState('networkidle');
  await screen.prepare?.(page);
  await showAll(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const path = join(target, `${screen.name}-${size}-${colorScheme}.png`);
    await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  }
  await page.unrouteAll();
  process.stdout.write(`${screen.name}-${size}\n`);
}

/** The link signs in one browser only, which therefore takes both sizes. */
async function takeMine(browser: Browser, { origin, myLink }: Demo): Promise<void> {
  const wanted = ({ name }: Screen) => options.only.split(',').some((begin) => name.startsWith(begin));
  const takeBoth = async (page: Page, screens: readonly Screen[]) => {
    for (const size of Object.keys(sizes) as Size[]) {
      for (const screen of screens.filter(wanted)) await take(page, origin, screen, size);
    }
  };
  const context = await openContext(browser);
  const page = await context.newPage();
  await takeBoth(page, myScreensOutside);
  await page.goto(myLink);
  await page.locator('main button').click();
  await page.locator('nav').waitFor();
  await takeBoth(page, myScreens);
  await context.close();
}

async function takeAll(browser: Browser, origin: string, login: Login): Promise<void> {
  const wanted = ({ name }: Screen) => options.only.split(',').some((begin) => name.startsWith(begin));
  const inside = async (isLast: boolean, screens: readonly Screen[]) => {
    for (const size of Object.keys(sizes) as Size[]) {
      const context = await openContext(browser);
      const page = await context.newPage();
      if (!isLast) for (const screen of screensOutside.filter(wanted)) await take(page, origin, screen, size);
      await signInQuietly(context, origin, login);
      for (const screen of screens.filter(wanted)) {
        if ((screen.isLast ?? false) === isLast) await take(page, origin, screen, size);
      }
      await context.close();
    }
  };
  const context = await openContext(browser);
  await signInQuietly(context, origin, login);
  const screens = await findScreens(context.request, origin);
  // Never adds data to a service that is in use.
  if (options.url === undefined) screens.push(...(await addScreens(context.request, origin)));
  await context.close();
  await inside(false, screens);
  if (options.url === undefined) await inside(true, screens);
}

const openContext = (browser: Browser) => browser.newContext({ locale: options.language, reducedMotion: 'reduce' });

/** Takes screenshots about 900 pixels wide, each smaller than 150 KB. */
async function takeForReadme(browser: Browser, origin: string, login: Login): Promise<void> {
  const context = await browser.newContext({ deviceScaleFactor: 0.7 });
  const page = await context.newPage();
  await signInQuietly(context, origin, login);
  const screens = await findScreens(context.request, origin);
  for (const [name, file, height] of [
    ['overview', 'portal-overview.png', 1200],
    ['employee-paused', 'portal-employee.png', 960],
  ] as const) {
    await page.setViewportSize({ width: 1280, height });
    await page.goto(`${origin}${screens.find((screen) => screen.name === name)?.path}`);
    await settled(page);
    await page.screenshot({ path: join(import.meta.dirname, '../docs/images', file) });
  }
}

if (noBrowser) throw new Error(`There are no pictures: ${noBrowser}.`);
const { url, email, password, readme, only } = options;
if (!readme && only === '') await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
const browser = await launchBrowser();
try {
  const work = (origin: string, login: Login) => (readme ? takeForReadme : takeAll)(browser, origin, login);
  if (url === undefined) {
    await using demo = await openDemo();
    await work(demo.origin, demo.login);
    if (!readme) await takeMine(browser, demo);
  } else await work(url, { email, password });
} finally {
  await browser.close();
}
