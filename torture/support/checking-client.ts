import type { Random } from '../../src/operator/demo/random.ts';
import type { TestUser } from '../../test/support/portal.ts';
import {
  HttpClient,
  type HttpRequest,
  type HttpResponse,
  portalRequest,
  readCookies,
  signInRequest,
} from './http-client.ts';

export interface CheckedRequest extends HttpRequest {
  status?: number;
}

/** Signals a failed request that was already recorded, so the caller continues with something else. */
export class Fault extends Error {}

/** Counts requests to any number of processes and records unexpected responses. */
export class CheckingClient extends HttpClient {
  sent = 0;
  readonly faults: string[] = [];
  readonly #isPatient: boolean;

  /** `isPatient`: repeats requests after 503. This is for a machine that also does other work. */
  constructor(url: string, isPatient: boolean) {
    super(url);
    this.#isPatient = isPatient;
  }

  fault(text: string): Fault {
    this.faults.push(text);
    return new Fault(text);
  }

  /** Rejects with a `Fault` unless the response has the expected status and is complete. */
  async check({ status = 200, ...request }: CheckedRequest): Promise<HttpResponse> {
    this.sent += 1;
    const sending = this.#isPatient ? this.sendPatiently(request) : this.send(request);
    const response = await sending.catch((error: Error) => {
      throw this.fault(`${error.message} (${error.cause})`);
    });
    if (response.status === status) return response;
    const name = `${request.method ?? 'GET'} ${request.path}`;
    throw this.fault(`${name} returned ${response.status}: ${response.bytes.subarray(0, 300)}`);
  }

  async readData<T>(request: CheckedRequest): Promise<T> {
    return JSON.parse((await this.check(request)).bytes.toString()).data as T;
  }

  async abandon({ origin = this.origin, path, headers = {} }: HttpRequest): Promise<void> {
    this.sent += 1;
    const left = new AbortController();
    const response = await fetch(`${origin}${path}`, { headers, signal: left.signal });
    await response.body?.getReader().read();
    left.abort();
    if (response.status === 200 || (this.#isPatient && response.status === 503)) return;
    throw this.fault(`GET ${path} returned ${response.status}.`);
  }
}

export class PortalVisitor {
  readonly #client: CheckingClient;
  readonly #user: TestUser;
  #origin: string;
  #cookie = '';

  constructor(client: CheckingClient, origin: string, user: TestUser) {
    this.#client = client;
    this.#origin = origin;
    this.#user = user;
  }

  /** Connects the same browser, with the same session, to another process. */
  connect(origin: string): void {
    this.#origin = origin;
  }

  #request = (path: string, body?: object) => portalRequest(this.#origin, path, body, this.#cookie);

  async signIn(): Promise<void> {
    const request = signInRequest(this.#origin, this.#user);
    this.#cookie = readCookies(await this.#client.check({ ...request, status: 204 }));
  }

  async signOut(): Promise<void> {
    await this.#client.check({ ...this.#request('/auth/sign-out', {}), status: 204 });
    await this.#client.check({ ...this.#request('/me'), status: 401 });
    this.#cookie = '';
  }

  get<T>(path: string): Promise<T> {
    return this.#client.readData(this.#request(path));
  }

  async today(): Promise<Temporal.PlainDate> {
    return Temporal.PlainDate.from((await this.get<{ today: string }>('/me')).today);
  }

  async travelTo(day: Temporal.PlainDate): Promise<void> {
    const { companies } = await this.get<{ companies: unknown[] }>('/time-travel');
    await this.#client.check(this.#request('/time-travel', { to: day.toString(), confirm: companies.length }));
  }

  async visit(integrationId: number, period: string, random: Random): Promise<void> {
    await this.signIn();
    const syncs = `/integrations/${integrationId}/syncs`;
    const billing = [`/billing/${period}/items?perPage=20`, `/payroll/${period}`];
    const pages = ['/me', '/overview', '/keys', '/users', '/activity', '/integrations', '/billing', ...billing];
    for (const path of pages) await this.get(path);
    const employees = await this.get<{ data: { id: number }[] }>(`/employees?page=${random.int(1, 3)}&perPage=20`);
    if (employees.data.length > 0) await this.get(`/employees/${random.pick(employees.data).id}`);
    const { data } = await this.get<{ data: { syncId: string }[] }>(syncs);
    if (data.length > 0) await this.get(`${syncs}/${random.pick(data).syncId}/records`);
    await this.get('/payroll/exports');
    await this.signOut();
  }
}
