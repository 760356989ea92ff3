import { createMessage } from '../../../domain/messages/message.ts';
import { type ProviderRecord, toDateText } from '../rules/map-record.ts';
import {
  type ApiTerms,
  createApiConnection,
  createDefaultMapping,
  type EmployeePage,
  type Range,
  rangeAround,
  takeBody,
} from './api-connection.ts';
import {
  type Connection,
  type Connector,
  ConnectorError,
  type Credentials,
  type Description,
  incompleteFrom,
  type OpenOptions,
} from './connector.ts';
import {
  createHttpClient,
  type HttpClient,
  isRecord,
  type JsonRequest,
  type JsonResponse,
  textAt,
  toAttributeValue,
  valueAt,
} from './http-client.ts';

/** Version 1 of the API has all attributes in one record, version 2 the absences. Withheld attributes are missing. */

const pageSize = 100;
const wrongCredentials = createMessage('personio-refused');
const terms: ApiTerms = {
  title: 'Personio',
  id: 'id',
  permissions: {
    employees: { what: 'Employees: read', message: createMessage('personio-employees') },
    absences: { what: 'Absences: read', message: createMessage('personio-absences') },
  },
  nobody: createMessage('personio-nobody'),
  twice: 'incomplete-overlap',
  describeWithheld: (name) => createMessage('personio-attribute', { name }),
};

const incomplete = incompleteFrom(terms.title);

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
      throw new ConnectorError('unexpected-response', createMessage('connector-no-token', { system: terms.title }));
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
    : new ConnectorError(
        'unexpected-response',
        createMessage('connector-status-sign-in', { system: terms.title, status }),
      );

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

function employeesPath(offset: number, limit: number, attributes: readonly string[]): string {
  const query = new URLSearchParams({ limit: String(limit), offset: String(offset) });
  for (const name of attributes) query.append('attributes[]', name);
  return `/v1/company/employees?${query}`;
}

const attributesOf = (one: unknown) => (isRecord(one) && isRecord(one.attributes) ? one.attributes : one);

async function readPage(get: Get, path: string) {
  const body = takeBody(terms, await get(path), 'employees');
  const data = valueAt(body, 'data');
  if (valueAt(body, 'success') === false || !Array.isArray(data)) throw incomplete('incomplete-no-employees');
  const records = data.map(attributesOf);
  if (!records.every(isRecord)) throw incomplete('incomplete-no-employee');
  const total = Number(textAt(body, 'metadata', 'total_elements') ?? Number.NaN);
  return { records, total: Number.isInteger(total) ? total : undefined };
}

/** Attributes are `{label, value, type}`. */
const unwrap = (attribute: unknown) => (isRecord(attribute) && 'value' in attribute ? attribute.value : attribute);

/** Keeps only what was requested, whatever Personio sends. */
function toAttributes(record: Record<string, unknown>, attributes: readonly string[]): ProviderRecord['attributes'] {
  const named = attributes.filter((name) => name in record);
  return Object.fromEntries(named.map((name) => [name, toAttributeValue(unwrap(record[name]))]));
}

/** Yields the pages of employees. The next one is already requested while its predecessor is worked on. */
async function* readPages(get: Get, attributes: readonly string[]): AsyncGenerator<EmployeePage> {
  let [listed, total] = [0, undefined as number | undefined];
  let next: ReturnType<typeof readPage> | undefined = readPage(get, employeesPath(0, pageSize, attributes));
  while (next !== undefined) {
    const page: Awaited<ReturnType<typeof readPage>> = await next;
    if (listed > 0 && page.total !== total) throw incomplete('incomplete-changed');
    total = page.total;
    listed += page.records.length;
    if (total !== undefined && (listed > total || (page.records.length === 0 && listed < total))) {
      throw incomplete('incomplete-count', { announced: total, listed });
    }
    // After a full page, an empty one must follow: a total that is too small would otherwise look like the end.
    const isLast = page.records.length === 0 || (listed === total && page.records.length < pageSize);
    next = isLast ? undefined : readPage(get, employeesPath(listed, pageSize, attributes));
    // If the consumer stops or fails first, nobody awaits this.
    next?.catch(() => {});
    const records = page.records.map((record) => toAttributes(record, attributes));
    if (records.length > 0) yield { records, total };
  }
}

