import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIRequestContext } from 'playwright-core';
import type { DomainBody } from '../../../src/features/accounts/sso/contract.ts';
import type { InvitationBody } from '../../../src/features/accounts/users/contract.ts';
import type { SettingsBody } from '../../../src/features/companies/contract.ts';
import type { ConnectBody } from '../../../src/features/connectors/pull/contract.ts';
import type { LinksBody } from '../../../src/features/contracts/contract.ts';
import type { NewIntegrationBody } from '../../../src/features/integrations/contract.ts';
import type { NewKeyBody } from '../../../src/features/keys/contract.ts';
import type { EndpointSettings } from '../../../src/features/webhooks/contract.ts';
import { until } from '../until.ts';

/**
 * What the screens need and the demo lacks: a colleague with a key, a roster with warnings, an HR system that is being
 * set up, a signing link, webhooks, a domain and changed settings.
 */
export interface ScreenData {
  colleague: string;
  /** The page of the sync with warnings. */
  warned: string;
  /** The set-up of an integration whose credentials are stored. */
  setUp: string;
  /** The page on which an employee signs. */
  signing: string;
  /** The pages of an endpoint that works and of one that fails. */
  webhooks: { working: string; failing: string };
}

const warnedName = 'Zeitarbeit';

/**
 * A roster with mistakes that are accepted: an unknown column, a date of birth in the future, a start after the end.
 */
export const warnedRoster = [
  'hrId,firstName,lastName,email,dateOfBirth,startDate,terminationDate,autoSyncEmployee,costCentre',
  'Z-1,Nora,Herbst,nora.herbst@musterwerk.example,2031-05-01,2026-01-01,,true,4711',
  'Z-2,Ole,Frost,ole.frost@musterwerk.example,1990-05-01,2030-02-01,2029-12-31,true,4712',
  'Z-3,Pia,Tau,pia.tau@musterwerk.example,1985-05-01,2026-01-01,,false,4713',
];

/** Creates an invitation and returns its path. Replaces a pending invitation. */
export async function invite(request: APIRequestContext, origin: string, data: InvitationBody): Promise<string> {
  const response = await request.post(`${origin}/portal/api/users/invitations`, { headers: { origin }, data });
  return new URL((await response.json()).data.link).pathname;
}

/** Adds a colleague by an invitation, who creates a key that only they know. */
async function addColleague(request: APIRequestContext, origin: string): Promise<string> {
  const name = 'Leo Lehmann';
  const email = 'leo.lehmann@musterwerk.example';
  const token = (await invite(request, origin, { email, roles: ['developer', 'hr'] })).split('/').at(-1);
  const send = (path: string, body: unknown, cookie = '') =>
    fetch(`${origin}/portal/api${path}`, {
      method: 'POST',
      headers: { origin, cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const joined = await send(`/invitations/${token}`, { name, password: 'a tram at half past nine' });
  const cookie = joined.headers.getSetCookie().map((one) => one.split(';')[0]);
  const key: NewKeyBody = { name: 'Test push of Leo', permissions: ['view-employees'], expiresAt: null };
  await send('/keys', key, cookie.join('; '));
  return name;
}

/** Returns a function that sends a body to the portal's API, and returns the data of the response. */
const createPost =
  (request: APIRequestContext, origin: string) =>
  async (path: string, data: unknown, type = 'application/json') => {
    const headers = { origin, 'content-type': type };
    const response = await request.post(`${origin}/portal/api${path}`, { headers, data });
    if (!response.ok()) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()).data;
  };
type Post = ReturnType<typeof createPost>;

async function pushWithWarnings(post: Post): Promise<string> {
  const integration: NewIntegrationBody = { name: warnedName, type: 'api-integration' };
  const { id } = await post('/integrations', integration);
  const { syncId } = await post(`/integrations/${id}/sync`, warnedRoster.join('\n'), 'text/csv');
  return `/integrations/${id}/syncs/${encodeURIComponent(syncId)}`;
}

/** Connects the fake HR system that staging offers, and leaves the rest of the set-up to the user. */
async function beginSetUp(post: Post): Promise<string> {
  const integration: NewIntegrationBody = { name: 'Demo HR', type: 'hr-integration' };
  const { id } = await post('/integrations', integration);
  const body: ConnectBody = {
    provider: 'personio',
    credentials: { clientId: 'demo', clientSecret: 'demo' },
  };
  await post(`/integrations/${id}/connection`, body);
  return `/integrations/${id}/setup`;
}

async function createSigningLink(post: Post): Promise<string> {
  const body: LinksBody = { filter: { contractStatuses: ['pending'] }, limit: 1 };
  const { links } = await post('/contracts/links', body);
  return new URL(links[0].url).pathname;
}

/** Starts a server that accepts every delivery until this process ends. Returns its address. */
async function startReceiver(): Promise<string> {
  const server = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()));
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`;
}

async function addWebhook(request: APIRequestContext, origin: string, data: EndpointSettings): Promise<string> {
  const api = `${origin}/portal/api/webhook-endpoints`;
  const created = await request.post(api, { headers: { origin }, data });
  const { id } = (await created.json()).data;
  for (let events = 0; events < 3; events++) await request.post(`${api}/${id}/test`, { headers: { origin } });
  const isAttempted = async () => {
    const { data: deliveries } = (await (await request.get(`${api}/${id}/deliveries`)).json()).data;
    return deliveries.length > 0 && deliveries.every(({ attempts }: { attempts: number }) => attempts > 0);
  };
  await until('the test events are sent', isAttempted);
  return `/webhooks/${id}`;
}

/** Adds an endpoint that works, and one that fails because it refuses what is sent to it. */
async function addWebhooks(request: APIRequestContext, origin: string): Promise<ScreenData['webhooks']> {
  const url = await startReceiver();
  const refusing: EndpointSettings = {
    url: `${origin}/v1/health`,
    eventTypes: ['sync-finished', 'tickets-issued'],
    description: '',
  };
  return {
    working: await addWebhook(request, origin, { url, eventTypes: [], description: 'Payroll' }),
    failing: await addWebhook(request, origin, refusing),
  };
}

/** Prepares the data for screenshots. Must be called only once, because it changes the company that is shown. */
export async function prepareScreenData(request: APIRequestContext, origin: string): Promise<ScreenData> {
  const post = createPost(request, origin);
  const settings: SettingsBody = { cutOffDay: 12, contributionCents: 2150 };
  await post('/settings', settings);
  const domain: DomainBody = { domain: 'musterwerk.example' };
  await post('/sso/domains', domain);
  return {
    colleague: await addColleague(request, origin),
    warned: await pushWithWarnings(post),
    setUp: await beginSetUp(post),
    signing: await createSigningLink(post),
    webhooks: await addWebhooks(request, origin),
  };
}

/** Returns the page of billing items that contains a correction. */
export async function findCorrection(request: APIRequestContext, origin: string): Promise<string> {
  const read = async (path: string) => (await (await request.get(`${origin}/portal/api${path}`)).json()).data;
  for (const { period } of await read('/billing')) {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { data, total } = await read(`/billing/${period}/items?page=${page}&perPage=100`);
      pages = Math.ceil(total / 100);
      const index = data.findIndex(({ corrects }: { corrects: unknown }) => corrects !== null);
      if (index >= 0) return `/billing/${period}?perPage=25&page=${Math.floor(((page - 1) * 100 + index) / 25) + 1}`;
    }
  }
  throw new Error('The demo has no correction.');
}
