import { createMessage, type Message } from '../../../domain/messages/message.ts';
import type { ProviderAbsence, ProviderRecord } from '../rules/map-record.ts';
import { listAttributes, type Mapping } from '../rules/mapping.ts';
import {
  type Connection,
  type ConnectionProblem,
  ConnectorError,
  type Description,
  incompleteFrom,
  type OpenOptions,
  type ReadPage,
  type ReadRequest,
} from './connector.ts';
import { createHttpClient, type JsonRequest, type JsonResponse, textAt } from './http-client.ts';

/** What HR systems with an HTTP API have in common: each names only its requests, and how to read the responses. */

type Part = 'employees' | 'absences';
export type Range = NonNullable<ReadRequest['absences']>;
type Attributes = ProviderRecord['attributes'];

export interface ApiTerms {
  title: string;
  id: string;
  /** The permissions as the HR system names them, and where to grant them. */
  permissions: Record<Part, { what: string; message: Message }>;
  nobody: Message;
  /** What it means that an employee is listed twice. */
  twice: 'incomplete-twice' | 'incomplete-overlap';
  describeWithheld(attribute: string): Message;
}

export interface EmployeePage {
  records: Attributes[];
  total?: number | undefined;
}

export interface ApiRequests {
  /** Requests a few employees, to see whether these attributes are released. */
  tryEmployees(attributes: readonly string[]): Promise<JsonResponse>;
  /** Returns the attributes of an employee in such a response. Undefined: there is none. */
  readTried(body: unknown, attributes: readonly string[]): Attributes | undefined;
  /** Replaces the problem of a status that means something else than usual. */
  explainStatus?(status: number): ConnectionProblem | undefined;
  tryAbsences(range: Range): Promise<JsonResponse>;
  readEmployees(attributes: readonly string[]): AsyncIterable<EmployeePage>;
  readAbsences(range: Range): AsyncIterable<ProviderAbsence & { personId: string }>;
  describe(): Promise<Description>;
  close(): Promise<void>;
}

/** Returns the days around today, for which a test of the connection requests absences. */
export function rangeAround(months: number): Range {
  const today = Temporal.Now.plainDateISO('UTC');
  return { from: today.subtract({ months }).toString(), to: today.add({ months }).toString() };
}

export const createDefaultMapping = (
  names: Record<'hrId' | 'firstName' | 'lastName' | 'email' | 'startDate' | 'terminationDate', string>,
  include: Mapping['include'] = [],
): Mapping => ({
  fields: { ...names, dateOfBirth: null, profileImage: null, personnelNumber: null, group: null },
  include,
  autoSyncEmployee: null,
  absences: { types: 'all' },
});

/** Returns the body of a successful response, and throws what any other means. */
export function takeBody({ title, permissions }: ApiTerms, { status, body }: JsonResponse, part: Part): unknown {
  if (status === 403) throw new ConnectorError('permission-missing', permissions[part].message);
  if (status !== 200) {
    throw new ConnectorError(
      'unexpected-response',
      createMessage(`connector-status-${part}`, { system: title, status }),
    );
  }
  return body;
}

/** Returns the fields that a list of the HR system describes. `names`: the members that may contain the name. */
export const describeFields = (list: unknown, ...names: string[]): Description['fields'] =>
  (Array.isArray(list) ? list : []).flatMap((field) => {
    const name = names.map((one) => textAt(field, one)).find((one) => one !== undefined);
    return name === undefined
      ? []
      : [{ name, label: textAt(field, 'name') ?? name, type: textAt(field, 'type') ?? null }];
  });

async function findProblems(terms: ApiTerms, api: ApiRequests, mapping: Mapping): Promise<ConnectionProblem[]> {
  const problems: ConnectionProblem[] = [];
  const attributes = listAttributes(mapping);
  const response = await api.tryEmployees(attributes);
  const explained = api.explainStatus?.(response.status);
  if (explained !== undefined) return [explained];
  if (response.status === 403) problems.push({ code: 'permission-missing', ...terms.permissions.employees });
  else {
    const first = api.readTried(takeBody(terms, response, 'employees'), attributes);
    if (first === undefined) problems.push({ code: 'no-employees', what: null, message: terms.nobody });
    for (const name of first ? attributes.filter((one) => first[one] === undefined) : []) {
      problems.push({ code: 'attribute-withheld', what: name, message: terms.describeWithheld(name) });
    }
  }
  if (mapping.absences === null) return problems;
  const absences = await api.tryAbsences(rangeAround(0));
  if (absences.status === 403) problems.push({ code: 'permission-missing', ...terms.permissions.absences });
  else takeBody(terms, absences, 'absences');
  return problems;
}

export function createApiConnection(terms: ApiTerms, api: ApiRequests): Connection {
  const incomplete = incompleteFrom(terms.title);

  async function* read({ attributes, absences }: ReadRequest): AsyncGenerator<ReadPage> {
    const byPerson = new Map<string, ProviderAbsence[]>();
    if (absences !== null) {
      for await (const { personId, ...absence } of api.readAbsences(absences)) {
        byPerson.getOrInsertComputed(personId, () => []).push(absence);
      }
    }
    const seen = new Set<string>();
    for await (const { records, total } of api.readEmployees([...new Set([terms.id, ...attributes])])) {
      const page = records.map((record) => {
        const id = record[terms.id];
        if (id === undefined || id === null) throw incomplete('incomplete-no-id');
        if (seen.has(String(id))) throw incomplete(terms.twice);
        seen.add(String(id));
        return { attributes: record, ...(absences === null ? {} : { absences: byPerson.get(String(id)) ?? [] }) };
      });
      yield { records: page, ...(total === undefined ? {} : { total }) };
    }
  }

  return { check: (mapping) => findProblems(terms, api, mapping), describe: api.describe, read, close: api.close };
}

/** Returns requests with Basic credentials. They throw if the credentials are refused. `remedy`: what to do then. */
export function createBasicRequests(
  given: Record<'title' | 'origin' | 'user' | 'password', string> & { remedy: Message },
  { signal, retryDelayMillis, onExchange }: OpenOptions,
) {
  const { title, origin, user, password, remedy } = given;
  const http = createHttpClient({ title, origin, signal, retryDelayMillis, onExchange });
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  async function request(given: JsonRequest): Promise<JsonResponse> {
    const response = await http.request({ ...given, headers: { authorization, ...given.headers } });
    if (response.status === 401) throw new ConnectorError('credentials-refused', remedy);
    return response;
  }
  return {
    get: (path: string) => request({ method: 'GET', path }),
    post: (path: string, body: unknown) =>
      request({ method: 'POST', path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    close: http.close,
  };
}
