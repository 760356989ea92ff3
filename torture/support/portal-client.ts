import type { Random } from '../../src/demo/random.ts';
import type { TestUser } from '../../test/support/portal.ts';
import type { CheckedRequest, CheckingClient } from './checking-client.ts';
import { readCookies } from './http-client.ts';

/** A user of the portal's pages. */
export class PortalClient {
  readonly #client: CheckingClient;
  readonly #origin: string;
  readonly #user: TestUser;
  #cookie = '';

  constructor(client: CheckingClient, apiUrl: string, user: TestUser) {
    this.#client = client;
    this.#origin = new URL(apiUrl).origin;
    this.#user = user;
  }

  /** Returns the same browser with the same session, connected to another process. */
  at(apiUrl: string): PortalClient {
    const other = new PortalClient(this.#client, apiUrl, this.#user);
    other.#cookie = this.#cookie;
    return other;
  }

  #request(path: string, request: CheckedRequest = {}) {
    const headers = { origin: this.#origin, ...(this.#cookie ? { cookie: this.#cookie } : {}) };
    return this.#client.request(`${this.#origin}/portal/api${path}`, { headers, ...request });
  }

  async signIn(): Promise<void> {
    const { email, password } = this.#user;
    const body = { email, password };
    this.#cookie = readCookies(await this.#request('/auth/sign-in/email', { method: 'POST', body, status: 204 }));
  }

  async signOut(): Promise<void> {
    await this.#request('/auth/sign-out', { method: 'POST', body: {}, status: 204 });
    await this.#request('/me', { status: 401 });
    this.#cookie = '';
  }

  async get<T>(path: string): Promise<T> {
    return JSON.parse((await this.#request(path)).bytes.toString()).data as T;
  }

  async today(): Promise<Temporal.PlainDate> {
    return Temporal.PlainDate.from((await this.get<{ today: string }>('/me')).today);
  }

  /** Moves the whole environment, day by day. */
  async travelTo(day: Temporal.PlainDate): Promise<void> {
    const { companies } = await this.get<{ companies: unknown[] }>('/time-travel');
    await this.#request('/time-travel', { method: 'POST', body: { to: day.toString(), confirm: companies.length } });
  }

  async downloadPayroll(period: string): Promise<void> {
    await this.get(`/billing/${period}/payroll`);
    await this.#request(`/billing/${period}/payroll.csv`);
  }
}

/** Signs in, visits the pages as users do, and signs out. */
export async function visitPortal(client: PortalClient, integrationId: number, period: string, random: Random) {
  await client.signIn();
  for (const path of ['/me', '/overview', '/keys', '/users', '/activity', '/integrations', '/billing']) {
    await client.get(path);
  }
  const employees = await client.get<{ data: { id: number }[] }>(`/employees?page=${random.int(1, 3)}&perPage=20`);
  if (employees.data.length > 0) await client.get(`/employees/${random.pick(employees.data).id}`);
  const syncs = await client.get<{ data: { syncId: string }[] }>(`/integrations/${integrationId}/syncs`);
  if (syncs.data.length > 0) {
    await client.get(`/integrations/${integrationId}/syncs/${random.pick(syncs.data).syncId}/records`);
  }
  await client.get(`/billing/${period}/items?perPage=20`);
  await client.downloadPayroll(period);
  await client.signOut();
}
