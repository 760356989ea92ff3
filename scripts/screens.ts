import type { APIRequestContext, Page } from 'playwright-core';
import type { Overview } from '../src/portal/overview/schema.ts';
import { asTable } from '../test/browser/portal/rosters.ts';
import { findCorrection, invite, prepareScreenData, warnedRoster } from './screen-fixture.ts';

/** A page to capture: its path, and the steps to take there first. */
export interface Screen {
  name: string;
  path: string;
  prepare?(page: Page): Promise<unknown>;
  /** Changes what other screens show, so it is captured after them. */
  isLast?: boolean;
}

/** Screens of a user who is not signed in. */
export const screensOutside: Screen[] = [
  { name: 'sign-in', path: '/sign-in' },
  { name: 'invitation-gone', path: '/invitation/gone' },
];

const roster = [
  'hrId,firstName,lastName,email,startDate,autoSyncEmployee,absences',
  'E-7001,Greta,Sommer,greta.sommer@musterwerk.example,2026-01-01,true,',
  'E-7002,Emil,Winter,emil.winter@musterwerk.example,,true,2027-01-01/2027-03-31',
];

/** Clicks the first button in the page header, which opens the main action of the page. */
const openDialog = async (page: Page) => {
  await page.locator('main h1').locator('xpath=ancestor::div[3]').getByRole('button').first().click();
  await page.getByRole('dialog').waitFor();
};

const upload = (lines: string[]) => async (page: Page) => {
  await page.locator('input[type=file]').setInputFiles(asTable('roster.csv', lines));
  await page.locator('main section, main [role=alert]').first().waitFor();
};

const decide = async (page: Page) => {
  await openMenu(page);
  await page.getByRole('menuitem').first().click();
  await page.getByRole('dialog').locator('section').waitFor();
};

async function openMenu(page: Page) {
  await page.locator('main button[aria-haspopup=menu]').first().click();
  await page.getByRole('menu').waitFor();
}

/** Returns every page of the demo company, and the important dialogs. */
export async function findScreens(request: APIRequestContext, origin: string): Promise<Screen[]> {
  const read = async <T>(path: string): Promise<T> =>
    (await (await request.get(`${origin}/portal/api${path}`)).json()).data;
  const first = async (query: string) => {
    const { data } = await read<{ data: { id: number }[] }>(`/employees?perPage=1&${query}`);
    return `/employees/${data[0]?.id}`;
  };
  const { waiting, integrations } = await read<Overview>('/overview');
  const held = waiting.find((item) => item.kind === 'pending-removals');
  const unhealthy = waiting.find((item) => item.kind === 'integration-unhealthy');
  const [main] = integrations;
  const fresh = integrations.find(({ canTriggerSync, lastSyncId }) => canTriggerSync && lastSyncId === null);
  const { data: syncs } = await read<{ data: { syncId: string; counts: { updated: number } }[] }>(
    `/integrations/${main?.id}/syncs?perPage=100`,
  );
  const changing = syncs.find(({ counts }) => counts.updated > 0);
  const [period] = await read<{ period: string }[]>('/billing');
  const sync = (id: number | undefined, syncId = '') => `/integrations/${id}/syncs/${encodeURIComponent(syncId)}`;
  return [
    { name: 'overview', path: '/' },
    { name: 'employees', path: '/employees' },
    {
      name: 'employees-filtered',
      path: '/employees?search=an&subscriptionStatuses=active&subscriptionStatuses=paused',
    },
    { name: 'employees-none', path: '/employees?search=nobody+at+all' },
    { name: 'employee-active', path: await first('subscriptionStatuses=active') },
    { name: 'employee-paused', path: await first('subscriptionStatuses=paused') },
    { name: 'employee-leaving', path: await first('subscriptionStatuses=scheduled-cancellation') },
    { name: 'employee-pending', path: await first('subscriptionStatuses=scheduled') },
    { name: 'employee-none', path: await first('subscriptionStatuses=no-subscription') },
    { name: 'employee-actions', path: await first('subscriptionStatuses=active'), prepare: openMenu },
    { name: 'employee-decision', path: await first('subscriptionStatuses=active'), prepare: decide },
    { name: 'employee-missing', path: '/employees/999999' },
    { name: 'integrations', path: '/integrations' },
    { name: 'integrations-new', path: '/integrations', prepare: openDialog },
    { name: 'integration-main', path: `/integrations/${main?.id}` },
    { name: 'integration-held', path: `/integrations/${held?.integrationId}` },
    { name: 'integration-unhealthy', path: `/integrations/${unhealthy?.integrationId}` },
    { name: 'integration-new', path: `/integrations/${fresh?.id}` },
    { name: 'upload', path: `/integrations/${fresh?.id}/upload` },
    { name: 'upload-preview', path: `/integrations/${fresh?.id}/upload`, prepare: upload(roster) },
    { name: 'upload-warnings', path: `/integrations/${fresh?.id}/upload`, prepare: upload(warnedRoster) },
    { name: 'upload-help', path: `/integrations/${fresh?.id}/upload`, prepare: unfold },
    {
      name: 'upload-problems',
      path: `/integrations/${fresh?.id}/upload`,
      prepare: upload([...roster, 'E-7001,,Sommer,nowhere,2026-02-30,maybe,']),
    },
    { name: 'sync', path: sync(main?.id, changing?.syncId) },
    { name: 'sync-held', path: sync(held?.integrationId, held?.syncId) },
    { name: 'sync-approved', path: sync(held?.integrationId, held?.syncId), prepare: approve, isLast: true },
    { name: 'sync-held-decision', path: sync(held?.integrationId, held?.syncId), prepare: openHeld },
    {
      name: 'sync-failed',
      path: sync(
        unhealthy?.integrationId,
        integrations.find(({ id }) => id === unhealthy?.integrationId)?.lastSyncId ?? '',
      ),
    },
    { name: 'billing', path: '/billing' },
    { name: 'billing-period', path: `/billing/${period?.period}` },
    { name: 'invoices', path: '/invoices' },
    { name: 'billing-correction', path: await findCorrection(request, origin) },
    { name: 'payroll', path: '/payroll' },
    { name: 'keys', path: '/keys' },
    { name: 'keys-new', path: '/keys', prepare: openDialog },
    { name: 'activity', path: '/activity' },
    { name: 'activity-details', path: '/activity', prepare: unfold },
    { name: 'activity-sign-ins', path: '/activity?action=session.' },
    { name: 'activity-company', path: '/activity?action=company.' },
    { name: 'users', path: '/users' },
    { name: 'users-invite', path: '/users', prepare: openDialog },
    {
      name: 'invitation',
      path: await invite(request, origin, { email: 'new.colleague@musterwerk.example', role: 'viewer' }),
    },
    { name: 'getting-started', path: '/getting-started' },
    { name: 'settings', path: '/settings' },
    { name: 'settings-wrong', path: '/settings', prepare: enterWrongLocale },
    { name: 'time-travel', path: '/time-travel' },
    { name: 'time-travel-confirm', path: '/time-travel', prepare: openTravelConfirmation },
    { name: 'account', path: '/account' },
    { name: 'not-found', path: '/nowhere' },
  ];
}

