import assert from 'node:assert/strict';
import { afterEach } from 'node:test';
import { type BrowserContext, type BrowserContextOptions, devices, type Page } from 'playwright-core';
import { language as german } from '../../../my/src/languages/de.ts';
import { language as english } from '../../../my/src/languages/en.ts';
import { createAccessLink } from '../../../src/features/employee-access/links.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { makeEmployee } from '../factories.ts';
import type { NewEmployee } from '../insert-employees.ts';
import { prepare, standIn } from '../prepare.ts';
import type { Env } from '../process.ts';
import { updateRows } from '../rows.ts';
import { startSmtpServer } from '../smtp.ts';
import { until } from '../until.ts';
import { signInQuietly } from './demo.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { assertFits, assertUsableByAll } from './inspect.ts';
import type { Record } from './watch.ts';

const languages = { de: german, en: english };
export type MyLanguage = keyof typeof languages;
type Texts = (typeof english)['texts'];

/** Returns a function that finds the texts of the page in a language. */
export const textsOf =
  (language: MyLanguage) =>
  (key: keyof Texts, values: { [name: string]: string | number } = {}): string =>
    languages[language].texts[key].replace(/\{(\w+)\}/g, (_all, name: string) => String(values[name] ?? ''));

/** Returns how the page writes a month, such as `November 2026`. */
export const monthIn = (language: MyLanguage, day: Temporal.PlainDate): string =>
  new Intl.DateTimeFormat(languages[language].locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    new Date(`${day.toString()}T00:00:00Z`),
  );

/** A phone with a browser of its own. */
export interface Phone {
  context: BrowserContext;
  page: Page;
  record: Record;
  /** Waits for the heading of a screen. */
  see(title: string | RegExp): Promise<void>;
  press(name: string): Promise<void>;
}

export interface MyFixture extends Fixture {
  smtp: Awaited<ReturnType<typeof startSmtpServer>>;
  openPhone(language: MyLanguage, options?: BrowserContextOptions): Promise<Phone>;
  addEmployee(fields?: Partial<NewEmployee>): Promise<number>;
  /** Returns a link with which an employee gets in, as the operator creates it. */
  linkFor(employeeId: number): Promise<string>;
  /** Returns the first link of the newest mail to an address that matches. Waits until it has come. */
  mailedLink(to: string, pattern: RegExp): Promise<string>;
  /** Moves the clock of the environment and processes each day until then. */
  travelTo(day: Temporal.PlainDate): Promise<void>;
  /** Calls the portal as an administrator. */
  asAdmin(path: string, data: object): Promise<void>;
}

async function openMyFixture(env: Env): Promise<MyFixture> {
  const smtp = await startSmtpServer();
  const fixture = await openFixture({ ...smtp.env, MAIL_ALLOW: '*@example.com', ...env });
  const { origin, db, companyId, users } = fixture;
  await updateRows(db, 'companies', { id: companyId }, { joining: 'employee' });
  const admin = await fixture.open();
  await signInQuietly(admin.context, origin, users.admin);
  const asAdmin = async (path: string, data: object) => {
    const response = await admin.context.request.post(`${origin}/portal/api${path}`, {
      headers: { origin },
      data,
      timeout: 300_000,
    });
    assert(response.ok(), `${path}: ${response.status()} ${await response.text()}`);
  };
  return {
    ...fixture,
    smtp,
    asAdmin,
    async openPhone(language, options = {}) {
      const { viewport, userAgent, isMobile, hasTouch } = devices['Pixel 7'] as BrowserContextOptions;
      const { context, record } = await fixture.open({
        ...{ viewport: { width: 390, height: viewport?.height ?? 844 }, isMobile: isMobile ?? true },
        ...{ hasTouch: hasTouch ?? true, locale: languages[language].locale },
        ...(userAgent === undefined ? {} : { userAgent }),
        ...options,
      });
      const page = await context.newPage();
      return {
        ...{ context, page, record },
        see: (title) => page.getByRole('heading', { level: 1, name: title }).waitFor(),
        press: (name) =>
          page
            .getByRole('button', { name, exact: true })
            .or(page.getByRole('link', { name, exact: true }))
            .first()
            .click(),
      };
    },
    addEmployee: (fields = {}) =>
      makeEmployee(db, companyId, {
        ...{ first_name: 'Jürgen', last_name: 'Größe', plan_type: 'split-pay-plan', contribution_cents: 2000 },
        ...fields,
      }),
    linkFor: (employeeId) =>
      writeCompany(db, companyId, (tx) =>
        createAccessLink(tx, { config: { publicUrl: origin } }, { companyId, employeeId, by: {} }),
      ),
    async mailedLink(to, pattern) {
      const find = () =>
        smtp.received
          .filter((mail) => mail.to.includes(to))
          .map(({ text }) => pattern.exec(text)?.[0])
          .findLast((link) => link !== undefined);
      await until(`a link was mailed to ${to}`, () => find() !== undefined);
      return find() ?? '';
    },
    travelTo: (day) => asAdmin('/time-travel', { to: day.toString(), confirm: 1 }),
    async close() {
      await fixture.close();
      await smtp.stop();
    },
  };
}

