import { sql } from 'kysely';
import type { Random } from '../../src/demo/random.ts';
import { basic } from '../../test/support/app.ts';
import { makeCompany, makeIntegration, makeKey } from '../../test/support/factories.ts';
import { cookiesOf, makeUser, type TestUser } from '../../test/support/portal.ts';
import type { Serving } from '../../test/support/process.ts';
import { makeChargedEmployees } from '../support/charges.ts';
import type { Errand } from '../support/kept-connection.ts';
import type { Stage } from '../support/stage.ts';

/** How much data there is to read and to send. */
export interface Amounts {
  /** The number of employees. Each has a charge in the export. */
  employees: number;
  /** The number of entries of a roster, about 200 bytes each. */
  entries: number;
}

type NextErrand = (random: Random) => Errand;

export type ClientKind = 'reader' | 'exporter' | 'pusher' | 'visitor';

/** The next request of a client of each kind. */
export type Clients = Record<ClientKind, NextErrand>;

async function signIn(api: Serving, { email, password }: TestUser): Promise<string> {
  const { origin } = new URL(api.url);
  const response = await fetch(`${origin}/portal/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (response.status !== 204) throw new Error(`Signing in was answered ${response.status}.`);
  return cookiesOf(response);
}

const rosterOf = (entries: number) =>
  Array.from({ length: entries }, (_, index) => ({
    hrId: `E-${index}`,
    firstName: 'Anna',
    lastName: `Muster${index}`,
    email: `person.${index}@example.com`,
    remark: 'not read by anybody, as much of what HR systems send is'.padEnd(100, '.'),
  }));

/** Creates a company and its clients. The portal session remains valid after the process that created it has ended. */
export async function prepareClients({ db, startApi }: Stage, amounts: Amounts): Promise<Clients> {
  const companyId = await makeCompany(db);
  const integrationId = await makeIntegration(db, companyId);
  await makeChargedEmployees(db, companyId, amounts.employees);
  await sql`analyze`.execute(db);
  const headers = { authorization: basic(await makeKey(db, companyId)) };
  const api = await startApi();
  const cookie = await signIn(api, await makeUser({ db }, companyId));
  api.signal('SIGKILL');
  await api.exited;
  const get = (path: string, credentials: Record<string, string>): Errand => ({
    method: 'GET',
    path,
    headers: credentials,
    status: 200,
  });
  const employees = JSON.stringify(rosterOf(amounts.entries));
  let pushes = 0;
  return {
    reader: (random) => get(`/v1/${random.pick(['employees?perPage=100', 'me', 'billing/items'])}`, headers),
    exporter: () => get('/v1/billing/items/2026-11-01/ticket-charge', headers),
    visitor: (random) => get(`/portal/api/${random.pick(['me', 'overview', 'employees'])}`, { cookie }),
    pusher: () => ({
      method: 'POST',
      path: `/v1/hr-integrations/${integrationId}/sync`,
      headers: { ...headers, 'content-type': 'application/json' },
      body: `{"syncId":"push-${++pushes}","employees":${employees}}`,
      status: 204,
    }),
  };
}