function absencesPath({ from, to }: Range, limit: number): string {
  const query = new URLSearchParams({
    limit: String(limit),
    'starts_from.date_time.lte': `${to}T23:59:59`,
    'ends_at.date_time.gte': `${from}T00:00:00`,
  });
  return `/v2/absence-periods?${query}`;
}

/** Yields the items of all pages of version 2. A link that leads to a page that was read already is a failure. */
async function* followLinks(get: Get, first: string): AsyncGenerator<unknown> {
  const seen = new Set<string>();
  for (let path: string | undefined = first; path !== undefined; ) {
    if (seen.has(path)) throw incomplete('incomplete-repeated-absences');
    seen.add(path);
    const body: unknown = takeBody(terms, await get(path), 'absences');
    const data = valueAt(body, '_data');
    if (!Array.isArray(data)) throw incomplete('incomplete-no-absences');
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

async function* readAbsences(get: Get, range: Range, timeZone: string) {
  for await (const period of followLinks(get, absencesPath(range, pageSize))) {
    const personId = textAt(period, 'person', 'id');
    const start = textAt(period, 'starts_from', 'date_time');
    if (personId === undefined || start === undefined) throw incomplete('incomplete-absence-person');
    const status = (textAt(period, 'approval', 'status') ?? '').toUpperCase();
    if (isRejected(status)) continue;
    const end = textAt(period, 'ends_at', 'date_time');
    yield {
      personId,
      typeId: textAt(period, 'absence_type', 'id') ?? '',
      typeName: textAt(period, 'absence_type', 'name') ?? null,
      startDate: toDateText(start, timeZone),
      endDate: end === undefined ? null : toDateText(end, timeZone),
      approved: status === 'APPROVED',
    };
  }
}

async function describeFields(get: Get): Promise<Description['fields']> {
  const { records } = await readPage(get, employeesPath(0, 1, []));
  return Object.entries(records[0] ?? {}).map(([name, attribute]) => ({
    name,
    label: textAt(attribute, 'label') ?? name,
    type: textAt(attribute, 'type') ?? null,
  }));
}

/** Returns the types of absences. Where Personio does not list them, those of the absences around today. */
async function describeAbsenceTypes(get: Get): Promise<Description['absenceTypes']> {
  const path = `/v2/absence-types?limit=${pageSize}`;
  const isListed = (await get(path)).status === 200;
  const recent = absencesPath(rangeAround(3), pageSize);
  const types = new Map<string, string | null>();
  for await (const one of followLinks(get, isListed ? path : recent)) {
    const type = isListed ? one : valueAt(one, 'absence_type');
    const id = textAt(type, 'id');
    if (id !== undefined) types.set(id, textAt(type, 'name') ?? null);
  }
  return [...types].map(([id, name]) => ({ id, name }));
}

function open(
  credentials: Credentials,
  { origin, signal, timeZone, retryDelayMillis, onExchange }: OpenOptions,
): Connection {
  const { title } = terms;
  const http = createHttpClient({ title, origin: origin ?? personio.origin, signal, retryDelayMillis, onExchange });
  const get = createRequests(http, credentials);
  return createApiConnection(terms, {
    // Without a list of attributes, Personio sends all that are released.
    tryEmployees: () => get(employeesPath(0, 1, [])),
    readTried(body, attributes) {
      const data = valueAt(body, 'data');
      const first = attributesOf(Array.isArray(data) ? data[0] : undefined);
      return isRecord(first) ? toAttributes(first, attributes) : undefined;
    },
    tryAbsences: (range) => get(absencesPath(range, 1)),
    readEmployees: (attributes) => readPages(get, attributes),
    readAbsences: (range) => readAbsences(get, range, timeZone),
    describe: async () => ({ fields: await describeFields(get), absenceTypes: await describeAbsenceTypes(get) }),
    close: http.close,
  });
}

export const personio = {
  provider: 'personio',
  title: terms.title,
  origin: 'https://api.personio.de',
  credentialFields: [
    { name: 'clientId', isSecret: false },
    { name: 'clientSecret', isSecret: true },
  ],
  defaultMapping: createDefaultMapping(
    {
      hrId: 'id',
      firstName: 'first_name',
      lastName: 'last_name',
      email: 'email',
      startDate: 'hire_date',
      terminationDate: 'termination_date',
    },
    [{ attribute: 'status', is: 'none-of', values: ['inactive'] }],
  ),
  open,
} as const satisfies Connector;
