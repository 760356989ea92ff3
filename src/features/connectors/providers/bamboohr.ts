import { createMessage } from '../../../domain/messages/message.ts';
import type { ProviderRecord } from '../rules/map-record.ts';
import { toDateText } from '../rules/map-record.ts';
import { listAttributes, type Mapping } from '../rules/mapping.ts';
import { type AbsencesByPerson, type BasicApi, createBasicApi, takeBody, today } from './basic-api.ts';
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
import { incompleteFrom } from './connector-error.ts';
import { isRecord, textAt, toAttributeValue, valueAt } from './json-value.ts';

/**
 * Reads employees of BambooHR page by page, each of which links to the next, and approved time off with one request.
 * Fields that the key may not read are null, and named in `_restrictedFields` of the record.
 */

const title = 'BambooHR';
const pageSize = 100;
const permissions = {
  employees: { what: 'Employees: view', message: createMessage('bamboohr-employees') },
  absences: { what: 'Time off: view', message: createMessage('bamboohr-absences') },
};

const defaultMapping: Mapping = {
  fields: {
    hrId: 'employeeId',
    firstName: 'firstName',
    lastName: 'lastName',
    email: 'workEmail',
    dateOfBirth: null,
    startDate: 'hireDate',
    terminationDate: 'terminationDate',
    profileImage: null,
    personnelNumber: null,
  },
  include: [{ attribute: 'status', is: 'none-of', values: ['inactive'] }],
  autoSyncEmployee: null,
  absences: { types: 'all' },
};

const incomplete = incompleteFrom(title);

/** BambooHR writes a date that is not set as zeros. */
const toValue = (value: unknown) => (value === '0000-00-00' ? null : toAttributeValue(value));

interface Page {
  records: Record<string, unknown>[];
  total: number | undefined;
  next: string | undefined;
}

/** Paths of one company. Everything it owns is below its domain. */
function createPaths(domain: string) {
  const base = `/api/gateway.php/${encodeURIComponent(domain)}/v1`;
  return {
    employees(fields: readonly string[], limit = pageSize): string {
      return `${base}/employees?${new URLSearchParams({ fields: fields.join(','), 'page[limit]': String(limit) })}`;
    },
    timeOff: ({ from, to }: NonNullable<ReadRequest['absences']>) =>
      `${base}/time_off/requests?${new URLSearchParams({ start: String(from), end: String(to), status: 'approved' })}`,
    timeOffTypes: `${base}/meta/time_off/types`,
    fields: `${base}/meta/fields`,
    /** Returns the path of a link. Only path and query count: the host is always BambooHR's. */
    follow(href: string): string {
      const url = URL.canParse(href, bamboohr.origin) ? new URL(href, bamboohr.origin) : undefined;
      if (url === undefined || !url.pathname.startsWith(`${base}/`)) throw incomplete('incomplete-link-elsewhere');
      return `${url.pathname}${url.search}`;
    },
  };
}
type Paths = ReturnType<typeof createPaths>;

async function readPage(api: BasicApi, paths: Paths, path: string): Promise<Page> {
  const body = takeBody(title, await api.get(path), permissions.employees);
  const data = valueAt(body, 'data');
  if (!Array.isArray(data)) throw incomplete('incomplete-no-employees');
  if (!data.every(isRecord)) throw incomplete('incomplete-no-employee');
  const href = textAt(body, '_links', 'next', 'href') ?? textAt(body, '_links', 'next');
  const total = Number(textAt(body, 'meta', 'page', 'total') ?? Number.NaN);
  return {
    records: data,
    total: Number.isInteger(total) ? total : undefined,
    next: href === undefined || href === '' ? undefined : paths.follow(href),
  };
}

const idOf = (record: Record<string, unknown>): string => {
  const id = textAt(record, 'employeeId');
  if (id === undefined) throw incomplete('incomplete-no-id');
  return id;
};

/** Yields the pages of employees. A link that leads to a page that was read already is a failure. */
async function* readPages(api: BasicApi, paths: Paths, fields: readonly string[]): AsyncGenerator<Page> {
  const [followed, seen] = [new Set<string>(), new Set<string>()];
  for (let path: string | undefined = paths.employees(fields); path !== undefined; ) {
    if (followed.has(path)) throw incomplete('incomplete-repeated');
    followed.add(path);
    const page: Page = await readPage(api, paths, path);
    for (const id of page.records.map(idOf)) {
      if (seen.has(id)) throw incomplete('incomplete-overlap');
      seen.add(id);
    }
    if (page.next !== undefined && page.records.length === 0) throw incomplete('incomplete-empty-page');
    if (page.next === undefined && page.total !== undefined && page.total !== seen.size)
      throw incomplete('incomplete-count', { announced: page.total, listed: seen.size });
    path = page.next;
    yield page;
  }
}

