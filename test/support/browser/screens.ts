import type { APIRequestContext, Page } from 'playwright-core';
import type { HrIntegration } from '../../../src/features/integrations/contract.ts';
import type { Policies } from '../../../src/features/policies/contract.ts';
import type { Overview } from '../../../src/portal/contract.ts';
import { findCorrection, invite, prepareScreenData, warnedRoster } from './screen-data.ts';
import * as steps from './screen-steps.ts';

/** A page of the portal: its path, and the steps to take there first. */
export interface Screen {
  name: string;
  path: string;
  prepare?(page: Page): Promise<unknown>;
  /** Changes what other screens show, so it is opened after them. */
  isLast?: boolean;
  /** The status with which the service refuses a request of this page. The browser reports it as an error. */
  refused?: number;
}

/** Screens of the employee's page. The first ones need no session. */
export const myScreensOutside: readonly Screen[] = [
  { name: 'my-enter', path: '/my' },
  { name: 'my-letter', path: '/my/letter/1' },
  { name: 'my-invitation-gone', path: '/my/invitation' },
];

export const myScreens: readonly Screen[] = [
  { name: 'my-ticket', path: '/my' },
  { name: 'my-ticket-large', path: '/my', prepare: (page) => page.locator('.ticket-code').click() },
  { name: 'my-replacement', path: '/my/ticket/unreadable' },
  { name: 'my-subscription', path: '/my/subscription' },
  { name: 'my-pause', path: '/my/subscription/pause' },
  { name: 'my-cancel', path: '/my/subscription/cancel' },
  { name: 'my-agreement', path: '/my/subscription/agreement' },
  { name: 'my-data', path: '/my/data' },
  { name: 'my-not-found', path: '/my/nowhere' },
];

/** Screens of a user who is not signed in. */
export const screensOutside: Screen[] = [
  { name: 'sign-in', path: '/sign-in' },
  { name: 'sign-in-empty', path: '/sign-in', prepare: steps.submit },
  { name: 'new-password', path: '/new-password' },
  { name: 'new-password-link', path: '/new-password#link' },
  { name: 'invitation-gone', path: '/invitation/gone', refused: 404 },
  { name: 'signing-gone', path: '/sign/1.gone', refused: 404 },
  { name: 'sso-refused', path: '/sso/callback/1?error=access_denied' },
];

const roster = [
  'hrId,firstName,lastName,email,startDate,autoSyncEmployee,absences',
  'E-7001,Greta,Sommer,greta.sommer@musterwerk.example,2026-01-01,true,',
  'E-7002,Emil,Winter,emil.winter@musterwerk.example,,true,2027-01-01/2027-03-31',
];

