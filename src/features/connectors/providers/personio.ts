import { createMessage } from '../../../domain/messages/message.ts';
import type { ProviderAbsence, ProviderRecord } from '../rules/map-record.ts';
import { toDateText } from '../rules/map-record.ts';
import { listAttributes, type Mapping } from '../rules/mapping.ts';
import type {
  Connection,
  ConnectionProblem,
  Connector,
  Credentials,
  Description,
  OpenOptions,
  ReadPage,
  ReadRequest,
} from './connector.ts';
import { ConnectorError, incompleteFrom } from './connector-error.ts';
import { createHttpClient, type HttpClient, type JsonRequest, type JsonResponse } from './http-client.ts';
import { isRecord, textAt, toAttributeValue, valueAt } from './json-value.ts';

/**
 * Reads employees with version 1 of Personio's API, which has all attributes in one flat record, and absences with
 * version 2. Attributes that are not released for the credentials are silently left out by Personio.
 */

const title = 'Personio';
const pageSize = 100;
const wrongCredentials = createMessage('personio-refused');

const defaultMapping: Mapping = {
  fields: {
    hrId: 'id',
    firstName: 'first_name',
    lastName: 'last_name',
    email: 'email',
    dateOfBirth: null,
    startDate: 'hire_date',
    terminationDate: 'termination_date',
    profileImage: null,
    personnelNumber: null,
  },
  include: [{ attribute: 'status', is: 'none-of', values: ['inactive'] }],
  autoSyncEmployee: null,
  absences: { types: 'all' },
};

/** Tokens hold for a day. Each version of the API has its own. */
function createTokens(http: HttpClient, { clientId, clientSecret }: Credentials) {
  const tokens = new Map<Version, Promise<string>>();
  const requests: Record<Version, JsonRequest> = {
    v1: {
      method: 'POST',
      path: '/v1/auth',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: clientId, client_secret: clientSecret }),
    },
    v2: {
      method: 'POST',
      path: '/v2/auth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: String(clientId),
        client_secret: String(clientSecret),
      }).toString(),
    },
  };

  async function authenticate(version: Version): Promise<string> {
    const { status, body } = await http.request(requests[version]);
    if (status >= 400) throw refused(status);
    const token = version === 'v1' ? textAt(body, 'data', 'token') : textAt(body, 'access_token');
    if (token === undefined)
      throw new ConnectorError('unexpected-response', createMessage('connector-no-token', { system: title }));
    return token;
  }

  return {
    get(version: Version): Promise<string> {
      const token = tokens.get(version) ?? authenticate(version);
      tokens.set(version, token);
      // A failure is not kept: the next request tries again.
      token.catch(() => tokens.delete(version));
      return token;
    },
    forget: (version: Version) => tokens.delete(version),
  };
}
type Version = 'v1' | 'v2';

/** Personio answers wrong credentials with 400 in version 2, and with 403 in version 1. */
const refused = (status: number) =>
  [400, 401, 403].includes(status)
    ? new ConnectorError('credentials-refused', wrongCredentials)
    : new ConnectorError('unexpected-response', createMessage('connector-status-sign-in', { system: title, status }));

/** Requests with the token of the version, and with a new one if it has expired. */
function createRequests(http: HttpClient, credentials: Credentials) {
  const tokens = createTokens(http, credentials);
  return async function get(path: string): Promise<JsonResponse> {
    const version = path.startsWith('/v1/') ? 'v1' : 'v2';
    for (let isRepeated = false; ; isRepeated = true) {
      const headers = { authorization: `Bearer ${await tokens.get(version)}` };
      const response = await http.request({ method: 'GET', path, headers });
      if (response.status !== 401) return response;
      tokens.forget(version);
      if (isRepeated) throw new ConnectorError('credentials-refused', wrongCredentials);
    }
  };
}
type Get = ReturnType<typeof createRequests>;

const permissions = {
  employees: { what: 'Employees: read', message: createMessage('personio-employees') },
  absences: { what: 'Absences: read', message: createMessage('personio-absences') },
};

/** Returns the body of a successful response, and throws what any other means. */
function takeBody({ status, body }: JsonResponse, of: keyof typeof permissions): unknown {
  if (status === 403) throw new ConnectorError('permission-missing', permissions[of].message);
  if (status !== 200) {
    throw new ConnectorError('unexpected-response', createMessage(`connector-status-${of}`, { system: title, status }));
  }
  return body;
}

const incomplete = incompleteFrom(title);

interface EmployeePage {
  records: Record<string, unknown>[];
  total: number | undefined;
}