/** Starts such a service for the tests of a suite. Each test must leave no error in the consoles of the phones. */
export function useMyFixture(env: () => Env = () => ({})) {
  const phones: Phone[] = [];
  const made = prepare(
    () => openMyFixture(env()),
    (fixture) => fixture.close(),
  );
  afterEach(() => {
    for (const { record } of phones) record.assertClean();
  });
  return {
    fixture: standIn(() => made),
    async openPhone(language: MyLanguage, options: BrowserContextOptions = {}): Promise<Phone> {
      const phone = await made.openPhone(language, options);
      phones.push(phone);
      return phone;
    },
  };
}

/** Runs in the page. Returns the name of what has the focus, and whether everybody can see that. */
const focused = `(() => {
  const element = document.activeElement;
  // After the last element, the browser itself has the focus.
  if (element === document.body) return { name: '', isVisible: true };
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const name = element.getAttribute('aria-label') ?? element.innerText ?? '';
  return { name: name.trim(), isVisible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 };
})()`;

/** Presses what has this name by the keyboard alone. Everything on the way must show that it has the focus. */
export async function pressByKeyboard(page: Page, wanted: string): Promise<void> {
  await page
    .getByRole('button', { name: wanted })
    .or(page.getByRole('link', { name: wanted }))
    .first()
    .waitFor();
  const passed: string[] = [];
  while (passed.length < 40) {
    await page.keyboard.press('Tab');
    const { name, isVisible } = await page.evaluate<{ name: string; isVisible: boolean }>(focused);
    assert(isVisible, `The focus on "${name}" cannot be seen.`);
    if (name === wanted) return page.keyboard.press('Enter');
    passed.push(name);
  }
  assert.fail(`"${wanted}" cannot be reached by the keyboard. Passed: ${passed.join(', ')}`);
}

/** Runs in the page. Opening must not create the database. */
const reading = `new Promise((resolve, reject) => {
  const opening = indexedDB.open('my-page');
  opening.onerror = () => resolve({});
  opening.onupgradeneeded = () => opening.transaction.abort();
  opening.onsuccess = async () => {
    const store = opening.result.transaction('kept').objectStore('kept');
    const [names, rows] = await Promise.all(
      [store.getAllKeys(), store.getAll()].map((request) => new Promise((done) => {
        request.onsuccess = () => done(request.result);
      })),
    );
    opening.result.close();
    const { key, tickets } = Object.fromEntries(names.map((name, index) => [name, rows[index]]));
    const plain = tickets && new TextDecoder('latin1').decode(tickets.bytes);
    resolve({ extractable: key?.extractable, algorithm: key?.algorithm.name, plain });
  };
})`;

/** What a device stores: whether scripts could read its key, and what of the tickets is encrypted. */
interface StoredOnDevice {
  extractable?: boolean;
  algorithm?: string;
  plain?: string;
}

/** Returns what the page has stored in the database of its browser. Nothing has no properties. */
export const readDevice = (page: Page): Promise<StoredOnDevice> => page.evaluate<StoredOnDevice>(reading);

/**
 * Checks a screen for everybody: without findings of axe-core in light, dark and high contrast, and with nothing wider than
 * the phone, also at 320 pixels, which is twice the size of text on a window of 640.
 */
export async function inspectPhone(page: Page, where: string): Promise<void> {
  await assertUsableByAll(page, where, { isStrict: true });
  await page.emulateMedia({ colorScheme: 'dark' });
  await assertUsableByAll(page, `${where}, dark`, { onlyColours: true });
  await page.emulateMedia({ contrast: 'more' });
  await assertUsableByAll(page, `${where}, dark, high contrast`, { onlyColours: true });
  await page.emulateMedia({ colorScheme: 'light' });
  await assertUsableByAll(page, `${where}, high contrast`, { onlyColours: true });
  await page.emulateMedia({ contrast: null });
  await assertFits(page, where);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  await assertFits(page, `${where} at 320 pixels`);
  if (size) await page.setViewportSize(size);
}