async function openHeld(page: Page) {
  await page.locator('main section.waiting').getByRole('button').first().click();
  await page.getByRole('dialog').waitFor();
}

/** Expands everything that is collapsed on the page. */
async function unfold(page: Page) {
  const folded = page.locator('main [aria-expanded=false]:not([aria-haspopup])');
  while ((await folded.count()) > 0) await folded.first().click();
}

async function unfoldFirst(page: Page) {
  await page.locator('main [aria-expanded=false]:not([aria-haspopup])').first().click();
}

/** Opens the newest delivery in the log of an endpoint. */
async function openDelivery(page: Page) {
  await page.locator('main table button').first().click();
  await page.getByRole('dialog').locator('pre').last().waitFor();
}

async function enterWrongLocale(page: Page) {
  await page.locator('main form input').nth(1).fill('german');
  await page.locator('main form button[type=submit]').click();
  await page.locator('main [aria-invalid=true]').waitFor();
}

/** Requests to move the clock to the first day that the page offers. */
async function openTravelConfirmation(page: Page) {
  await page.locator('main form .mantine-Button-root').first().click();
  await page.locator('main form button[type=submit]').click();
  await page.getByRole('dialog').locator('li').first().waitFor();
}

/** Approves the pending removals. After the first screenshot none are pending any more. */
async function approve(page: Page) {
  const waiting = page.locator('main section.waiting');
  if ((await waiting.count()) === 0) return;
  await openHeld(page);
  const dialog = page.getByRole('dialog');
  const [count = ''] = /\d+/.exec(await dialog.getByRole('heading').innerText()) ?? [];
  await dialog.getByRole('textbox').fill(count);
  await dialog.getByRole('button').last().click();
  await waiting.waitFor({ state: 'detached' });
}

/** Opens an item of a user's menu, counted from the top. */
const chooseUserAction = (name: string, item: number) => async (page: Page) => {
  await page.getByRole('row').filter({ hasText: name }).getByRole('button').click();
  await page.getByRole('menuitem').nth(item).click();
  await page.getByRole('dialog').waitFor();
  await page.waitForLoadState('networkidle');
};

/** Returns screens of data that the demo lacks, and adds that data first. */
export async function addScreens(request: APIRequestContext, origin: string): Promise<Screen[]> {
  const { colleague, warned, webhooks } = await prepareScreenData(request, origin);
  return [
    { name: 'users-colleague', path: '/users' },
    { name: 'users-role', path: '/users', prepare: chooseUserAction(colleague, 0) },
    { name: 'users-sessions', path: '/users', prepare: chooseUserAction(colleague, 1) },
    { name: 'users-remove', path: '/users', prepare: chooseUserAction(colleague, 2) },
    { name: 'sync-warnings', path: warned },
    { name: 'webhooks', path: '/webhooks' },
    { name: 'webhooks-new', path: '/webhooks', prepare: openDialog },
    { name: 'webhook', path: webhooks.working },
    { name: 'webhook-delivery', path: webhooks.working, prepare: openDelivery },
    { name: 'webhook-failing', path: webhooks.failing },
    { name: 'webhook-refused', path: webhooks.failing, prepare: openDelivery },
    { name: 'events', path: '/events' },
    { name: 'events-payload', path: '/events', prepare: unfoldFirst },
  ];
}