/** Returns every page of the demo company, and the important dialogs. */
export async function findScreens(request: APIRequestContext, origin: string): Promise<Screen[]> {
  const read = async <T>(path: string): Promise<T> =>
    (await (await request.get(`${origin}/portal/api${path}`)).json()).data;
  const first = async (query: string) => {
    const { data } = await read<{ data: { id: number }[] }>(`/employees?perPage=1&${query}`);
    return `/employees/${data[0]?.id}`;
  };
  const { tasks } = await read<Overview>('/overview');
  const integrations = await read<HrIntegration[]>('/integrations');
  const held = tasks.find((task) => task.kind === 'pending-removals');
  const unhealthy = tasks.find((task) => task.kind === 'integration-unhealthy');
  const [main] = integrations;
  const fresh = integrations.find(({ canTriggerSync, lastSyncId }) => canTriggerSync && lastSyncId === null);
  const { data: syncs } = await read<{ data: { syncId: string; counts: { updated: number } }[] }>(
    `/integrations/${main?.id}/syncs?perPage=100`,
  );
  const changing = syncs.find(({ counts }) => counts.updated > 0);
  const [period] = await read<{ period: string }[]>('/billing');
  const { policies, changes } = await read<Policies>('/policies');
  const standard = policies.find(({ isDefault }) => isDefault);
  const campaign = changes.find(({ isOver }) => !isOver);
  const [key] = await read<{ username: string }[]>('/keys');
  const pending = '/employees?contractStatuses=pending';
  const sync = (id: number | undefined, syncId = '') => `/integrations/${id}/syncs/${encodeURIComponent(syncId)}`;
  return [
    // First, because it requires a recent sign-in.
    { name: 'account-second-factor', path: '/account', prepare: steps.addSecondFactor },
    { name: 'overview', path: '/' },
    { name: 'palette', path: '/', prepare: steps.openPalette },
    { name: 'palette-found', path: '/', prepare: steps.findInPalette },
    { name: 'navigation', path: '/', prepare: steps.openNavigation },
    { name: 'languages', path: '/', prepare: steps.openHeaderMenu(0) },
    { name: 'appearance', path: '/', prepare: steps.openHeaderMenu(1) },
    { name: 'account-menu', path: '/', prepare: steps.openHeaderMenu(2) },
    { name: 'employees', path: '/employees' },
    { name: 'employees-views', path: '/employees', prepare: steps.openPopover(0) },
    { name: 'employees-columns', path: '/employees', prepare: steps.openPopover(1) },
    { name: 'employees-selected', path: pending, prepare: steps.selectEmployee },
    { name: 'employees-letters', path: pending, prepare: steps.openContracts('letters') },
    { name: 'employees-links', path: pending, prepare: steps.openContracts('links') },
    { name: 'employees-reject', path: pending, prepare: steps.openContracts('reject') },
    { name: 'employees-accept', path: pending, prepare: steps.openContracts('accept') },
    { name: 'employees-pause', path: '/employees', prepare: steps.openBatch('pause') },
    { name: 'employees-cancel', path: '/employees', prepare: steps.openBatch('cancel') },
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
    { name: 'employee-actions', path: await first('subscriptionStatuses=active'), prepare: steps.openMenu },
    { name: 'employees-add', path: '/employees', prepare: steps.openDialog() },
    { name: 'employee-edit', path: await first('subscriptionStatuses=active'), prepare: steps.chooseAction(6) },
    { name: 'employee-exit', path: await first('subscriptionStatuses=active'), prepare: steps.chooseAction(7) },
    { name: 'employee-absence', path: await first('subscriptionStatuses=active'), prepare: steps.chooseAction(8) },
    { name: 'employee-decision', path: await first('subscriptionStatuses=active'), prepare: steps.decide },
    { name: 'employee-missing', path: '/employees/999999', refused: 404 },
    { name: 'integrations', path: '/integrations' },
    { name: 'integrations-new', path: '/integrations/new' },
    { name: 'integrations-personio', path: '/integrations/new', prepare: steps.chooseSource(0) },
    { name: 'integrations-rest', path: '/integrations/new', prepare: steps.chooseSource(3) },
    { name: 'integrations-sftp', path: '/integrations/new', prepare: steps.chooseSource(4) },
    { name: 'integrations-api', path: '/integrations/new', prepare: steps.chooseSource(6) },
    { name: 'integration-main', path: `/integrations/${main?.id}` },
    { name: 'integration-deactivate', path: `/integrations/${main?.id}`, prepare: steps.chooseAction(1) },
    { name: 'integration-held', path: `/integrations/${held?.integrationId}` },
    { name: 'integration-unhealthy', path: `/integrations/${unhealthy?.integrationId}` },
    { name: 'integration-new', path: `/integrations/${fresh?.id}` },
    { name: 'upload', path: `/integrations/${fresh?.id}/upload` },
    { name: 'upload-preview', path: `/integrations/${fresh?.id}/upload`, prepare: steps.upload(roster) },
    { name: 'upload-warnings', path: `/integrations/${fresh?.id}/upload`, prepare: steps.upload(warnedRoster) },
    { name: 'upload-help', path: `/integrations/${fresh?.id}/upload`, prepare: steps.unfold },
    {
      name: 'upload-problems',
      path: `/integrations/${fresh?.id}/upload`,
      prepare: steps.upload([...roster, 'E-7001,,Sommer,nowhere,2026-02-30,maybe,']),
      refused: 422,
    },
    { name: 'sync', path: sync(main?.id, changing?.syncId) },
    { name: 'sync-held', path: sync(held?.integrationId, held?.syncId) },
    { name: 'sync-approved', path: sync(held?.integrationId, held?.syncId), prepare: steps.approve, isLast: true },
    { name: 'sync-held-decision', path: sync(held?.integrationId, held?.syncId), prepare: steps.openHeld },
    {
      name: 'sync-failed',
      path: sync(
        unhealthy?.integrationId,
        integrations.find(({ id }) => id === unhealthy?.integrationId)?.lastSyncId ?? '',
      ),
    },
    { name: 'joining', path: '/joining' },
    { name: 'agreements', path: '/agreements' },
    { name: 'agreements-none', path: '/agreements?search=nothing+at+all' },
    { name: 'documents', path: '/documents' },
    { name: 'documents-company', path: '/documents?owner=company' },
    { name: 'billing', path: '/billing' },
    { name: 'billing-period', path: `/billing/${period?.period}` },
    { name: 'invoices', path: '/invoices' },
    { name: 'documents-none', path: '/documents?search=nothing+at+all' },
    { name: 'billing-forecast', path: '/billing/forecast' },
    { name: 'billing-corrections', path: '/billing/corrections' },
    { name: 'policies', path: '/policies' },
    { name: 'policies-new', path: '/policies', prepare: steps.openDialog() },
    { name: 'policy-change', path: `/policies/${standard?.id}/change` },
    { name: 'policy-campaign', path: `/policies/changes/${campaign?.id}` },
    { name: 'billing-correction', path: await findCorrection(request, origin) },
    { name: 'issuer', path: '/issuer' },
    { name: 'month-end', path: '/month-end' },
    { name: 'month-end-over', path: `/month-end?month=${period?.period}` },
    { name: 'payroll', path: '/payroll' },
    { name: 'keys', path: '/keys' },
    { name: 'keys-new', path: '/keys', prepare: steps.openDialog() },
    { name: 'keys-secret', path: '/keys', prepare: steps.createKey, isLast: true },
    { name: 'key', path: `/keys/${key?.username}` },
    { name: 'key-edit', path: `/keys/${key?.username}`, prepare: steps.openDialog(0) },
    { name: 'key-rotate', path: `/keys/${key?.username}`, prepare: steps.openDialog(1) },
    { name: 'key-revoke', path: `/keys/${key?.username}`, prepare: steps.openDialog(2) },
    { name: 'requests', path: '/requests' },
    { name: 'activity', path: '/activity' },
    { name: 'activity-details', path: '/activity', prepare: steps.unfold },
    { name: 'activity-sign-ins', path: '/activity?action=session.' },
    { name: 'activity-company', path: '/activity?action=company.' },
    { name: 'users', path: '/users' },
    { name: 'users-invite', path: '/users', prepare: steps.openDialog() },
    { name: 'users-withdraw', path: '/users', prepare: steps.withdrawInvitation },
    { name: 'users-invited', path: '/users', prepare: steps.create('guest@musterwerk.example'), isLast: true },
    { name: 'users-step-up', path: '/users', prepare: steps.requireStepUp, refused: 403 },
    {
      name: 'invitation',
      path: await invite(request, origin, { email: 'new.colleague@musterwerk.example', roles: ['viewer'] }),
    },
    { name: 'getting-started', path: '/getting-started' },
    { name: 'settings', path: '/settings' },
    { name: 'settings-wrong', path: '/settings', prepare: steps.enterWrongVatId, refused: 400 },
    { name: 'sso', path: '/sso' },
    { name: 'kept-mails', path: '/kept-mails' },
    { name: 'time-travel', path: '/time-travel' },
    { name: 'time-travel-calendar', path: '/time-travel', prepare: steps.openCalendar },
    { name: 'time-travel-confirm', path: '/time-travel', prepare: steps.openTravelConfirmation },
    { name: 'account', path: '/account' },
    { name: 'prove-address', path: '/prove-address/link' },
    { name: 'not-found', path: '/nowhere' },
  ];
}

