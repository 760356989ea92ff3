import { TransitBenefitsError } from './errors.ts';
import type { HttpClient } from './http.ts';
import { type CallOptions, List } from './list.ts';
import type {
  BillingCorrections,
  BillingItem,
  DownloadInvoiceQuery,
  Employee,
  EmployeeDocument,
  ExportBillingItemsQuery,
  Forecast,
  GetSubscriptionHistoryQuery,
  Invoice,
  ListBillingItemsQuery,
  ListDocumentsQuery,
  ListEmployeesQuery,
  ListInvoicesQuery,
  ListPayrollExportsQuery,
  ListSubscriptionRequestsQuery,
  NewBillingCorrections,
  NewForecast,
  NewSubscriptionRequest,
  NewSubscriptionRequests,
  PayrollExport,
  SubscriptionHistoryEntry,
  SubscriptionRequest,
  SubscriptionRequestResult,
} from './types.gen.ts';

type Paging = 'page' | 'perPage';
type Filter<Query> = Omit<Query, Paging> & CallOptions;

export interface EmployeeFilter extends Omit<ListEmployeesQuery, Paging | 'subscriptionStatuses'>, CallOptions {
  /** Only employees whose subscription has one of these statuses. */
  statuses?: ListEmployeesQuery['subscriptionStatuses'];
}

export interface ChangeOptions extends CallOptions {
  /** Only returns what the request would do. */
  dryRun?: boolean | undefined;
  /** Names the request, so that it has one effect however often your program sends it within 24 hours. Default: a new one per call. */
  idempotencyKey?: string | undefined;
}

export type ChargeType = BillingItem['charge']['type'];

/** What all resources have in common. */
abstract class Resource {
  protected readonly http: HttpClient;

  constructor(http: HttpClient) {
    this.http = http;
  }

  protected async find<T>(path: string, { signal }: CallOptions): Promise<T> {
    return (await this.http.json<{ data: T }>('GET', path, { signal })).data;
  }
}

export class Employees extends Resource {
  list({ signal, statuses, ...query }: EmployeeFilter = {}): List<Employee> {
    return new List(this.http, '/employees', { ...query, subscriptionStatuses: statuses }, { signal });
  }

  get(id: number, options: CallOptions = {}): Promise<Employee> {
    return this.find(`/employees/${id}`, options);
  }

  /** Lists every change of the subscription, oldest first, each with its cause and rule. */
  history(id: number, { signal, ...query }: Filter<GetSubscriptionHistoryQuery> = {}): List<SubscriptionHistoryEntry> {
    return new List(this.http, `/employees/${id}/subscription-history`, query, { signal });
  }

  /** Lists the requests about the subscription that were applied, oldest first, whoever made them. */
  subscriptionRequests(
    id: number,
    { signal, ...query }: Filter<ListSubscriptionRequestsQuery> = {},
  ): List<SubscriptionRequest> {
    return new List(this.http, `/employees/${id}/subscription-requests`, query, { signal });
  }

  /** Subscribes an employee, or pauses, resumes or cancels their subscription. Throws `ConflictError` with `reason` if that is not possible. */
  requestSubscriptionChange(
    id: number,
    request: NewSubscriptionRequest,
    options: ChangeOptions = {},
  ): Promise<SubscriptionRequest> {
    return this.#request(`/employees/${id}/subscription-requests`, request, options);
  }

  /** Sends up to 1,000 requests at once. Each is applied or refused on its own; the results are in the same order. */
  requestSubscriptionChanges(
    requests: NewSubscriptionRequests['requests'],
    options: ChangeOptions = {},
  ): Promise<SubscriptionRequestResult[]> {
    return this.#request('/subscription-requests', { requests }, options);
  }

  async #request<T>(path: string, body: object, options: ChangeOptions): Promise<T> {
    const { dryRun, idempotencyKey = crypto.randomUUID(), signal } = options;
    return (await this.http.json<{ data: T }>('POST', path, { query: { dryRun }, body, idempotencyKey, signal })).data;
  }

  documents(id: number, { signal, ...query }: Filter<ListDocumentsQuery> = {}): List<EmployeeDocument> {
    return new List(this.http, `/employees/${id}/documents`, query, { signal });
  }
}

