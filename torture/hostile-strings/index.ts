import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { atLeast, info, type Metric, noneOf } from '../../harness/metrics.ts';
import type { Context, Scenario } from '../../harness/scenario.ts';
import { createRandom } from '../../src/operator/demo/random.ts';
import { type Login, settled, signIn } from '../../test/support/browser/visit.ts';
import { launchBrowser, noBrowser } from '../../test/support/browser.ts';
import { comingFirst, moveEnvironmentTo } from '../../test/support/environment.ts';
import { until } from '../../test/support/until.ts';
import { walletEnv } from '../../test/support/wallets.ts';
import { type Fixture, withFixture } from '../support/fixture.ts';
import { RecordingClient, readCookies, readData } from '../support/http-client.ts';
import { makeTestCompany } from '../support/test-company.ts';
import {
  checkConfirmations,
  checkDocuments,
  checkPasses,
  checkPayroll,
  checkReference,
  findInLog,
  findInResponses,
} from './checks.ts';
import { entryOf, isName, makeHostile, tryFields } from './fields.ts';

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

async function findInPages(origin: string, login: Login, paths: string[]): Promise<string[]> {
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

/** How many texts there are, how many of them are passed to commands, and how many pages a browser opens. */
type HostilePlan = Record<'texts' | 'commands' | 'pages', number>;

/** Starts the service with a company and a user, on the fifth: before the cut-off, so that tickets come in `month`. */
async function prepare(fixture: Fixture, plan: HostilePlan, { seed, log }: Context) {
  const { db, urls, folder, startApi } = fixture;
  await moveEnvironmentTo(db, comingFirst().add({ days: 4 }));
  const month = comingFirst().add({ months: 1 });
  const texts = makeHostile(plan.texts, createRandom(seed));
  const names = texts.filter(({ text }) => isName(text, 200));
  const company = await makeTestCompany(db, {}, names[0]?.text.trim());
  const portal = plan.pages > 0 ? 'on' : 'off';
  const api = await startApi({ ...walletEnv, LOG_LEVEL: 'trace', WORKER: 'on', PORTAL: portal });
  const client = new RecordingClient(api.url);
  const { email, password } = company.user;
  const cookie = readCookies(await client.portal('/auth/sign-in/email', { email, password }));
  return { ...company, db, databaseUrl: urls.url, folder, api, client, cookie, texts, names, month, log };
}

export type HostileContext = Awaited<ReturnType<typeof prepare>>;

async function applyRoster(context: HostileContext): Promise<void> {
  const { db, companyId, authorization, integrationId, client, cookie, names, month } = context;
  const syncId = names[0]?.text.trim() ?? '';
  const body = { syncId, employees: names.map(({ text, mark }) => entryOf(text, mark)) };
  const path = `/v1/hr-integrations/${integrationId}/sync`;
  const pushed = await client.record(path, { method: 'POST', headers: { authorization }, body });
  if (pushed.status !== 204) throw new Error(`The roster returned ${pushed.status}: ${pushed.body}`);
  await until('the roster is applied', async () => {
    const { rows } = await sql<{ state: string }>`select state from syncs where sync_id = ${syncId}`.execute(db);
    return rows[0]?.state === 'succeeded';
  });
  const travelled = await client.portal('/time-travel', { to: month.toString(), confirm: 1 }, cookie);
  if (travelled.status !== 200) throw new Error(travelled.text);
  await until('the confirmations are written', async () => {
    const { rows } = await sql<{ written: number }>`
      select count(*) as written from documents where company_id = ${companyId} and kind = 'ticket-confirmation'
        and sha256 is not null`.execute(db);
    return rows[0]?.written === names.length;
  });
}

type Listed = { id: number; firstName: string; lastName: string; hrIntergartionLinks: { hrId: string }[] };

async function listEmployees({ client, authorization }: HostileContext): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let page = 1; ; page++) {
    const response = await client.record(`/v1/employees?perPage=100&page=${page}`, { headers: { authorization } });
    const { data, totalPages } = readData<{ data: Listed[]; totalPages: number }>(response);
    all.push(...data);
    if (page >= totalPages) return all;
  }
}

function findChanged({ names }: HostileContext, employees: Listed[]): string[] {
  const listed = new Map(employees.map((one) => [one.firstName, one]));
  const changed = names.filter(({ text }) => {
    const one = listed.get(text.trim());
    return one?.lastName !== text.trim() || one.hrIntergartionLinks[0]?.hrId !== text.trim();
  });
  return changed.map(({ family, mark }) => `${family} ${mark}`);
}

async function checkPages(context: HostileContext, pages: number, employees: Listed[]): Promise<Metric[]> {
  if (pages === 0) return [];
  if (noBrowser) throw new Error(noBrowser);
  const { api, user, integrationId, texts, names, month } = context;
  const encoded = texts.map(({ text }) => encodeURIComponent(text.toWellFormed().slice(0, 500)));
  const integration = `/integrations/${integrationId}`;
  const paths = [
    ...['/keys', '/integrations', '/employees', '/billing', '/payroll', '/activity', '/users', '/account', integration],
    `${integration}/syncs/${encodeURIComponent(names[0]?.text.trim() ?? '')}`,
    `/billing/${month}`,
    ...employees.slice(0, pages).map(({ id }) => `/employees/${id}`),
    ...encoded.slice(0, pages).map((text) => `/employees?search=${text}`),
    ...encoded.slice(0, 10).map((text) => `/nowhere/${text}`),
  ];
  const found = await findInPages(new URL(api.url).origin, user, paths);
  return [info('pages opened', paths.length), noneOf('faults in pages', found, context.log)];
}

async function attack(context: HostileContext, { commands, pages }: HostilePlan): Promise<Metric[]> {
  const { client, texts, names, api, log } = context;
  const { accepted, refused, failed, changed, misjudged } = await tryFields(context);
  await applyRoster(context);
  const employees = await listEmployees(context);
  return [
    info('hostile texts', texts.length),
    atLeast('texts accepted', accepted, texts.length),
    info('texts refused with a reason', refused),
    noneOf('texts that were neither accepted nor refused', failed, log),
    noneOf('texts that were stored changed', changed, log),
    noneOf('texts accepted that are not names, and names refused', misjudged, log),
    atLeast('employees with hostile names', names.length, Math.floor(texts.length / 2)),
    noneOf('names and ids that were stored changed', findChanged(context, employees), log),
    await checkPayroll(context),
    ...(await checkConfirmations(context)),
    ...(await checkDocuments(context, commands, employees[0]?.id ?? 0)),
    await checkPasses(context),
    await checkReference(context),
    ...(await checkPages(context, pages, employees)),
    info('responses in JSON', client.responses.length),
    noneOf('faults in responses', findInResponses(client.responses), log),
    info('log lines', api.output.stderr.split('\n').length - 1),
    noneOf('broken log lines', findInLog(api.output.stderr), log),
  ];
}

export const hostileStrings: Scenario<HostilePlan> = {
  name: 'hostile-strings',
  title: 'Hostile texts in every field',
  plans: { full: { texts: 500, commands: 10, pages: 60 }, quick: { texts: 15, commands: 0, pages: 0 } },
  run: (plan, context) => withFixture(async (fixture) => attack(await prepare(fixture, plan, context), plan)),
};
