import { Events } from './events.ts';
import { HrIntegrations } from './hr-integrations.ts';
import { HttpClient, type RequestOptions } from './http.ts';
import type { CallOptions } from './list.ts';
import { type ClientOptions, readOptions } from './options.ts';
import { Billing, Documents, Employees } from './resources.ts';
import type { Me } from './types.gen.ts';

/** The API of one company, as its key sees it. */
export class TransitBenefits {
  readonly employees: Employees;
  readonly documents: Documents;
  readonly billing: Billing;
  readonly hrIntegrations: HrIntegrations;
  readonly events: Events;
  readonly #http: HttpClient;

  constructor(options: ClientOptions = {}) {
    this.#http = new HttpClient(readOptions(options));
    this.employees = new Employees(this.#http);
    this.documents = new Documents(this.#http);
    this.billing = new Billing(this.#http);
    this.hrIntegrations = new HrIntegrations(this.#http);
    this.events = new Events(this.#http);
  }

  /** Returns the key, its permissions and its company. */
  async me({ signal }: CallOptions = {}): Promise<Me> {
    return (await this.#http.json<{ data: Me }>('GET', '/me', { signal })).data;
  }

  /**
   * Sends any other request below the base URL, and returns its JSON. Requests that are not idempotent are never
   * repeated: a POST may have worked although its response was lost.
   */
  request<T = unknown>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
    return this.#http.json<T>(method, path, options);
  }
}
