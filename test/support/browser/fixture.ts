import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';
import type { Role } from '../../../src/domain/enums.ts';
import { insertCompany } from '../../../src/features/companies/companies.ts';
import { insertCustomLink } from '../../../src/features/employees/custom-link.ts';
import type { CompanyId } from '../../../src/platform/db/company-scope.ts';
import type { Db } from '../../../src/platform/db/database.ts';
import { writeCompany } from '../../../src/platform/db/write.ts';
import { launchBrowser } from '../browser.ts';
import { createTestDatabase } from '../database.ts';
import { comingFirst, moveEnvironmentTo } from '../environment.ts';
import { anEmployee, makeEmployees } from '../factories.ts';
import { makeUser } from '../portal.ts';
import { prepare, standIn } from '../prepare.ts';
import { type Env, serve } from '../process.ts';
import { pageActionsOn } from './page-actions.ts';
import { type Login, signIn } from './visit.ts';
import { type Record, recordOf } from './watch.ts';

/** The fifth of the month: before the cut-off, and weeks before the next tickets. */
const today = comingFirst().add({ days: 4 });
export const nextMonth = comingFirst().add({ months: 1 });

export interface Fixture {
  origin: string;
  companyId: CompanyId;
  /** The test's own access to the database. */
  db: Db;
  /** Gives the employee without an HR id one. */
  linkOtto(hrId: string): Promise<number>;
  users: Readonly<{ [role in Role]: Login }>;
  /** Opens a separate browser context without stored state, and returns it with a record of what it did. */
  open(options?: BrowserContextOptions): Promise<{ context: BrowserContext; record: Record }>;
  close(): Promise<void>;
}

/** Returns an employee who was entered by hand. Every employee known to an HR system has an HR id. */
const withoutHrId = () =>
  anEmployee({
    first_name: 'Otto',
    last_name: 'Ohne',
    email: 'otto.ohne@example.com',
    subscription_status: 'scheduled',
    start_on: nextMonth.toString(),
    next_ticket_on: nextMonth.toString(),
    due_on: nextMonth.toString(),
  });

const openBrowser =
  (browser: Browser, origin: string) =>
  async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: 'en-GB',
      colorScheme: 'light',
      // Without motion, the pages neither fade nor slide, so no check sees a transition half-way.
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(120_000);
    return { context, record: recordOf(context, origin) };
  };

async function makeCompany(db: Db): Promise<Pick<Fixture, 'companyId' | 'users' | 'linkOtto'>> {
  await moveEnvironmentTo(db, today);
  const now = today.toZonedDateTime({ timeZone: 'Europe/Berlin', plainTime: '08:00' }).toInstant();
  const company = { name: 'Nordwind GmbH', planType: 'split-pay-plan', contributionCents: 2000 } as const;
  const companyId = await db.transaction().execute((tx) => insertCompany(tx, company, now));
  const [otto = 0] = await makeEmployees(db, companyId, [withoutHrId()]);
  const linkOtto = (hrId: string) =>
    writeCompany(db, companyId, (tx) => insertCustomLink(tx, companyId, { employeeId: otto, hrId }, { at: now }));
  const users = {
    admin: await makeUser({ db }, companyId, 'admin', { name: 'Ada Admin' }),
    hr: await makeUser({ db }, companyId, 'hr', { name: 'Hanna HR' }),
    payroll: await makeUser({ db }, companyId, 'payroll', { name: 'Paul Payroll' }),
    developer: await makeUser({ db }, companyId, 'developer', { name: 'Dora Dev' }),
    viewer: await makeUser({ db }, companyId, 'viewer', { name: 'Vera View' }),
  };
  return { companyId, users, linkOtto };
}

/** Starts a service, with these settings, one company, one user per role, and a browser. */
export async function openFixture(extra: Env = {}): Promise<Fixture> {
  await using stops = new AsyncDisposableStack();
  const { db, url, drop } = await createTestDatabase();
  stops.defer(drop);
  const company = await makeCompany(db);
  const folder = await mkdtemp(join(tmpdir(), 'transit-portal-'));
  stops.defer(() => rm(folder, { recursive: true, force: true }));
  const env = { DATABASE_URL: url, DATA_DIR: folder, DEMO: 'off', PORTAL: 'on', WEBHOOK_ALLOW_PRIVATE: 'on', ...extra };
  const service = await serve({ env });
  stops.defer(() => service.end('SIGTERM'));
  const browser = await launchBrowser();
  stops.defer(() => browser.close());
  const { origin } = new URL(service.url);
  const all = stops.move();
  return { ...company, db, origin, open: openBrowser(browser, origin), close: () => all.disposeAsync() };
}

interface PageOptions {
  /** More settings of the service, read when it starts. */
  env?: () => Env;
  browser?: BrowserContextOptions;
  /** Who is signed in. Absent: nobody. */
  as?: Role;
  /** Runs before the page is opened. */
  first?: (fixture: Fixture) => Promise<unknown>;
}

/** Opens a page of such a service for the tests of a suite. Each test must leave no error in its console. */
export function usePage({ env, browser, as, first }: PageOptions = {}) {
  const opened = prepare(
    async () => {
      await using stops = new AsyncDisposableStack();
      const fixture = await openFixture(env?.());
      stops.defer(fixture.close);
      await first?.(fixture);
      const { context, record } = await fixture.open(browser);
      stops.defer(() => context.close());
      const page = await context.newPage();
      if (as) await signIn(page, fixture.origin, fixture.users[as]);
      return { fixture, context, record, page, actions: pageActionsOn(page), stops: stops.move() };
    },
    ({ stops }) => stops.disposeAsync(),
  );
  afterEach(() => opened.record.assertClean());
  const page = standIn(() => opened.page);
  return {
    fixture: standIn(() => opened.fixture),
    context: standIn(() => opened.context),
    record: standIn(() => opened.record),
    actions: standIn(() => opened.actions),
    page,
    /** Waits until a text is shown. */
    see: (text: string | RegExp) => page.getByText(text).first().waitFor(),
  };
}
