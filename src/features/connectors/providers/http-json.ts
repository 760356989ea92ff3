import { createMessage, type Message } from '../../../domain/messages/message.ts';
import { findUrlProblem } from '../../../platform/outgoing/urls.ts';
import type { Requests } from '../pull/contract.ts';
import { compileExpression, type Evaluate } from '../rules/expression.ts';
import { type ProviderAbsence, toDateText } from '../rules/map-record.ts';
import { listAttributes, type Mapping } from '../rules/mapping.ts';
import { generic } from '../templates/generic.ts';
import { type Range, rangeAround } from './api-connection.ts';
import {
  type Connection,
  type ConnectionProblem,
  type Connector,
  ConnectorError,
  type Credentials,
  type Description,
  incompleteFrom,
  type OpenOptions,
  type ReadPage,
  type ReadRequest,
} from './connector.ts';
import { createHttpClient, type HttpClient, type JsonResponse, textAt, toAttributeValue } from './http-client.ts';

/**
 * Reads any REST API that answers with JSON. The mapping says what to ask for, where the list is and where it ends;
 * attributes are JSONata expressions. A member that is missing counts as withheld: an expression must say that it may be.
 */

const title = 'REST API';
const incomplete = incompleteFrom(title);
const maxPages = 10_000;
const sampleCharacters = 20_000;

/** What each way to authenticate needs. */
const authentications: Record<string, readonly string[]> = {
  basic: ['user', 'password'],
  bearer: ['token'],
  header: ['headerName', 'token'],
  oauth2: ['tokenUrl', 'clientId', 'clientSecret'],
  'key-pair': ['tokenUrl', 'clientId', 'clientSecret'],
};

const refused = () => new ConnectorError('credentials-refused', createMessage('rest-refused'));

/** Requests a token: with OAuth 2 client credentials, or with a pair of keys as JSON. */
async function requestToken(http: HttpClient, credentials: Credentials): Promise<string> {
  const { authentication, tokenUrl, clientId, clientSecret, scope } = credentials;
  const url = new URL(String(tokenUrl));
  const isKeyPair = authentication === 'key-pair';
  const form = { grant_type: 'client_credentials', client_id: String(clientId), client_secret: String(clientSecret) };
  const { status, body } = await http.request({
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    headers: { 'content-type': isKeyPair ? 'application/json' : 'application/x-www-form-urlencoded' },
    body: isKeyPair
      ? JSON.stringify({ accessKey: clientId, secretAccessKey: clientSecret })
      : new URLSearchParams({ ...form, ...(scope === undefined ? {} : { scope: String(scope) }) }).toString(),
  });
  if ([400, 401, 403].includes(status)) throw refused();
  const token = textAt(body, 'access_token') ?? textAt(body, 'token');
  if (status < 200 || status > 299 || token === undefined) {
    throw new ConnectorError('unexpected-response', createMessage('connector-no-token', { system: title }));
  }
  return token;
}

function headersOf({ authentication, user, password, headerName, token }: Credentials): Record<string, string> {
  if (authentication === 'basic') {
    return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  }
  if (authentication === 'header') return { [String(headerName).toLowerCase()]: String(token) };
  return { authorization: `Bearer ${token}` };
}