/** Leaves out what the key may not read. Null means that there is no value. */
function toAttributes(record: Record<string, unknown>, fields: readonly string[]): ProviderRecord['attributes'] {
  const restricted = Array.isArray(record._restrictedFields) ? record._restrictedFields : [];
  return Object.fromEntries(
    fields.filter((name) => name in record && !restricted.includes(name)).map((name) => [name, toValue(record[name])]),
  );
}

async function readAbsences(api: BasicApi, path: string, timeZone: string): Promise<AbsencesByPerson> {
  const requests = takeBody(title, await api.get(path), permissions.absences);
  if (!Array.isArray(requests)) throw incomplete('incomplete-no-time-off');
  const byPerson: AbsencesByPerson = new Map();
  for (const request of requests) {
    const [personId, start, end] = ['employeeId', 'start', 'end'].map((name) => textAt(request, name));
    if (personId === undefined || start === undefined || end === undefined) throw incomplete('incomplete-time-off');
    byPerson
      .getOrInsertComputed(personId, () => [])
      .push({
        typeId: textAt(request, 'type', 'id') ?? '',
        typeName: textAt(request, 'type', 'name') ?? null,
        startDate: toDateText(start, timeZone),
        endDate: toDateText(end, timeZone),
        approved: textAt(request, 'status', 'status') === 'approved',
      });
  }
  return byPerson;
}

async function findProblems(api: BasicApi, paths: Paths, mapping: Mapping): Promise<ConnectionProblem[]> {
  const problems: ConnectionProblem[] = [];
  const fields = listAttributes(mapping);
  const response = await api.get(paths.employees(fields, 1));
  if (response.status === 403) problems.push({ code: 'permission-missing', ...permissions.employees });
  else if (response.status === 404) {
    return [{ code: 'unreachable', what: 'domain', message: createMessage('bamboohr-domain') }];
  } else {
    const data = valueAt(takeBody(title, response, permissions.employees), 'data');
    const [first] = Array.isArray(data) ? data : [];
    if (!isRecord(first)) {
      problems.push({ code: 'no-employees', what: null, message: createMessage('bamboohr-nobody') });
    } else {
      const released = toAttributes(first, fields);
      for (const name of fields.filter((one) => released[one] === undefined)) {
        const message = createMessage('bamboohr-attribute', { name });
        problems.push({ code: 'attribute-withheld', what: name, message });
      }
    }
  }
  if (mapping.absences === null) return problems;
  const absences = await api.get(paths.timeOff({ from: today(), to: today() }));
  if (absences.status === 403) problems.push({ code: 'permission-missing', ...permissions.absences });
  else takeBody(title, absences, permissions.absences);
  return problems;
}

async function describe(api: BasicApi, paths: Paths): Promise<Description> {
  const fields = takeBody(title, await api.get(paths.fields), permissions.employees);
  const types = valueAt(takeBody(title, await api.get(paths.timeOffTypes), permissions.absences), 'timeOffTypes');
  return {
    fields: (Array.isArray(fields) ? fields : []).flatMap((field) => {
      const name = textAt(field, 'alias') ?? textAt(field, 'id');
      return name === undefined
        ? []
        : [{ name, label: textAt(field, 'name') ?? name, type: textAt(field, 'type') ?? null }];
    }),
    absenceTypes: (Array.isArray(types) ? types : []).flatMap((type) => {
      const id = textAt(type, 'id');
      return id === undefined ? [] : [{ id, name: textAt(type, 'name') ?? null }];
    }),
  };
}

function open({ domain, apiKey }: Credentials, options: OpenOptions): Connection {
  // BambooHR takes the key as the user. The password has no meaning.
  const user = { user: String(apiKey), password: 'x', remedy: createMessage('bamboohr-refused') };
  const api = createBasicApi({ title, origin: options.origin ?? bamboohr.origin, ...user }, options);
  const paths = createPaths(String(domain));

  async function* read({ attributes, absences }: ReadRequest): AsyncGenerator<ReadPage> {
    const byPerson = absences === null ? undefined : await readAbsences(api, paths.timeOff(absences), options.timeZone);
    const fields = [...new Set(['employeeId', ...attributes])];
    for await (const { records, total } of readPages(api, paths, fields)) {
      yield {
        ...(total === undefined ? {} : { total }),
        records: records.map((record) => ({
          attributes: toAttributes(record, fields),
          ...(byPerson === undefined ? {} : { absences: byPerson.get(idOf(record)) ?? [] }),
        })),
      };
    }
  }

  return {
    check: (mapping) => findProblems(api, paths, mapping),
    describe: () => describe(api, paths),
    read,
    close: api.close,
  };
}

export const bamboohr = {
  provider: 'bamboohr',
  title,
  origin: 'https://api.bamboohr.com',
  credentialFields: [
    { name: 'domain', isSecret: false },
    { name: 'apiKey', isSecret: true },
  ],
  findCredentialProblem: ({ domain }: Credentials) =>
    /^[a-z0-9-]{1,63}$/i.test(String(domain)) ? undefined : createMessage('credentials-domain'),
  defaultMapping,
  open,
} as const satisfies Connector;
