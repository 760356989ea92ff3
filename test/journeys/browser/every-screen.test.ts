import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { matchesGlob } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { fields } from '../../../portal/src/features/activity/texts.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { type Demo, openDemo, signInQuietly } from '../../support/browser/demo.ts';
import { findBarriers, findTooWide, switchToDark } from '../../support/browser/inspect.ts';
import { layoutShiftOf, recordLayoutShifts } from '../../support/browser/layout-shifts.ts';
import { addScreens, findScreens, type Screen, screensOutside } from '../../support/browser/screens.ts';
import { settled } from '../../support/browser/visit.ts';
import { type Record, recordOf } from '../../support/browser/watch.ts';
import { launchBrowser, noBrowser } from '../../support/browser.ts';
import { createTestDatabase } from '../../support/database.ts';

/** Each language has the screen where it is more likely to break: German words are longer. */
const visits: readonly BrowserContextOptions[] = [
  { locale: 'en-GB', viewport: { width: 1280, height: 900 } },
  { locale: 'de-DE', viewport: { width: 390, height: 844 } },
];

const maxShift = 0.1;

/** What is open above a page. The page below it is a screen of its own. */
const within = '[role=dialog], [role=menu]';

/** Opens every page and dialog of the demo company, both languages at the same time. */
describe('every page and dialog', { skip: noBrowser }, () => {
  const stops = new AsyncDisposableStack();
  let demo: Demo;
  let db: Db;
  let browser: Browser;
  let screens: Screen[];
  before(async () => {
    const database = await createTestDatabase();
    stops.defer(database.drop);
    db = database.db;
    demo = stops.use(await openDemo({ DATABASE_URL: database.url }));
    browser = await launchBrowser();
    stops.defer(() => browser.close());
    const context = await browser.newContext();
    await signInQuietly(context, demo.origin, demo.login);
    screens = await findScreens(context.request, demo.origin);
    screens.push(...(await addScreens(context.request, demo.origin)));
    await context.close();
  });
  after(() => stops.disposeAsync());

  it('has a screen here', async () => {
    const source = await readFile(new URL('../../../portal/src/app/routes.tsx', import.meta.url), 'utf8');
    const routes = [...source.matchAll(/path: '(\/[^']*)'/g)].map(([, route = '']) => route.replace(/:\w+/g, '*'));
    assert(routes.length > 25);
    const paths = [...screensOutside, ...screens].map(({ path }) => new URL(path, demo.origin).pathname);
    const missing = routes.filter((route) => !paths.some((path) => matchesGlob(path, route)));
    assert.deepEqual(missing, []);
  });

  /** Returns what is wrong with a screen. */
  async function check(page: Page, screen: Screen, record: Record): Promise<string[]> {
    await page.goto(`${demo.origin}${screen.path}`);
    await settled(page);
    const shift = await layoutShiftOf(page);
    await screen.prepare?.(page);
    const light = await findBarriers(page, { within });
    await switchToDark(page);
    const dark = await findBarriers(page, { within, onlyColours: true });
    const wide = await findTooWide(page, 2_000);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.unrouteAll();
    if (screen.refused !== undefined) record.expectRefusal(screen.refused);
    return [
      ...(shift > maxShift ? [`moves by ${shift.toFixed(3)} while it loads`] : []),
      ...light,
      ...dark.map((barrier) => `dark: ${barrier}`),
      ...wide.map((element) => `too wide: ${element}`),
    ];
  }

  /** Opens the screens one after another in one language, as a user who has just signed in, or as nobody. */
  async function visit(options: BrowserContextOptions, some: readonly Screen[], isSignedIn: boolean) {
    const context = await browser.newContext({ ...options, colorScheme: 'light', reducedMotion: 'reduce' });
    context.setDefaultTimeout(60_000);
    const record = recordOf(context, demo.origin);
    await recordLayoutShifts(context);
    if (isSignedIn) await signInQuietly(context, demo.origin, demo.login);
    const page = await context.newPage();
    const faults: string[] = [];
    for (const screen of some) {
      const found = await check(page, screen, record).catch((error) => [String(error)]);
      faults.push(...found.map((fault) => `${screen.name} ${options.locale}: ${fault}`));
    }
    await context.close();
    assert.deepEqual(faults, []);
    record.assertClean();
  }

  const rule = 'can be used by all in both languages and themes, moves nothing, and fits on a phone';

  it(`${rule}: without a session`, async () => {
    await Promise.all(visits.map((options) => visit(options, screensOutside, false)));
  });

  // Not one test for all: the runner expects a sign of life now and then.
  const parts = 4;
  for (let part = 0; part < parts; part++) {
    it(`${rule}: part ${part + 1} of ${parts}`, async () => {
      const lasting = screens.filter(({ isLast }) => !isLast);
      const size = Math.ceil(lasting.length / parts);
      const some = lasting.slice(part * size, (part + 1) * size);
      await Promise.all(visits.map((options) => visit(options, some, true)));
    });
  }

  it(`${rule}: after changes`, async () => {
    const changing = screens.filter(({ isLast }) => isLast);
    for (const options of visits) await visit(options, changing, true);
  });

  it('names everything that the activity has recorded', async () => {
    const recorded = await sql<{ field: string }>`
      select distinct f.field from audit_log l, jsonb_object_keys(l.detail) as f (field)`.execute(db);
    assert(recorded.rows.length > 20, 'the demo has recorded something');
    const names = recorded.rows.map(({ field }) =>
      field.replaceAll(/_([a-z])/g, (_all, letter) => letter.toUpperCase()),
    );
    assert.deepEqual(
      names.filter((name) => name !== 'message' && !(name in fields)),
      [],
    );
  });
});