/** Sends requests to one origin only: nothing that a response says sends the credentials elsewhere. */
function createRequests(
  credentials: Credentials,
  { signal, retryDelayMillis, allowsPrivateHosts, onExchange }: OpenOptions,
) {
  const base = new URL(String(credentials.baseUrl));
  const clients = new Map<string, HttpClient>();
  const clientOf = (origin: string) => {
    if (!allowsPrivateHosts && !origin.startsWith('https:')) {
      throw new ConnectorError('unreachable', createMessage('credentials-url', { name: 'baseUrl' }));
    }
    const rules = { allowPrivate: allowsPrivateHosts };
    return clients.getOrInsertComputed(origin, () =>
      createHttpClient({ title, origin, signal, retryDelayMillis, rules, onExchange }),
    );
  };
  const isToken =
    credentials.tokenUrl !== undefined && ['oauth2', 'key-pair'].includes(String(credentials.authentication));
  let token: Promise<string> | undefined;

  async function authorize(): Promise<Record<string, string>> {
    if (!isToken) return headersOf(credentials);
    token ??= requestToken(clientOf(new URL(String(credentials.tokenUrl)).origin), credentials);
    return { authorization: `Bearer ${await token}` };
  }

  /** A token may have expired, so it is renewed once. */
  async function get(url: URL): Promise<JsonResponse> {
    for (let isRepeated = !isToken; ; isRepeated = true) {
      const path = `${url.pathname}${url.search}`;
      const response = await clientOf(base.origin).request({ method: 'GET', path, headers: await authorize() });
      if (response.status !== 401) return response;
      token = undefined;
      if (isRepeated) throw refused();
    }
  }

  return {
    get,
    /** Returns the address of a path below the base URL. */
    locate: (path: string) => new URL(`${base.href.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`),
    /** Returns the address that a response names. It must be of the same origin. */
    follow(text: string, from: URL): URL {
      if (!URL.canParse(text, from.href)) throw incomplete('incomplete-link');
      const url = new URL(text, from.href);
      if (url.origin !== base.origin) throw incomplete('incomplete-link-elsewhere');
      return url;
    },
    close: async () => void (await Promise.all([...clients.values()].map((client) => client.close()))),
  };
}
type Api = ReturnType<typeof createRequests>;

type ListRequest = Omit<Requests['employees'], 'id'>;