function employeesPath(offset: number, limit: number, attributes: readonly string[]): string {
  const query = new URLSearchParams({ limit: String(limit), offset: String(offset) });
  for (const name of attributes) query.append('attributes[]', name);
  return `/v1/company/employees?${query}`;
}

async function readEmployees(get: Get, path: string): Promise<EmployeePage> {
  const body = takeBody(await get(path), 'employees');
  const data = valueAt(body, 'data');
  if (valueAt(body, 'success') === false || !Array.isArray(data)) throw incomplete('incomplete-no-employees');
  const records = data.map((one) => (isRecord(one) && isRecord(one.attributes) ? one.attributes : one));
  if (!records.every(isRecord)) throw incomplete('incomplete-no-employee');
  const total = Number(textAt(body, 'metadata', 'total_elements') ?? Number.NaN);
  return { records, total: Number.isInteger(total) ? total : undefined };
}

/** Attributes are `{label, value, type}`. */
const unwrap = (attribute: unknown) => (isRecord(attribute) && 'value' in attribute ? attribute.value : attribute);

const idOf = (record: Record<string, unknown>): string => {
  const id = unwrap(record.id);
  if (typeof id !== 'number' && typeof id !== 'string') throw incomplete('incomplete-no-id');
  return String(id);
};

/** Yields the pages of employees. The next one is already requested while its predecessor is worked on. */
async function* readPages(get: Get, attributes: readonly string[]): AsyncGenerator<EmployeePage> {
  const seen = new Set<string>();
  let total: number | undefined;
  let next: Promise<EmployeePage> | undefined = readEmployees(get, employeesPath(0, pageSize, attributes));
  while (next !== undefined) {
    const page: EmployeePage = await next;
    if (seen.size > 0 && page.total !== total) throw incomplete('incomplete-changed');
    total = page.total;
    for (const record of page.records) {
      const id = idOf(record);
      if (seen.has(id)) throw incomplete('incomplete-overlap');
      seen.add(id);
    }
    if (total !== undefined && (seen.size > total || (page.records.length === 0 && seen.size < total))) {
      throw incomplete('incomplete-count', { announced: total, listed: seen.size });
    }
    // After a full page, an empty one must follow: a total that is too small would otherwise look like the end.
    const isLast = page.records.length === 0 || (seen.size === total && page.records.length < pageSize);
    next = isLast ? undefined : readEmployees(get, employeesPath(seen.size, pageSize, attributes));
    // If the consumer stops or fails first, nobody awaits this.
    next?.catch(() => {});
    if (page.records.length > 0) yield page;
  }
}

function absencesPath({ from, to }: NonNullable<ReadRequest['absences']>, limit: number): string {
  const query = new URLSearchParams({
    limit: String(limit),
    'starts_from.date_time.lte': `${to}T23:59:59`,
    'ends_at.date_time.gte': `${from}T00:00:00`,
  });
  return `/v2/absence-periods?${query}`;
}

/** Yields the items of all pages of version 2. A link that leads to a page that was read already is a failure. */
async function* followLinks(get: Get, first: string, of: keyof typeof permissions): AsyncGenerator<unknown> {
  const seen = new Set<string>();
  for (let path: string | undefined = first; path !== undefined; ) {
    if (seen.has(path)) throw incomplete(`incomplete-repeated-${of}`);
    seen.add(path);
    const body: unknown = takeBody(await get(path), of);
    const data = valueAt(body, '_data');
    if (!Array.isArray(data)) throw incomplete(`incomplete-no-${of}`);
    yield* data;
    const href = textAt(body, '_meta', 'links', 'next', 'href');
    if (href === undefined || href === '') return;
    if (!URL.canParse(href, 'https://api.personio.de')) throw incomplete('incomplete-link');
    // Only path and query count: the host is always Personio's.
    const url: URL = new URL(href, 'https://api.personio.de');
    path = `${url.pathname}${url.search}`;
  }
}

const isRejected = (status: string) => ['REJECTED', 'CANCELLED', 'CANCELED', 'DECLINED', 'DELETED'].includes(status);

async function readAbsences(get: Get, range: NonNullable<ReadRequest['absences']>, timeZone: string) {
  const byPerson = new Map<string, ProviderAbsence[]>();
  for await (const period of followLinks(get, absencesPath(range, pageSize), 'absences')) {
    const personId = textAt(period, 'person', 'id');
    const start = textAt(period, 'starts_from', 'date_time');
    if (personId === undefined || start === undefined) throw incomplete('incomplete-absence-person');
    const status = (textAt(period, 'approval', 'status') ?? '').toUpperCase();
    if (isRejected(status)) continue;
    const end = textAt(period, 'ends_at', 'date_time');
    const absence = {
      typeId: textAt(period, 'absence_type', 'id') ?? '',
      typeName: textAt(period, 'absence_type', 'name') ?? null,
      startDate: toDateText(start, timeZone),
      endDate: end === undefined ? null : toDateText(end, timeZone),
      approved: status === 'APPROVED',
    };
    byPerson.getOrInsertComputed(personId, () => []).push(absence);
  }
  return byPerson;
}