/** Returns screens of data that the demo lacks, and adds that data first. */
export async function addScreens(request: APIRequestContext, origin: string): Promise<Screen[]> {
  const { colleague, warned, setUp, signing, webhooks } = await prepareScreenData(request, origin);
  return [
    { name: 'users-colleague', path: '/users' },
    { name: 'users-role', path: '/users', prepare: steps.chooseUserAction(colleague, 0) },
    { name: 'users-sessions', path: '/users', prepare: steps.chooseUserAction(colleague, 1) },
    { name: 'users-remove', path: '/users', prepare: steps.chooseUserAction(colleague, 2) },
    { name: 'sync-warnings', path: warned },
    { name: 'webhooks', path: '/webhooks' },
    { name: 'webhooks-new', path: '/webhooks', prepare: steps.openDialog() },
    { name: 'webhook', path: webhooks.working },
    { name: 'webhook-delivery', path: webhooks.working, prepare: steps.openDelivery },
    { name: 'webhook-replay', path: webhooks.working, prepare: steps.openReplay },
    { name: 'webhook-edit', path: webhooks.working, prepare: steps.chooseAction(0) },
    { name: 'webhook-rotate', path: webhooks.working, prepare: steps.chooseAction(1) },
    { name: 'webhook-disable', path: webhooks.working, prepare: steps.chooseAction(2) },
    { name: 'webhook-delete', path: webhooks.working, prepare: steps.chooseAction(3) },
    { name: 'webhook-failing', path: webhooks.failing },
    { name: 'webhook-refused', path: webhooks.failing, prepare: steps.openDelivery },
    { name: 'events', path: '/events' },
    { name: 'events-payload', path: '/events', prepare: steps.unfoldFirst },
    { name: 'webhooks-secret', path: '/webhooks', prepare: steps.create('https://example.com/hook'), isLast: true },
    { name: 'setup-check', path: `${setUp}?step=check` },
    { name: 'setup-mapping', path: `${setUp}?step=mapping` },
    { name: 'setup-preview', path: `${setUp}?step=preview` },
    { name: 'setup-schedule', path: `${setUp}?step=schedule` },
    { name: 'signing', path: signing },
    { name: 'signing-reject', path: signing, prepare: steps.rejectOffer },
    // The very last: nobody is signed in afterwards.
    { name: 'session-ended', path: '/employees', prepare: steps.endSession, isLast: true },
  ];
}