/** Returns the address with rel="next" of the header `Link`. */
const nextOfLink = (header: string | undefined): string | undefined =>
  header
    ?.split(/,\s*(?=<)/)
    .map((one) => /^\s*<([^>]*)>(.*)$/.exec(one))
    .find((match) => /;\s*rel="?(?:[^"]*\s)?next(?:\s[^"]*)?"?/i.test(match?.[2] ?? ''))?.[1];

interface ListPage {
  records: unknown[];
  total: number | undefined;
  /** Undefined: it is the last page. */
  next: URL | undefined;
  body: unknown;
}

interface CompiledList {
  first(range: Range): URL;
  readPage(url: URL, listed: number, part: 'employees' | 'absences'): Promise<ListPage>;
  /** Returns how many records follow the last page of a list that ends by its total. */
  countBeyond(url: URL, listed: number): Promise<number>;
}

function takeBody({ status, body }: JsonResponse, url: URL, part: 'employees' | 'absences'): unknown {
  if (status === 200) return body;
  if (status === 403 || status === 404) {
    const message = createMessage('rest-not-found', { path: url.pathname, status });
    throw new ConnectorError(status === 403 ? 'permission-missing' : 'unexpected-response', message);
  }
  throw new ConnectorError('unexpected-response', createMessage(`connector-status-${part}`, { system: title, status }));
}

async function compileList(api: Api, { path, list, total, more, paging }: ListRequest): Promise<CompiledList> {
  const optional = (text: string | undefined) => (text === undefined ? undefined : compileExpression(text));
  const [listOf, totalOf, moreOf] = [await compileExpression(list), await optional(total), await optional(more)];
  const nextOf = paging.kind === 'cursor' ? await compileExpression(paging.next) : undefined;

  const withParameter = (url: URL, name: string, value: string) => {
    const next = new URL(url);
    next.searchParams.set(name, value);
    return next;
  };

  async function readTotal(body: unknown): Promise<number | undefined> {
    if (totalOf === undefined) return undefined;
    const found = Number(toAttributeValue(await totalOf(body)) ?? Number.NaN);
    if (!Number.isInteger(found) || found < 0) throw incomplete('incomplete-total');
    return found;
  }

  /** Whether further pages follow: as the body says, or until the announced number was listed. */
  async function hasMore(body: unknown, listed: number, announced: number | undefined): Promise<boolean> {
    if (moreOf === undefined) return listed < (announced ?? 0);
    const found = await moreOf(body);
    if (typeof found !== 'boolean') throw incomplete('incomplete-more');
    return found;
  }

  async function findNext(url: URL, { body, link }: JsonResponse, listed: number, announced: number | undefined) {
    if (paging.kind === 'none') return undefined;
    if (paging.kind === 'link') {
      const next = nextOfLink(link);
      return next === undefined ? undefined : api.follow(next, url);
    }
    if (paging.kind === 'cursor') {
      const next = toAttributeValue(await nextOf?.(body));
      if (next === null || next === '' || next === false) return undefined;
      return paging.parameter === null
        ? api.follow(String(next), url)
        : withParameter(url, paging.parameter, String(next));
    }
    return (await hasMore(body, listed, announced)) ? countOn(url, listed) : undefined;
  }

  /** Returns the address of the page after one that is counted. */
  function countOn(url: URL, listed: number): URL | undefined {
    if (paging.kind === 'offset') return withParameter(url, paging.parameter, String(listed));
    if (paging.kind !== 'page') return undefined;
    return withParameter(url, paging.parameter, String(Number(url.searchParams.get(paging.parameter)) + 1));
  }

  return {
    first({ from, to }) {
      const url = api.locate(path.replaceAll('{from}', from).replaceAll('{to}', to));
      if (paging.kind === 'page') return withParameter(url, paging.parameter, String(paging.first));
      return paging.kind === 'offset' ? withParameter(url, paging.parameter, '0') : url;
    },
    async readPage(url, listed, part) {
      const response = await api.get(url);
      const body = takeBody(response, url, part);
      const records = await listOf(body);
      if (!Array.isArray(records)) throw incomplete('incomplete-no-list');
      const announced = await readTotal(body);
      const next = await findNext(url, response, listed + records.length, announced);
      return { records: [...records], total: announced, next, body };
    },
    async countBeyond(url, listed) {
      const beyond = moreOf === undefined ? countOn(url, listed) : undefined;
      if (beyond === undefined) return 0;
      const { status, body } = await api.get(beyond);
      // Some refuse to go beyond the end.
      if (status === 400 || status === 404) return 0;
      const records = await listOf(takeBody({ status, body }, beyond, 'employees'));
      if (!Array.isArray(records)) throw incomplete('incomplete-no-list');
      return records.length;
    },
  };
}

/** Yields the pages of a list. Whatever makes its end doubtful is a failure. */
async function* readList(list: CompiledList, range: Range, part: 'employees' | 'absences'): AsyncGenerator<ListPage> {
  const seen = new Set<string>();
  let listed = 0;
  let firstCount: number | undefined;
  let announced: number | undefined;
  for (let url: URL | undefined = list.first(range); url !== undefined; ) {
    const address = `${url.pathname}?${new URLSearchParams(url.search)}`;
    if (seen.has(address) || seen.size >= maxPages) {
      throw incomplete(part === 'employees' ? 'incomplete-repeated' : 'incomplete-repeated-absences');
    }
    seen.add(address);
    const page: ListPage = await list.readPage(url, listed, part);
    announced ??= page.total;
    if (page.total !== announced) throw incomplete('incomplete-changed');
    listed += page.records.length;
    if (page.next !== undefined && page.records.length === 0) throw incomplete('incomplete-empty-page');
    firstCount ??= page.records.length;
    // A total that is too small would end the list too soon. A page that is shorter than the first confirms it.
    if (page.next === undefined && listed > 0 && page.records.length >= firstCount) {
      const further = await list.countBeyond(url, listed);
      if (further > 0) throw incomplete('incomplete-count', { announced: announced ?? 0, listed: listed + further });
    }
    url = page.next;
    yield page;
  }
  if (announced !== undefined && announced !== listed) throw incomplete('incomplete-count', { announced, listed });
}

type AbsenceRequest = NonNullable<Requests['absences']>;

async function compileAbsence(request: AbsenceRequest, timeZone: string) {
  const compile = (text: string | null): Promise<Evaluate> | undefined =>
    text === null ? undefined : compileExpression(text);
  const person = await compileExpression(request.person);
  const start = await compileExpression(request.start);
  const end = await compileExpression(request.end);
  const [type, typeName, approved] = [
    await compile(request.type),
    await compile(request.typeName),
    await compile(request.approved),
  ];
  const text = async (evaluate: Evaluate | undefined, record: unknown) => {
    const value = toAttributeValue(await evaluate?.(record));
    return value === null || value === '' ? undefined : String(value);
  };
  return async (record: unknown): Promise<ProviderAbsence & { personId: string }> => {
    const [personId, from] = [await text(person, record), await text(start, record)];
    if (personId === undefined || from === undefined) throw incomplete('incomplete-absence-start');
    const found = await end(record);
    // Null means that it lasts. A member that is missing does not.
    if (found === undefined) throw incomplete('incomplete-absence-end');
    const until = toAttributeValue(found);
    const typeId = (await text(type, record)) ?? '';
    return {
      personId,
      typeId,
      typeName: (await text(typeName, record)) ?? (typeId === '' ? null : typeId),
      startDate: toDateText(from, timeZone),
      endDate: until === null || until === '' ? null : toDateText(String(until), timeZone),
      approved: approved === undefined || (await approved(record)) === true,
    };
  };
}

async function compileAttributes(names: readonly string[]) {
  const compiled = await Promise.all(names.map(async (name) => [name, await compileExpression(name)] as const));
  return async (record: unknown) => {
    const attributes: Record<string, ReturnType<typeof toAttributeValue>> = {};
    for (const [name, evaluate] of compiled) {
      const value = await evaluate(record);
      if (value !== undefined) attributes[name] = toAttributeValue(value);
    }
    return attributes;
  };
}

const requestsOf = ({ requests }: Mapping): Requests => {
  if (requests !== undefined) return requests;
  throw new ConnectorError('internal', createMessage('requests-missing'));
};

/** Let in, but the mapping does not fit yet: the credentials are worth storing. */
const misfit = (message: Message): ConnectionProblem => ({ code: 'no-employees', what: null, message });

function open(credentials: Credentials, options: OpenOptions): Connection {
  const api = createRequests(credentials, options);
  const { timeZone } = options;

  /** Returns what `find` finds in the first page of a list, or why that cannot be read. */
  async function checkFirst(
    request: Requests['employees'] | AbsenceRequest,
    part: 'employees' | 'absences',
    find: (records: readonly unknown[]) => Promise<ConnectionProblem[]>,
  ): Promise<ConnectionProblem[]> {
    try {
      const list = await compileList(api, request);
      const { records } = await list.readPage(list.first(rangeAround(0)), 0, part);
      return await find(records);
    } catch (error) {
      if (!(error instanceof ConnectorError)) throw error;
      const values = { path: request.path, expression: request.list };
      if (error.code === 'incomplete') return [misfit(createMessage('rest-no-list', values))];
      if (['permission-missing', 'unexpected-response'].includes(error.code)) return [misfit(error.explanation)];
      throw error;
    }
  }

  async function check(mapping: Mapping): Promise<ConnectionProblem[]> {
    const { employees, absences } = requestsOf(mapping);
    const names = listAttributes(mapping);
    const describe = (name: string): ConnectionProblem => ({
      code: 'attribute-withheld',
      what: name,
      message: createMessage('rest-attribute', { name }),
    });
    const problems = await checkFirst(employees, 'employees', async ([first]) => {
      if (first === undefined) return [misfit(createMessage('rest-nobody', { expression: employees.list }))];
      const found = await (await compileAttributes(names))(first);
      return names.filter((name) => found[name] === undefined).map(describe);
    });
    if (mapping.absences === null || absences === null) return problems;
    return [...problems, ...(await checkFirst(absences, 'absences', async () => []))];
  }

  /** Returns the beginning of the first page, beside which the mapping is written, and the names in its first record. */
  async function describe(mapping: Mapping): Promise<Description> {
    const url = (await compileList(api, requestsOf(mapping).employees)).first(rangeAround(0));
    const body = takeBody(await api.get(url), url, 'employees');
    const sample = JSON.stringify(body, null, 2).slice(0, sampleCharacters);
    const records = await (await compileExpression(requestsOf(mapping).employees.list))(body);
    const [first] = Array.isArray(records) ? (records as unknown[]) : [];
    const names = first !== null && typeof first === 'object' ? Object.keys(first) : [];
    return {
      fields: names.filter((name) => /^[A-Za-z_]\w*$/.test(name)).map((name) => ({ name, label: name, type: null })),
      absenceTypes: [],
      sample,
    };
  }

  async function* read({ mapping, attributes, absences }: ReadRequest): AsyncGenerator<ReadPage> {
    const requests = requestsOf(mapping);
    const byPerson = new Map<string, ProviderAbsence[]>();
    const range = absences ?? rangeAround(0);
    if (absences !== null && requests.absences !== null) {
      const toAbsence = await compileAbsence(requests.absences, timeZone);
      for await (const { records } of readList(await compileList(api, requests.absences), range, 'absences')) {
        for (const record of records) {
          const { personId, ...absence } = await toAbsence(record);
          byPerson.getOrInsertComputed(personId, () => []).push(absence);
        }
      }
    }
    const hasAbsences = absences !== null && requests.absences !== null;
    const idOf = await compileExpression(requests.employees.id);
    const toAttributes = await compileAttributes(attributes);
    const seen = new Set<string>();
    for await (const page of readList(await compileList(api, requests.employees), range, 'employees')) {
      const records = [];
      for (const record of page.records) {
        const id = toAttributeValue(await idOf(record));
        if (id === null || id === '') throw incomplete('incomplete-no-id');
        if (seen.has(String(id))) throw incomplete('incomplete-overlap');
        seen.add(String(id));
        const own = hasAbsences ? { absences: byPerson.get(String(id)) ?? [] } : {};
        records.push({ attributes: await toAttributes(record), ...own });
      }
      yield { records, ...(page.total === undefined ? {} : { total: page.total }) };
    }
  }

  return { check, describe, read, close: api.close };
}

function findCredentialProblem(credentials: Credentials): Message | undefined {
  const fields = authentications[String(credentials.authentication)];
  if (fields === undefined || fields.some((name) => credentials[name] === undefined)) {
    const names = Object.keys(authentications).join(', ');
    return createMessage('credentials-authentication', { names, fields: (fields ?? []).join(', ') || names });
  }
  for (const name of ['baseUrl', 'tokenUrl']) {
    const text = credentials[name];
    if (text === undefined) continue;
    if (!URL.canParse(String(text)) || new URL(String(text)).search !== '')
      return createMessage('credentials-url', { name });
    // Whether HTTP is allowed depends on the environment, which the connection knows.
    const problem = findUrlProblem(new URL(String(text)), 'staging');
    if (problem !== undefined) return problem;
  }
  return /^[\w-]{1,100}$/.test(String(credentials.headerName ?? 'x'))
    ? undefined
    : createMessage('credentials-text', { name: 'headerName', limit: 100 });
}

export const httpJson = {
  provider: 'http-json',
  title,
  origin: null,
  credentialFields: [
    { name: 'baseUrl', isSecret: false },
    { name: 'authentication', isSecret: false },
    { name: 'user', isSecret: false, isOptional: true },
    { name: 'password', isSecret: true, isOptional: true },
    { name: 'headerName', isSecret: false, isOptional: true },
    { name: 'token', isSecret: true, isOptional: true },
    { name: 'tokenUrl', isSecret: false, isOptional: true },
    { name: 'clientId', isSecret: false, isOptional: true },
    { name: 'clientSecret', isSecret: true, isOptional: true },
    { name: 'scope', isSecret: false, isOptional: true },
  ],
  findCredentialProblem,
  defaultMapping: generic.mapping,
  open,
} as const satisfies Connector;