/** Keeps only what was asked for, whatever Personio sends. */
function toRecord(record: Record<string, unknown>, attributes: readonly string[]): ProviderRecord['attributes'] {
  const kept: Record<string, ReturnType<typeof toAttributeValue> | undefined> = {};
  for (const name of attributes) if (name in record) kept[name] = toAttributeValue(unwrap(record[name]));
  return kept;
}

const checkRange = () => {
  const today = Temporal.Now.plainDateISO('UTC');
  return { from: today, to: today };
};

async function findProblems(get: Get, mapping: Mapping): Promise<ConnectionProblem[]> {
  const problems: ConnectionProblem[] = [];
  const employees = await get(employeesPath(0, 1, []));
  if (employees.status === 403) problems.push({ code: 'permission-missing', ...permissions.employees });
  else {
    const body = takeBody(employees, 'employees');
    const first = valueAt(body, 'data');
    const [record] = Array.isArray(first) ? first : [];
    const attributes = isRecord(record) && isRecord(record.attributes) ? record.attributes : record;
    if (!isRecord(attributes)) {
      problems.push({ code: 'no-employees', what: null, message: createMessage('personio-nobody') });
    } else {
      for (const name of listAttributes(mapping).filter((one) => !(one in attributes))) {
        const message = createMessage('personio-attribute', { name });
        problems.push({ code: 'attribute-withheld', what: name, message });
      }
    }
  }
  if (mapping.absences === null) return problems;
  const absences = await get(absencesPath(checkRange(), 1));
  if (absences.status === 403) problems.push({ code: 'permission-missing', ...permissions.absences });
  else takeBody(absences, 'absences');
  return problems;
}

async function describeFields(get: Get): Promise<Description['fields']> {
  const { records } = await readEmployees(get, employeesPath(0, 1, []));
  return Object.entries(records[0] ?? {}).map(([name, attribute]) => ({
    name,
    label: textAt(attribute, 'label') ?? name,
    type: textAt(attribute, 'type') ?? null,
  }));
}

/** Returns the types of absences. Where Personio does not list them, those of the absences around today. */
async function describeAbsenceTypes(get: Get): Promise<Description['absenceTypes']> {
  const path = `/v2/absence-types?limit=${pageSize}`;
  const { status } = await get(path);
  const isListed = status === 200;
  const today = Temporal.Now.plainDateISO('UTC');
  const recent = absencesPath({ from: today.subtract({ months: 3 }), to: today.add({ months: 3 }) }, pageSize);
  const types = new Map<string, string | null>();
  for await (const one of followLinks(get, isListed ? path : recent, 'absences')) {
    const type = isListed ? one : valueAt(one, 'absence_type');
    const id = textAt(type, 'id');
    if (id !== undefined) types.set(id, textAt(type, 'name') ?? null);
  }
  return [...types].map(([id, name]) => ({ id, name }));
}

function open(credentials: Credentials, { origin, signal, timeZone, retryDelayMillis }: OpenOptions): Connection {
  const http = createHttpClient({ title, origin: origin ?? personio.origin, signal, retryDelayMillis });
  const get = createRequests(http, credentials);

  async function* read({ attributes, absences }: ReadRequest): AsyncGenerator<ReadPage> {
    const byPerson = absences === null ? undefined : await readAbsences(get, absences, timeZone);
    const requested = [...new Set(['id', ...attributes])];
    for await (const { records, total } of readPages(get, requested)) {
      yield {
        records: records.map((record) => ({
          attributes: toRecord(record, requested),
          ...(byPerson === undefined ? {} : { absences: byPerson.get(idOf(record)) ?? [] }),
        })),
        ...(total === undefined ? {} : { total }),
      };
    }
  }

  return {
    check: (mapping) => findProblems(get, mapping),
    async describe() {
      const fields = await describeFields(get);
      return { fields, absenceTypes: await describeAbsenceTypes(get) };
    },
    read,
    close: http.close,
  };
}

export const personio = {
  provider: 'personio',
  title,
  origin: 'https://api.personio.de',
  credentialFields: [
    { name: 'clientId', isSecret: false },
    { name: 'clientSecret', isSecret: true },
  ],
  defaultMapping,
  open,
} as const satisfies Connector;