export class Documents extends Resource {
  list({ signal, ...query }: Filter<ListDocumentsQuery> = {}): List<EmployeeDocument> {
    return new List(this.http, '/employee-documents', query, { signal });
  }

  get(id: number, options: CallOptions = {}): Promise<EmployeeDocument> {
    return this.find(`/employee-documents/${id}`, options);
  }

  /** Returns the response with the file: read it with `bytes()` or `arrayBuffer()`, or pipe its `body`. */
  download(id: number, { signal }: CallOptions = {}): Promise<Response> {
    return this.http.stream(`/employee-documents/${id}/download`, { signal });
  }
}

/** Returns the first day of a month. Accepts `2026-11` and `2026-11-01`. */
function firstDayOf(period: string): string {
  const month = /^(\d{4}-\d{2})(-01)?$/.exec(period)?.[1];
  if (month === undefined) throw new TransitBenefitsError(`"${period}" is no month. Write 2026-11 or 2026-11-01.`);
  return `${month}-01`;
}

export class Billing extends Resource {
  list({ signal, ...query }: Filter<ListBillingItemsQuery> = {}): List<BillingItem> {
    return new List(this.http, '/billing/items', query, { signal });
  }

  get(id: number, options: CallOptions = {}): Promise<BillingItem> {
    return this.find(`/billing/items/${id}`, options);
  }

  /** Yields all charges of one type in a month, corrections included, in one request. They are parsed one by one, while they arrive. */
  async *export(
    period: string,
    chargeType: ChargeType,
    { signal, ...query }: ExportBillingItemsQuery & CallOptions = {},
  ): AsyncGenerator<BillingItem, void, undefined> {
    yield* this.http.items<BillingItem>(`/billing/items/${firstDayOf(period)}/${chargeType}`, { query, signal });
  }

  /** Returns what the coming months will cost by what is known today, and in a scenario. Stores nothing. */
  async forecast(body: NewForecast, { signal }: CallOptions = {}): Promise<Forecast> {
    const sent = { body, signal, isIdempotent: true };
    return (await this.http.json<{ data: Forecast }>('POST', '/billing/forecast', sent)).data;
  }

  /** Reverses charges: some by their ids, or the tickets of an employee. A charge is corrected once, however often this is sent. */
  async correct(body: NewBillingCorrections, options: ChangeOptions = {}): Promise<BillingCorrections> {
    const { dryRun, idempotencyKey = crypto.randomUUID(), signal } = options;
    const sent = { query: { dryRun }, body, idempotencyKey, signal };
    return (await this.http.json<{ data: BillingCorrections }>('POST', '/billing/corrections', sent)).data;
  }

  invoices({ signal, ...query }: Filter<ListInvoicesQuery> = {}): List<Invoice> {
    return new List(this.http, '/billing/invoices', query, { signal });
  }

  getInvoice(id: number, options: CallOptions = {}): Promise<Invoice> {
    return this.find(`/billing/invoices/${id}`, options);
  }

  /** Returns the response with the file. */
  downloadInvoice(id: number, { signal, ...query }: DownloadInvoiceQuery & CallOptions = {}): Promise<Response> {
    return this.http.stream(`/billing/invoices/${id}/download`, { query, signal });
  }

  payrollExports({ signal, ...query }: Filter<ListPayrollExportsQuery> = {}): List<PayrollExport> {
    return new List(this.http, '/billing/payroll-exports', query, { signal });
  }

  getPayrollExport(id: number, options: CallOptions = {}): Promise<PayrollExport> {
    return this.find(`/billing/payroll-exports/${id}`, options);
  }

  /** Returns the response with the file. */
  downloadPayrollExport(id: number, { signal }: CallOptions = {}): Promise<Response> {
    return this.http.stream(`/billing/payroll-exports/${id}/download`, { signal });
  }
}
